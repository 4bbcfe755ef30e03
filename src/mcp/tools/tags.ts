import { Type } from "@sinclair/typebox";
import { ManyTracks } from "../../modules/library/analysis/shapes.ts";
import { TAG_MODES, TaxonomyQuery } from "../../modules/library/tags/shapes.ts";
import { byCategory, change, fields, object } from "./answers.ts";
import { compactTaxonomy } from "./compact.ts";
import { Detail, field, OneOf, TagFields, TrackId } from "./fields.ts";
import { READS, SETS, TURNS, tool } from "./tool.ts";

export const getTagTaxonomy = tool({
  name: "get_tag_taxonomy",
  title: "Tag taxonomy",
  description: "Names that update_track_tags accepts, by category.",
  input: Type.Object({
    category: field(TaxonomyQuery.properties.category, "Only this"),
    detail: Detail,
  }),
  output: byCategory,
  annotations: READS,
  operation: "getTaxonomy",
  request: ({ category }) => ({ query: { category } }),
  compact: compactTaxonomy,
});

export const updateTrackTags = tool({
  name: "update_track_tags",
  title: "Write tags",
  description:
    "Each category sent replaces the stored one, [] clears it; mode adds or removes tags. Names: " +
    "get_tag_taxonomy; additionalTags are free.",
  input: Type.Object({
    trackId: TrackId,
    mode: Type.Optional(OneOf(TAG_MODES, { default: "replace", description: "What to do" })),
    ...TagFields,
  }),
  output: change(fields("trackId tags")),
  target: { entity: "track", argument: "trackId" },
  annotations: SETS,
  operation: "updateTrackTags",
  request: ({ trackId, ...tags }) => ({
    query: { id: trackId },
    body: tags,
  }),
});

export const triggerAutoTag = tool({
  name: "trigger_auto_tag",
  title: "Analyse again",
  description: "Start an analysis of a track. wait_for_auto_tag waits.",
  input: Type.Object({ trackId: TrackId }),
  output: object(fields("trackId analysisStatus")),
  annotations: TURNS,
  operation: "autoTagTrack",
  request: ({ trackId }) => ({ body: { trackId } }),
});

export const batchAutoTag = tool({
  name: "batch_auto_tag",
  title: "Analyse many again",
  description: "Start a new analysis of up to 500 tracks.",
  input: Type.Object({
    trackIds: field(ManyTracks.properties.trackIds, "Track ids", "minItems"),
  }),
  output: object(fields("queued trackIds notFound")),
  annotations: TURNS,
  operation: "autoTagTracks",
  request: ({ trackIds }) => ({ body: { trackIds } }),
});

const suggestions = { ...fields("trackId needsRetagging analysisStatus"), suggestedTags: byCategory };

export const getSuggestedTags = tool({
  name: "get_suggested_tags",
  title: "Suggested tags",
  description: "What the analysis suggests, most certain first; apply_suggested_tags writes it.",
  input: Type.Object({ trackId: TrackId }),
  output: object(suggestions),
  annotations: READS,
  operation: "getSuggestedTags",
  request: ({ trackId }) => ({ query: { id: trackId } }),
});

export const WaitInput = Type.Object({
  trackId: TrackId,
  trigger: Type.Optional(Type.Boolean({ default: false, description: "Start a new one first" })),
  timeoutSeconds: Type.Optional(
    Type.Number({ minimum: 5, maximum: 300, default: 90, description: "Seconds" }),
  ),
  pollIntervalSeconds: Type.Optional(
    Type.Number({ minimum: 2, maximum: 30, default: 3, description: "Seconds" }),
  ),
});

export const waitForAutoTag = tool({
  name: "wait_for_auto_tag",
  title: "Wait for analysis",
  description: "Wait for a track's analysis; returns its suggested tags. timedOut: call again.",
  input: WaitInput,
  output: object(fields("timedOut trackId analysisStatus suggestedTags")),
  annotations: TURNS,
  scopes: ["read:tracks", "update:tracks"],
  operation: "getSuggestedTags",
  request: ({ trackId }) => ({ query: { id: trackId } }),
  runs: "wait",
});

export const applySuggestedTags = tool({
  name: "apply_suggested_tags",
  title: "Apply tags",
  description: "Overwrite tags with the suggested ones. Without any, an analysis starts (requeued).",
  input: Type.Object({ trackId: TrackId }),
  output: change(fields("trackId applied requeued tags")),
  target: { entity: "track", argument: "trackId" },
  annotations: SETS,
  operation: "applySuggestedTags",
  request: ({ trackId }) => ({ body: { trackId } }),
  after: {
    // A change without a category changes nothing, and answers with the tags as stored.
    requests: ({ trackId }) => [{ operation: "updateTrackTags", query: { id: trackId }, body: {} }],
    add: ([stored = {}]: object[]) => stored,
  },
  compact: (payload: object) => ({ ok: true, ...payload }),
});
