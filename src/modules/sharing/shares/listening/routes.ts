import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { ShareParams } from "../shapes.ts";
import { listContacts } from "./contacts.ts";
import { getListening } from "./listening.ts";
import { Contact, ContactsQuery, Listening } from "./shapes.ts";

const tag = "App";

/** What the console says of links: who heard what through them, and who got them. */
export const listeningRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get("/shares/:id/listening", ({ actor, params }) => ok(getListening(deps, actor.accountId, params.id)), {
      session: true,
      params: ShareParams,
      detail: describe({
        operationId: "getShareListening",
        tag,
        summary: "Get what was heard through a link, by visit and by part of each track",
        answer: Listening,
        refusals: ["share_not_found"],
      }),
    })
    .get("/contacts", ({ actor, query }) => ok(listContacts(deps, actor.accountId, query)), {
      session: true,
      query: ContactsQuery,
      detail: describe({
        operationId: "listContacts",
        tag,
        summary: "List the recipients of your links, the latest activity first",
        answer: Type.Array(Contact),
        refusals: [],
      }),
    });
