import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getLink, listLinks } from "./link-list.ts";
import { Link } from "./link-shapes.ts";
import { ListSharesQuery, ShareParams } from "./shapes.ts";

const tag = "App";

/** `/app/links`: links as the console shows them. They are made and changed at `/app/shares`. */
export const linkRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/links" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, paging } = listLinks(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: ListSharesQuery,
        detail: describe({
          operationId: "listLinks",
          tag,
          summary: "List links with titles and plays, newest first",
          answer: Type.Array(Link),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .get("/:id", ({ actor, params }) => ok(getLink(deps, actor.accountId, params.id)), {
      session: true,
      params: ShareParams,
      detail: describe({
        operationId: "getLink",
        tag,
        summary: "Get a link with its title and plays",
        answer: Link,
        refusals: ["share_not_found"],
      }),
    });
