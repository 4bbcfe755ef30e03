import { Type } from "@sinclair/typebox";
import { compactTaxonomy } from "./compact.ts";
import { Anything, Detail, TagFields, TrackId } from "./fields.ts";
import { READS, SETS, TURNS, tool } from "./tool.ts";

const MAX_BATCH = 500;

export const getTagTaxonomy = tool({
  name: "get_tag_taxonomy",
  title: "Get the tag taxonomy",
  description:
    "The tag names that update_track_tags accepts, by category. Call it before writing tags. full adds ids, codes and " +
    "display order.",
  input: Type.Object({ detail: Detail }),
  output: Type.Object({ genres: Type.Array(Type.Unknown()), moods: Type.Array(Type.Unknown()) }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /taxonomy",
  request: () => ({ method: "GET", path: "/taxonomy" }),
  compact: compactTaxonomy,
});

export const updateTrackTags = tool({
  name: "update_track_tags",
  title: "Write a track's tags",
  description:
    "Set a track's tags. Each category sent replaces the stored one, [] clears it, the others stay. Names must " +
    "be in get_tag_taxonomy; additionalTags are free. Returns ok and all tags after the write.",
  input: Type.Object({ trackId: TrackId, ...TagFields }),
  annotations: SETS,
  scopes: ["update:tracks"],
  endpoint: "PATCH /tracks/tags",
  request: ({ trackId, ...tags }) => ({
    method: "PATCH",
    path: "/tracks/tags",
    query: { id: trackId },
    body: tags,
  }),
});

export const triggerAutoTag = tool({
  name: "trigger_auto_tag",
  title: "Analyse a track again",
  description:
    "Start a new analysis of a track: tempo, key, loudness and suggested tags. Returns at once; use wait_for_auto_tag to " +
    "wait for the result.",
  input: Type.Object({ trackId: TrackId }),
  annotations: TURNS,
  scopes: ["update:tracks"],
  endpoint: "POST /tracks/auto-tag",
  request: ({ trackId }) => ({ method: "POST", path: "/tracks/auto-tag", body: { trackId } }),
});

export const batchAutoTag = tool({
  name: "batch_auto_tag",
  title: "Analyse many tracks again",
  description:
    "Start a new analysis of up to 500 tracks. Returns at once: ok, how many were queued, and notFound[].",
  input: Type.Object({
    trackIds: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_BATCH, description: "1-500 track ids" }),
  }),
  annotations: TURNS,
  scopes: ["update:tracks"],
  endpoint: "POST /tracks/auto-tag/batch",
  request: ({ trackIds }) => ({ method: "POST", path: "/tracks/auto-tag/batch", body: { trackIds } }),
});

export const getSuggestedTags = tool({
  name: "get_suggested_tags",
  title: "Get suggested tags",
  description:
    "The tags that the analysis suggests for a track, most certain first, and analysisStatus. The track gets them only " +
    "through apply_suggested_tags or update_track_tags.",
  input: Type.Object({ trackId: TrackId }),
  output: Type.Object({
    trackId: Type.String(),
    suggestedTags: Anything,
    needsRetagging: Type.Boolean(),
    analysisStatus: Type.String(),
  }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/suggested-tags",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/suggested-tags", query: { id: trackId } }),
});

export const WaitInput = Type.Object({
  trackId: TrackId,
  trigger: Type.Optional(
    Type.Boolean({ default: false, description: "Start a new analysis first; needs update:tracks" }),
  ),
  timeoutSeconds: Type.Optional(
    Type.Number({ minimum: 5, maximum: 300, default: 90, description: "Timeout, seconds, 5-300" }),
  ),
  pollIntervalSeconds: Type.Optional(
    Type.Number({ minimum: 2, maximum: 30, default: 3, description: "Poll interval, seconds, 2-30" }),
  ),
});

export const waitForAutoTag = tool({
  name: "wait_for_auto_tag",
  title: "Wait for a track's analysis",
  description:
    "Wait until the analysis of a track is completed or failed, reporting progress, and return its suggested tags. " +
    "After the timeout it returns timedOut: true with the status so far; call it again to keep waiting.",
  input: WaitInput,
  annotations: TURNS,
  scopes: ["read:tracks", "update:tracks"],
  endpoint: "GET /tracks/suggested-tags",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/suggested-tags", query: { id: trackId } }),
  runs: "wait",
});

export const applySuggestedTags = tool({
  name: "apply_suggested_tags",
  title: "Apply suggested tags",
  description:
    "Overwrite a track's tags with the suggested ones. If there are none, it starts an analysis instead " +
    "(requeued: true). Returns ok, applied and requeued.",
  input: Type.Object({ trackId: TrackId }),
  annotations: SETS,
  scopes: ["update:tracks"],
  endpoint: "POST /tracks/apply-suggested-tags",
  request: ({ trackId }) => ({ method: "POST", path: "/tracks/apply-suggested-tags", body: { trackId } }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});
