import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import {
  Applied,
  AutoTagged,
  AutoTaggedBatch,
  ManyTracks,
  OneTrack,
  SuggestedTags,
  SuggestedTagsQuery,
  TrackNotFound,
} from "./shapes.ts";

/** What suggests tags is loaded with the first request for some. */
const autoTagging = () => import("./auto-tag.ts");

const tag = "Tags";

/** Requesting, reading and applying tag suggestions. */
export const autoTagOperations = [
  op({
    at: "POST /tracks/auto-tag",
    id: "autoTagTrack",
    key: "update:tracks",
    input: { body: OneTrack },
    tag,
    summary: "Analyse a track again and suggest tags",
    description:
      "Answers at once. Wait for the event `track.audio_profile_completed`, or poll the suggested tags.",
    answer: AutoTagged,
    refusals: ["track_not_found"],
    run: async (deps, { actor, body }) => (await autoTagging()).autoTag(deps, actor.accountId, body.trackId),
  }),
  op({
    at: "POST /tracks/auto-tag/batch",
    id: "autoTagTracks",
    key: "update:tracks",
    input: { body: ManyTracks },
    tag,
    summary: "Analyse many tracks again and suggest tags",
    description: "Refused only when none of the ids is a track of this account.",
    answer: AutoTaggedBatch,
    refusals: ["track_not_found"],
    run: async (deps, { actor, body }) =>
      (await autoTagging()).autoTagBatch(deps, actor.accountId, body.trackIds),
  }),
  op({
    at: "GET /tracks/suggested-tags",
    id: "getSuggestedTags",
    key: "read:tracks",
    input: { query: SuggestedTagsQuery },
    tag,
    summary: "Get the tags suggested for a track",
    description:
      "Only tags with enough confidence are suggested. Poll until `analysisStatus` is `completed` or `failed`. " +
      "For an id that is not this account's, the answer is `{ok: false, error: TRACK_NOT_FOUND}`.",
    answer: Type.Union([SuggestedTags, TrackNotFound]),
    refusals: [],
    run: async (deps, { actor, query }) =>
      (await import("./suggested.ts")).getSuggestedTags(deps, actor.accountId, query.id),
  }),
  op({
    at: "POST /tracks/apply-suggested-tags",
    id: "applySuggestedTags",
    key: "update:tracks",
    input: { body: OneTrack },
    tag,
    summary: "Apply the suggested tags",
    description:
      "Overwrites every category that has a suggestion, adds to free text, and leaves the other categories alone. " +
      "If there are no suggestions, it starts an analysis instead.",
    answer: Applied,
    refusals: ["track_not_found"],
    run: async (deps, { actor, body }) =>
      (await autoTagging()).applySuggestions(deps, actor.accountId, body.trackId),
  }),
];
