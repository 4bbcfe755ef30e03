import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createModelReader } from "./llm/reader.ts";
import { searchTracks, similarTracks } from "./service.ts";
import { SearchRequest, SearchResult, SimilarQuery, SimilarTracks, TrackNotFound } from "./shapes.ts";

/**
 * `POST /tracks/search` ranks the library by prose. It is the only metered operation: one credit per call, failed calls
 * are free. `GET /tracks/similar` lists tracks like another one, free of charge.
 */
export const searchRoutes = (deps: Deps, guard: Guards) => {
  const searching = { ...deps, readWithModel: createModelReader(deps) };
  return new Elysia({ prefix: "/tracks" })
    .use(guard)
    .post(
      "/search",
      async ({ actor, body, request, set }) => {
        const { result, creditsRemaining } = await searchTracks(searching, actor, body, signalOf(request));
        set.headers["x-service-credits-remaining"] =
          creditsRemaining === null ? "unlimited" : String(creditsRemaining);
        return ok(result);
      },
      {
        scope: "read:tracks",
        body: SearchRequest,
        detail: describe({
          operationId: "searchTracks",
          tag: "Search",
          summary: "Search tracks by prose",
          description:
            "Ranks every analysed track. Only `constraints` filter; the prose is a hint. Costs one credit per call; " +
            "`X-Service-Credits-Remaining` says how many are left.",
          answer: SearchResult,
          refusals: ["not_enough_credits"],
        }),
      },
    )
    .get(
      "/similar",
      async ({ actor, query, request }) =>
        ok(await similarTracks(deps, actor.accountId, query, signalOf(request))),
      {
        scope: "read:tracks",
        query: SimilarQuery,
        detail: describe({
          operationId: "listSimilarTracks",
          tag: "Search",
          summary: "List the tracks most similar to one",
          description:
            "Compares sound and tags with the rest of the library; costs no credit. For a track of another account it " +
            "answers `{ok: false, error: TRACK_NOT_FOUND}`.",
          answer: Type.Union([SimilarTracks, TrackNotFound]),
          refusals: [],
        }),
      },
    );
};
