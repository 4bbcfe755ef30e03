import { Type } from "@sinclair/typebox";
import type { SingleTrack, TrackListItem } from "../../modules/tracks/model.ts";
import { change, fields, list, object, page, TRACK } from "./answers.ts";
import { compactPage, compactSingleTrack, compactTrack } from "./compact.ts";
import { Bpm, Detail, listedAs, Names, OneOf, Page, TagFields, Text, TrackId } from "./fields.ts";
import { ADDS, fetching, READS, SETS, tool } from "./tool.ts";

/** How far the analysis of a track may have come. */
const ANALYSIS_STATUSES = ["pending", "processing", "completed", "failed"] as const;

const Title = { title: Text("Title"), artist: Text("Artist"), album: Text("Album") };
const Rest = {
  bpm: Bpm,
  key: Text("Key, such as F# minor"),
  year: Text("Year"),
  isrc: Text("ISRC"),
  composer: Text("Composer"),
  recordLabel: Text("Record label"),
};

export const listTracks = tool({
  name: "list_tracks",
  title: "List tracks",
  description: "Browse or filter the library. For a mood, sound or brief in words use search_tracks.",
  input: Type.Object({
    query: Text("Part of the name or title"),
    tags: Names("Tags of any category"),
    tagMode: Type.Optional(OneOf(["any", "all"], { default: "any", description: "Match any or all" })),
    createdAfter: Text("First day, YYYY-MM-DD"),
    createdBefore: Text("Last day, YYYY-MM-DD"),
    untagged: Type.Optional(Type.Boolean({ description: "Only those without tags" })),
    neverPlayed: Type.Optional(Type.Boolean({ description: "Only those nobody played" })),
    analysis: Type.Optional(OneOf(ANALYSIS_STATUSES, { description: "Analysis status" })),
    ...Page,
    sort: Type.Optional(
      OneOf(["created_at", "-created_at", "name", "-name"], {
        description: "Order; -: descending; newest first",
      }),
    ),
    detail: Detail,
  }),
  output: object({ ...page(fields(TRACK)), ...fields("unknownTags") }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks",
  request: ({ query, tags, detail: _, ...rest }) => ({
    method: "GET",
    path: "/tracks",
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
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/count",
  request: () => ({ method: "GET", path: "/tracks/count" }),
});

export const getTrack = tool({
  name: "get_track",
  title: "Get a track",
  description:
    "One track with tags, credits and analysis status; null if the id is unknown. full adds measurements and versions.",
  input: Type.Object({ trackId: TrackId, detail: Detail }),
  output: object({
    track: object({
      ...fields(`${TRACK} instruments vocals additionalTags`),
      composers: list(fields("id fullName share role")),
    }),
    ...fields("activeVersionId"),
  }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/single",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/single", query: { id: trackId } }),
  compact: compactSingleTrack,
});

export const updateTrackDetails = tool({
  name: "update_track_details",
  title: "Update a track's details",
  description: "Write title, artist, credits, tempo, key or cover. Only the fields sent change.",
  input: Type.Object({
    trackId: TrackId,
    ...Title,
    ...Rest,
    cover: Text("Picture: address or data URI"),
  }),
  output: change({ track: object(fields("id title artist")), ...fields("activeVersionId") }),
  target: { entity: "track", argument: "trackId" },
  annotations: fetching(SETS),
  scopes: ["update:tracks"],
  endpoint: "PATCH /tracks/details",
  request: ({ trackId, title, artist, album, key, year, isrc, composer, recordLabel, cover, bpm }) => ({
    method: "PATCH",
    path: "/tracks/details",
    query: { id: trackId },
    body: { title, artist, album, key, year, isrc, composer, recordLabel, cover, bpm },
  }),
  compact: (payload: SingleTrack) => ({ ok: true, ...compactSingleTrack(payload) }),
});

export const uploadTrackByUrl = tool({
  name: "upload_track_by_url",
  title: "Upload tracks by URL",
  description:
    "Add tracks from public addresses of audio, up to 1 GB each. For a new mix of a known track use " +
    "upload_track_version. Analysis starts automatically.",
  input: Type.Object({
    items: Type.Array(
      Type.Object({
        fileUrl: Type.String({
          minLength: 1,
          description: "Public address of audio",
        }),
        visible: Type.Optional(Type.Boolean({ description: "Show it in the app" })),
        details: Type.Optional(
          Type.Object(
            { ...Title, ...Rest },
            listedAs({
              type: "object",
              description: "title, artist and the like, as in update_track_details",
            }),
          ),
        ),
        audioProfile: Type.Optional(
          Type.Object(
            TagFields,
            listedAs({
              type: "object",
              description: "Tags, as in update_track_tags",
            }),
          ),
        ),
      }),
      { minItems: 1, maxItems: 25, description: "The files" },
    ),
  }),
  output: object({
    uploaded: list(fields("id name visible")),
    failed: list(fields("url error code")),
  }),
  annotations: fetching(ADDS),
  scopes: ["create:tracks"],
  endpoint: "POST /tracks/upload/url",
  request: ({ items }) => ({ method: "POST", path: "/tracks/upload/url", body: { items } }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});

const group = { ...fields("count"), tracks: list(fields("id name")) };

export const findDuplicateTracks = tool({
  name: "find_duplicate_tracks",
  title: "Find duplicate tracks",
  description:
    "groups: the same bytes; sameAudio: the same samples in other files; similar: the same mix re-encoded, trimmed or " +
    "changed in gain.",
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Groups" })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "Groups to skip" })),
  }),
  output: object({
    groups: list(group),
    ...fields("sameAudio similar totalGroups"),
  }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/duplicates",
  request: ({ limit, offset }) => ({ method: "GET", path: "/tracks/duplicates", query: { limit, offset } }),
});

export const uploadArtwork = tool({
  name: "upload_artwork",
  title: "Set a track's cover",
  description: "Set the cover of a track: a JPEG, PNG, WebP or GIF, up to 15 MB.",
  input: Type.Object({
    trackId: TrackId,
    url: Text("Public address"),
    base64: Text("Base64 or data URI, up to 10 MB; wins over url"),
    filename: Type.Optional(Type.String({ default: "cover.jpg", description: "File name" })),
  }),
  output: change(fields("url trackId")),
  target: { entity: "track", argument: "trackId" },
  annotations: fetching(SETS),
  scopes: ["update:tracks"],
  endpoint: "POST /tracks/cover-art",
  request: ({ trackId, url, base64, filename }) => ({
    method: "POST",
    path: "/tracks/cover-art",
    body: { trackId, url, base64, filename },
  }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});

export const getTrackSubmissions = tool({
  name: "get_track_submissions",
  title: "Get a track's submissions",
  description: "The briefs that a track was submitted to, including those of other accounts, newest first.",
  input: Type.Object({ trackId: TrackId }),
  output: object({
    ...fields("trackId"),
    submissions: list(fields("id briefId briefName briefStatus createdAt")),
  }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/submissions",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/submissions", query: { id: trackId } }),
});
