import { Type } from "@sinclair/typebox";
import type { SingleTrack, TrackListItem } from "../../modules/library/tracks/shapes.ts";
import type { OwnUndo } from "../../modules/outward/assistant/shapes.ts";
import { MAX_SIMILAR, type SimilarTracks } from "../../modules/search/search/shapes.ts";
import {
  change,
  fields,
  flags,
  list,
  lists,
  numbers,
  object,
  page,
  TRACK,
  texts,
  withId,
} from "./answers.ts";
import { compactHit, compactPage, compactSingleTrack, compactTrack } from "./compact.ts";
import {
  Bpm,
  ComposerId,
  Detail,
  listedAs,
  Names,
  OneOf,
  Page,
  requireAlone,
  TagFields,
  Text,
  TrackId,
  Undo,
  undoBody,
} from "./fields.ts";
import { ADDS, fetching, READS, SETS, tool } from "./tool.ts";

/** How far the analysis of a track may have come. */
const ANALYSIS_STATUSES = ["pending", "processing", "completed", "failed"] as const;

const Title = { title: Text("Title"), artist: Text("Artist"), album: Text("Album") };
const Rest = {
  bpm: Bpm,
  key: Text("As F# minor"),
  year: Text("Year"),
  isrc: Text("ISRC"),
  composer: Text("Composer"),
  recordLabel: Text("Record label"),
};

const Tempo = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, ...listedAs({ type: "number", description }) }));

export const listTracks = tool({
  name: "list_tracks",
  title: "List tracks",
  description: "Browse or filter the library; search_tracks takes a brief in words.",
  input: Type.Object({
    query: Text("Part of a name"),
    tags: Names("Tag names"),
    tagMode: Type.Optional(OneOf(["any", "all"], { default: "any", description: "Of tags" })),
    createdAfter: Text("First day, YYYY-MM-DD"),
    createdBefore: Text("Last day, YYYY-MM-DD"),
    untagged: Type.Optional(Type.Boolean({ description: "Without tags" })),
    neverPlayed: Type.Optional(Type.Boolean({ description: "Unplayed" })),
    analysis: Type.Optional(OneOf(ANALYSIS_STATUSES, { description: "Status" })),
    bpmMin: Tempo("Lowest BPM"),
    bpmMax: Tempo("Highest BPM"),
    key: Text("As F# minor, 11A"),
    ...Page,
    sort: Type.Optional(
      OneOf(["created_at", "-created_at", "name", "-name"], {
        description: "Newest first",
      }),
    ),
    detail: Detail,
  }),
  output: object({ ...page(TRACK), ...fields("unknownTags") }),
  annotations: READS,
  operation: "listTracks",
  request: ({ query, tags, detail: _, ...rest }) => ({
    query: { q: query, tags: tags?.length ? tags.join(",") : undefined, ...rest },
  }),
  compact: compactPage<TrackListItem>(compactTrack),
});

export const getTrackCount = tool({
  name: "get_track_count",
  title: "Count tracks",
  description: "How many tracks the library has altogether.",
  input: Type.Object({}),
  output: object(fields("count")),
  annotations: READS,
  operation: "countTracks",
});

export const getTrack = tool({
  name: "get_track",
  title: "Get a track",
  description:
    "One track with tags, credits and analysis status; null if unknown. full adds measurements and versions.",
  input: Type.Object({
    trackId: TrackId,
    similar: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_SIMILAR, description: "Add so many tracks like it" }),
    ),
    detail: Detail,
  }),
  output: object({
    track: object({
      ...TRACK,
      ...lists("instruments vocals additionalTags"),
      composers: list({ ...withId("fullName role"), ...numbers("share") }),
    }),
    ...fields("activeVersionId similar"),
  }),
  after: {
    requests: ({ trackId, similar }, { track }: SingleTrack) =>
      track && similar !== undefined
        ? [{ operation: "listSimilarTracks", query: { id: trackId, limit: similar } }]
        : [],
    add: ([found]: SimilarTracks[]) => (found ? { similar: found.results.map(compactHit) } : {}),
  },
  annotations: READS,
  operation: "getTrack",
  request: ({ trackId }) => ({ query: { id: trackId } }),
  compact: compactSingleTrack,
});

/** Replaces a track's links to composers. */
const Credits = Type.Array(
  Type.Object({
    composerId: ComposerId,
    share: Type.Number({ minimum: 0, maximum: 100, description: "Per cent" }),
    role: Type.String({ minLength: 1, maxLength: 100, description: "Role" }),
  }),
  listedAs({
    type: "array",
    items: { type: "object" },
    description: "All: {composerId, share (%), role}",
  }),
);

