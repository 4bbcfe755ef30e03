import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { ShareParams } from "../shapes.ts";
import { listContacts } from "./contacts.ts";
import { listListeners } from "./listeners.ts";
import { getListening } from "./listening.ts";
import { Contact, ContactsQuery, Listener, ListenersQuery, Listening } from "./shapes.ts";

const tag = "Shares";

/** Who listened through links, for programs with a key (decision 0038). */
export const listeningKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get("/shares/:id/listening", ({ actor, params }) => ok(getListening(deps, actor.accountId, params.id)), {
      scope: "read:shares",
      params: ShareParams,
      detail: describe({
        operationId: "getShareLinkListening",
        tag,
        summary: "Get what was heard through one link, by visit and by part of each track",
        answer: Listening,
        refusals: ["share_not_found"],
      }),
    })
    .get(
      "/listeners",
      ({ actor, query }) => {
        const { items, paging } = listListeners(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        scope: "read:shares",
        query: ListenersQuery,
        detail: describe({
          operationId: "listListeners",
          tag,
          summary: "List who listened, and to what: one entry for each link",
          description:
            "The last heard first. Links that nobody has heard come at the end, with `lastHeardAt: null`. The counts leave " +
            "out your own visits and machines, and count only what lies between `since` and `until`.",
          answer: Type.Array(Listener),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .get("/recipients", ({ actor, query }) => ok(listContacts(deps, actor.accountId, query)), {
      scope: "read:shares",
      query: ContactsQuery,
      detail: describe({
        operationId: "listRecipients",
        tag,
        summary: "List the people whom links are for, the latest activity first",
        answer: Type.Array(Contact),
        refusals: [],
      }),
    });
