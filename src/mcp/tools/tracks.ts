import { Type } from "@sinclair/typebox";
import type { SingleTrack, TrackListItem } from "../../modules/tracks/model.ts";
import { compactPage, compactSingleTrack, compactTrack } from "./compact.ts";
import {
  Bpm,
  Detail,
  Names,
  OneOf,
  OrNull,
  Page,
  PageOf,
  TagFields,
  Text,
  Things,
  TrackId,
} from "./fields.ts";
import { ADDS, fetching, READS, SETS, tool } from "./tool.ts";

const Title = { title: Text("Title"), artist: Text("Artist"), album: Text("Album") };
const Rest = {
  bpm: Bpm,
  key: Text("Musical key, such as F# minor"),
  year: Text("Year, as text"),
  isrc: Text("ISRC"),
  composer: Text("Composer"),
  recordLabel: Text("Record label"),
};

export const listTracks = tool({
  name: "list_tracks",
  title: "List tracks",
  description:
    "Browse or filter the library by name or tags, page by page. For a mood, sound or brief in words use " +
    "search_tracks. Returns data[] and paging.next_cursor; a page may hold fewer than limit.",
  input: Type.Object({
    query: Text("Part of the name or title", 1000),
    tags: Names("Tag names of any category"),
    tagMode: Type.Optional(
      OneOf(["any", "all"], { default: "any", description: "Match any of the tags, or all" }),
    ),
    ...Page,
    sort: Type.Optional(
      OneOf(["created_at", "-created_at", "name", "-name"], {
        default: "-created_at",
        description: "Order; - means descending",
      }),
    ),
    detail: Detail,
  }),
  output: PageOf,
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks",
  request: ({ query, tags, tagMode, limit, cursor, sort }) => ({
    method: "GET",
    path: "/tracks",
    query: { q: query, tags: tags?.length ? tags.join(",") : undefined, tagMode, limit, cursor, sort },
  }),
  compact: compactPage<TrackListItem>(compactTrack),
});

export const getTrackCount = tool({
  name: "get_track_count",
  title: "Count tracks",
  description: "How many tracks the library has. Returns count.",
  input: Type.Object({}),
  output: Type.Object({ count: Type.Integer() }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/count",
  request: () => ({ method: "GET", path: "/tracks/count" }),
});

export const getTrack = tool({
  name: "get_track",
  title: "Get a track",
  description:
    "One track by id. Returns track (null when not found) and activeVersionId. full adds every tag with its id, " +
    "credits, measured loudness, tempo and key, and all versions.",
  input: Type.Object({ trackId: TrackId, detail: Detail }),
  output: Type.Object({ track: OrNull("object") }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/single",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/single", query: { id: trackId } }),
  compact: compactSingleTrack,
});

export const updateTrackDetails = tool({
  name: "update_track_details",
  title: "Update a track's details",
  description:
    "Write title, artist, credits, tempo, key or cover of a track. Only the fields sent change; they override the " +
    "measured values. For tags use update_track_tags. Returns ok and the track.",
  input: Type.Object({
    trackId: TrackId,
    ...Title,
    ...Rest,
    cover: Text("Image address (http, https) or data URI: JPEG, PNG, WebP, GIF, up to 15 MB", 10_485_760),
  }),
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
    "Add 1-25 new tracks from public addresses of audio, up to 1 GB each. For a new mix of a known track use " +
    "upload_track_version. Analysis starts automatically. Returns uploaded[] with ids, failed[] with reasons.",
  input: Type.Object({
    items: Type.Array(
      Type.Object({
        fileUrl: Type.String({
          minLength: 1,
          maxLength: 8192,
          description: "Public http or https address of audio",
        }),
        visible: Type.Optional(Type.Boolean({ default: false, description: "Show it in the app's library" })),
        details: Type.Optional(
          Type.Object({ ...Title, ...Rest }, { description: "Details set by the owner" }),
        ),
        audioProfile: Type.Optional(
          Type.Object(TagFields, { description: "Tags of the track; names from get_tag_taxonomy" }),
        ),
      }),
      { minItems: 1, maxItems: 25, description: "1-25 files" },
    ),
  }),
  annotations: fetching(ADDS),
  scopes: ["create:tracks"],
  endpoint: "POST /tracks/upload/url",
  request: ({ items }) => ({ method: "POST", path: "/tracks/upload/url", body: { items } }),
  compact: (payload: object) => ({ ok: true, ...payload }),
});

export const findDuplicateTracks = tool({
  name: "find_duplicate_tracks",
  title: "Find duplicate tracks",
  description:
    "Groups of tracks with the same audio bytes; sameAudio[]: the same samples in other files; similar[]: the same mix " +
    "re-encoded, trimmed or changed in gain. Returns groups[], largest first, and totals.",
  input: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Groups, 1-100" }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: "Groups to skip, from 0" }),
    ),
  }),
  output: Type.Object({
    groups: Things,
    sameAudio: Things,
    similar: Things,
    totalGroups: Type.Integer(),
  }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/duplicates",
  request: ({ limit, offset }) => ({ method: "GET", path: "/tracks/duplicates", query: { limit, offset } }),
});

export const uploadArtwork = tool({
  name: "upload_artwork",
  title: "Set a track's cover",
  description:
    "Set the cover picture of a track from a public address or from base64. Replaces the current one. Returns ok " +
    "and the public url of the picture.",
  input: Type.Object({
    trackId: TrackId,
    url: Text("Public address of a JPEG, PNG, WebP or GIF, up to 15 MB", 8000),
    base64: Text("The picture in base64 or as data URI, up to 10 MB; wins over url", 10_485_760),
    filename: Type.Optional(
      Type.String({ maxLength: 255, default: "cover.jpg", description: "File name, up to 255 characters" }),
    ),
  }),
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
  description:
    "The briefs that a track was submitted to, including those of other accounts. Returns submissions[], newest first.",
  input: Type.Object({ trackId: TrackId }),
  output: Type.Object({ trackId: Type.String(), submissions: Things }),
  annotations: READS,
  scopes: ["read:tracks"],
  endpoint: "GET /tracks/submissions",
  request: ({ trackId }) => ({ method: "GET", path: "/tracks/submissions", query: { id: trackId } }),
});