export const updateTrackDetails = tool({
  name: "update_track_details",
  title: "Edit a track",
  description: "Change the fields sent of a track's details.",
  input: Type.Object({
    trackId: TrackId,
    ...Title,
    ...Rest,
    cover: Text("URL or data URI"),
    composers: Type.Optional(Credits),
    undo: Undo,
  }),
  output: change(fields("track activeVersionId")),
  target: { entity: "track", argument: "trackId" },
  annotations: fetching(SETS),
  operation: "updateTrackDetails",
  request: ({ trackId, undo, composers, ...details }, isRehearsal) => {
    const query = { id: trackId };
    if (undo !== undefined) {
      const body = undoBody(undo, { ...details, composers }, isRehearsal);
      return { operation: "undoTrackChange", query, body };
    }
    if (composers === undefined) return { query, body: details };
    requireAlone("composers", details);
    const shareholders = composers.map(({ composerId, ...credit }) => ({
      shareholderId: composerId,
      ...credit,
    }));
    return { operation: "replaceTrackShareholders", query, body: { shareholders } };
  },
  compact: (payload: SingleTrack | OwnUndo) =>
    "undone" in payload ? payload : { ok: true, ...compactSingleTrack(payload) },
});

export const uploadTrackByUrl = tool({
  name: "upload_track_by_url",
  title: "Upload tracks",
  description: "Add tracks, up to 1 GB each. For a new mix of a known track use upload_track_version.",
  input: Type.Object({
    items: Type.Array(
      Type.Object({
        fileUrl: Type.String({
          minLength: 1,
          description: "Public address",
        }),
        visible: Type.Optional(Type.Boolean({ description: "Show in the app" })),
        details: Type.Optional(
          Type.Object(
            { ...Title, ...Rest },
            listedAs({
              type: "object",
              description: Object.keys({ ...Title, ...Rest }).join(),
            }),
          ),
        ),
        audioProfile: Type.Optional(
          Type.Object(
            TagFields,
            listedAs({
              type: "object",
              description: Object.keys(TagFields).join(),
            }),
          ),
        ),
      }),
      { minItems: 1, maxItems: 25, description: "The files" },
    ),
  }),
  output: object({
    uploaded: list({ ...withId("name"), ...flags("visible") }),
    failed: list({ ...texts("url"), ...fields("error code") }),
  }),
  annotations: fetching(ADDS),
  operation: "uploadTracksByUrl",
  request: ({ items }) => ({ body: { items } }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});

const group = { ...numbers("count"), tracks: list(withId("name")) };

export const findDuplicateTracks = tool({
  name: "find_duplicate_tracks",
  title: "Find duplicates",
  description:
    "groups: the same bytes; sameAudio: the same samples; similar: the same mix re-encoded, trimmed or louder.",
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Groups" })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "Skip" })),
  }),
  output: object({
    groups: list(group),
    ...fields("sameAudio similar totalGroups"),
  }),
  annotations: READS,
  operation: "listDuplicates",
  request: ({ limit, offset }) => ({ query: { limit, offset } }),
});

export const uploadArtwork = tool({
  name: "upload_artwork",
  title: "Set a cover",
  description: "Set the cover: a JPEG, PNG, WebP or GIF of up to 15 MB.",
  input: Type.Object({
    trackId: TrackId,
    url: Text("Public address"),
    base64: Text("Up to 10 MB, wins over url"),
    filename: Type.Optional(Type.String({ default: "cover.jpg", description: "File name" })),
  }),
  output: change(fields("url trackId")),
  target: { entity: "track", argument: "trackId" },
  annotations: fetching(SETS),
  operation: "setCoverArt",
  request: ({ trackId, url, base64, filename }) => ({
    body: { trackId, url, base64, filename },
  }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});

export const getTrackSubmissions = tool({
  name: "get_track_submissions",
  title: "Track submissions",
  description: "Briefs that a track was submitted to, other accounts' too, newest first.",
  input: Type.Object({ trackId: TrackId }),
  output: object({
    ...fields("trackId"),
    submissions: list(withId("briefId briefName briefStatus createdAt")),
  }),
  annotations: READS,
  operation: "listTrackSubmissions",
  request: ({ trackId }) => ({ query: { id: trackId } }),
});
