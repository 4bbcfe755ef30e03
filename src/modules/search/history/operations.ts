import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { getCredits, getSearch, listSearches } from "./service.ts";
import { Credits, SearchDetail, SearchEntry, SearchesQuery, SearchParams } from "./shapes.ts";

const tag = "Search";

/** The searches of the signed-in account, and the credits it has left. */
export const historyOperations = [
  op({
    at: "GET /searches",
    id: "listSearches",
    session: "read:tracks",
    input: { query: SearchesQuery },
    tag,
    summary: "List the search history, newest first",
    answer: Type.Array(SearchEntry),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listSearches(deps, actor, query),
  }),
  op({
    at: "GET /searches/:searchId",
    id: "getSearch",
    session: "read:tracks",
    input: { params: SearchParams },
    tag,
    summary: "Get a search with what it found",
    answer: SearchDetail,
    refusals: ["search_not_found"],
    run: (deps, { actor, params }) => getSearch(deps, actor, params.searchId),
  }),
  op({
    at: "GET /credits",
    id: "getCredits",
    session: "member",
    tag,
    summary: "Get the remaining search credits",
    answer: Credits,
    refusals: [],
    run: (deps, { actor }) => getCredits(deps, actor.accountId),
  }),
];
