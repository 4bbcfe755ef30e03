import { Type } from "@sinclair/typebox";
import { MAX_FILE_SIZE } from "../../kernel/limits.ts";
import { MAX_PICTURE_SIZE } from "../../modules/library/artwork/shapes.ts";
import { MAX_SHAREHOLDERS, ShareholderInputs } from "../../modules/library/composers/shapes.ts";
import { CoverArtInput, DetailsInput } from "../../modules/library/tracks/details/details-shapes.ts";
import { DuplicatesQuery } from "../../modules/library/tracks/duplicates-shapes.ts";
import {
  ListTracksQuery,
  type SingleTrack,
  type TrackListItem,
} from "../../modules/library/tracks/shapes.ts";
import { MAX_FILES, UrlUpload } from "../../modules/library/tracks/upload/shapes.ts";
import type { OwnUndo } from "../../modules/outward/assistant/shapes.ts";
import { SimilarQuery, type SimilarTracks } from "../../modules/search/search/similar-shapes.ts";
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
  ComposerId,
  Detail,
  field,
  listedAs,
  Page,
  requireAlone,
  TagFields,
  TrackId,
  Undo,
  undoBody,
} from "./fields.ts";
import { ADDS, fetching, READS, SETS, tool } from "./tool.ts";

const details = DetailsInput.properties;
const Details = {
  title: field(details.title, "Title"),
  artist: field(details.artist, "Artist"),
  album: field(details.album, "Album"),
  bpm: field(details.bpm, "BPM"),
  key: field(details.key, "As F# minor"),
  year: field(details.year, "Year"),
  isrc: field(details.isrc, "ISRC"),
  composer: field(details.composer, "Composer"),
  recordLabel: field(details.recordLabel, "Record label"),
};

const filters = ListTracksQuery.properties;

export const listTracks = tool({
  name: "list_tracks",
  title: "List tracks",
  description: "Browse or filter the library; search_tracks takes a brief.",
  input: Type.Object({
    query: field(filters.q, "Part of a name"),
    tags: Type.Optional(Type.Array(Type.String(), { description: "Tag names" })),
    tagMode: Type.Optional(field(filters.tagMode, "Of tags", "default")),
    createdAfter: field(filters.createdAfter, "First day, YYYY-MM-DD"),
    createdBefore: field(filters.createdBefore, "Last day, YYYY-MM-DD"),
    untagged: field(filters.untagged, "Without tags"),
    neverPlayed: field(filters.neverPlayed, "Unplayed"),
    analysis: field(filters.analysis, "Status"),
    bpmMin: field(filters.bpmMin, "Lowest BPM"),
    bpmMax: field(filters.bpmMax, "Highest BPM"),
    key: field(filters.key, "As F# minor, 11A"),
    ...Page,
    sort: Type.Optional(field(filters.sort, "Newest first")),
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
    "A track with tags, credits and analysis status; null if unknown. full adds measurements and versions.",
  input: Type.Object({
    trackId: TrackId,
    similar: Type.Optional(
      field(SimilarQuery.properties.limit, "Add so many tracks like it", "minimum", "maximum"),
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

const credit = ShareholderInputs.items.properties;

/** Replaces a track's links to composers. */
const Credits = Type.Array(
  Type.Object({
    composerId: ComposerId,
    share: field(credit.share, "Per cent"),
    role: field(credit.role, "Role"),
  }),
  {
    maxItems: MAX_SHAREHOLDERS,
    ...listedAs({
      type: "array",
      items: { type: "object" },
      description: "All: {composerId, share (%), role}",
    }),
  },
);

export const updateTrackDetails = tool({
  name: "update_track_details",
  title: "Edit a track",
  description: "Change the fields sent of a track's details.",
  input: Type.Object({
    trackId: TrackId,
    ...Details,
    cover: field(details.cover, "URL or data URI"),
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

const upload = UrlUpload.properties.items.items.properties;

export const uploadTrackByUrl = tool({
  name: "upload_track_by_url",
  title: "Upload tracks",
  description: `Add tracks, up to ${MAX_FILE_SIZE} each. A new mix of one: upload_track_version.`,
  input: Type.Object({
    items: Type.Array(
      Type.Object({
        fileUrl: field(upload.fileUrl, "Public address"),
        visible: field(upload.visible, "Show in the app"),
        details: Type.Optional(
          Type.Object(
            Details,
            listedAs({
              type: "object",
              description: Object.keys(Details).join(),
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
      { minItems: 1, maxItems: MAX_FILES, description: "The files" },
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
    "groups: same bytes; sameAudio: same samples; similar: same mix re-encoded, trimmed or louder.",
  input: Type.Object({
    limit: Type.Optional(field(DuplicatesQuery.properties.limit, "Groups", "minimum", "maximum", "default")),
    offset: Type.Optional(field(DuplicatesQuery.properties.offset, "Skip", "minimum", "default")),
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
  description: `Set the cover: a JPEG, PNG, WebP or GIF of up to ${MAX_PICTURE_SIZE}.`,
  input: Type.Object({
    trackId: TrackId,
    url: field(CoverArtInput.properties.url, "Public address"),
    base64: field(CoverArtInput.properties.base64, "Up to 10 MB, wins over url"),
    filename: field(CoverArtInput.properties.filename, "File name", "default"),
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
  description: "Briefs a track was submitted to, other accounts' too, newest first.",
  input: Type.Object({ trackId: TrackId }),
  output: object({
    ...fields("trackId"),
    submissions: list(withId("briefId briefName briefStatus createdAt")),
  }),
  annotations: READS,
  operation: "listTrackSubmissions",
  request: ({ trackId }) => ({ query: { id: trackId } }),
});
