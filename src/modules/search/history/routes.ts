import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getCredits, getSearch, listSearches } from "./service.ts";
import { Credits, SearchDetail, SearchEntry, SearchesQuery, SearchParams } from "./shapes.ts";

const tag = "App";

/** `/app/searches` and `/app/credits`: the searches of the signed-in account, and the credits it has left. */
export const historyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get(
      "/searches",
      ({ actor, query }) => {
        const { items, paging } = listSearches(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: SearchesQuery,
        detail: describe({
          operationId: "listSearches",
          tag,
          summary: "List the search history, newest first",
          answer: Type.Array(SearchEntry),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .get(
      "/searches/:searchId",
      ({ actor, params }) => ok(getSearch(deps, actor.accountId, params.searchId)),
      {
        session: true,
        params: SearchParams,
        detail: describe({
          operationId: "getSearch",
          tag,
          summary: "Get a search with what it found",
          answer: SearchDetail,
          refusals: ["search_not_found"],
        }),
      },
    )
    .get("/credits", ({ actor }) => ok(getCredits(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "getCredits",
        tag,
        summary: "Get the search credits that are left",
        answer: Credits,
        refusals: [],
      }),
    });
