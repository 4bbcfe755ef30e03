import { Type } from "@sinclair/typebox";
import { op, WithHeaders } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { FamilyFound, FamilySearch, FamilySearchParams } from "./family-shapes.ts";
import type { ReadWithModel } from "./llm/reader.ts";
import { creditsLeft, referenceOperation } from "./reference/operations.ts";
import { searchFamily, searchTracks, similarTracks } from "./service.ts";
import { SearchRequest, SearchResult } from "./shapes.ts";
import { SimilarQuery, SimilarTracks, TrackNotFound } from "./similar-shapes.ts";

const tag = "Search";

/** Finding tracks by prose and by likeness. Only prose is metered: one credit per call, and failed calls are free. */
export const searchOperations = (deps: Deps) => {
  const { db, now, settings } = deps;
  const reader = modelReader(deps);
  return [
    op({
      at: "POST /tracks/search",
      id: "searchTracks",
      key: "read:tracks",
      input: { body: SearchRequest },
      tag,
      summary: "Search tracks by prose",
      description:
        "Ranks every analysed track. Only `constraints` filter; the prose is a hint. Costs one credit per call; " +
        "`X-Service-Credits-Remaining` says how many are left.",
      answer: SearchResult,
      refusals: ["not_enough_credits", "track_not_found"],
      async run(_, { actor, body, request }) {
        const searching = { db, now, settings, readWithModel: await reader() };
        const { result, creditsRemaining } = await searchTracks(searching, actor, body, signalOf(request));
        return new WithHeaders(result, creditsLeft(creditsRemaining));
      },
    }),
    referenceOperation(deps, reader),
    op({
      at: "GET /tracks/similar",
      id: "listSimilarTracks",
      key: "read:tracks",
      input: { query: SimilarQuery },
      tag,
      summary: "List the tracks most similar to one",
      description:
        "Compares sound and tags with the rest of the library; costs no credit. For a track of another account it " +
        "answers `{ok: false, error: TRACK_NOT_FOUND}`.",
      answer: Type.Union([SimilarTracks, TrackNotFound]),
      refusals: [],
      run: (_, { actor, query, request }) => similarTracks(deps, actor.accountId, query, signalOf(request)),
    }),
    op({
      at: "GET /tracks/:trackId/family/search",
      id: "searchFamily",
      session: "read:tracks",
      input: { params: FamilySearchParams, query: FamilySearch },
      tag: "Search",
      summary: "Say how the members of a track's set fit a brief",
      description: "Members that nothing in the prose speaks for are left out. Costs no credit.",
      answer: FamilyFound,
      refusals: ["track_not_found"],
      run: (_, { actor, params, query, request }) =>
        searchFamily(deps, actor, params.trackId, query.query, signalOf(request)),
    }),
  ];
};

/** What asks a language model is loaded with the first search, where the operator set one up. */
function modelReader(deps: Deps): () => Promise<ReadWithModel | undefined> {
  let reader: Promise<ReadWithModel | undefined> | undefined;
  return async () => {
    if (!deps.settings.languageModel) return undefined;
    reader ??= import("./llm/reader.ts").then(({ createModelReader }) => createModelReader(deps));
    return reader;
  };
}
