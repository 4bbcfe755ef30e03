import {
  any,
  cursorPage,
  type Input,
  type Inputs,
  idOf,
  oneOf,
  type Row,
  required,
  text,
} from "../notation.ts";
import {
  searchResult,
  singleTrack,
  suggestedTags,
  taxonomy,
  trackListItem,
  trackSubmission,
  version,
} from "./objects.ts";

const clears = (input: Input): Input => ({ ...input, clears: true });

/** "Details update fields", with the two that only the tools list (decision 4.12). */
const details: Inputs = {
  ...Object.fromEntries(
    [
      "title",
      "artist",
      "album",
      "album_artist",
      "composer",
      "album_composer",
      "year",
      "album_year",
      "isrc",
      "key",
      "trackGenre",
      "track_number",
      "disc_number",
      "total_tracks_album",
      "total_discs_album",
      "total_discs_albumm",
      "lyrics",
      "notes",
      "recordLabel",
      "cover",
    ].map((name) => [name, clears(text())]),
  ),
  name: text(),
  bpm: clears({ is: "number", above: 0, max: 999 }),
};

const trackIdQuery: Inputs = { id: required(idOf("track")) };
const names: Input = { is: "list", item: text() };
const uploaded = [{ id: "string", name: "string", visible: "boolean" }] as const;

/** Section 4, "Tracks", and `PUT /tracks/shareholders` of decision 4.29. */
export const trackRows: readonly Row[] = [
  {
    method: "GET",
    path: "/tracks",
    needs: "read:tracks",
    query: {
      ...cursorPage,
      sort: { is: "choice", of: ["created_at", "-created_at", "name", "-name"], default: "-created_at" },
      q: text(),
      tags: text(),
      tagMode: { is: "choice", of: ["any", "all"], default: "any" },
      createdAfter: { is: "day" },
      createdBefore: { is: "day" },
      fields: {
        is: "csv",
        of: ["id", "name", "createdAt", "audio_profile", "shareholders", "link", "share_link", "cid"],
      },
    },
    answer: [trackListItem],
    paging: true,
  },
  { method: "GET", path: "/tracks/count", needs: "read:tracks", answer: { count: "integer" } },
  { method: "GET", path: "/tracks/single", needs: "read:tracks", query: trackIdQuery, answer: singleTrack },
  {
    method: "POST",
    path: "/tracks/upload",
    needs: "create:tracks",
    form: {
      files: required({ is: "list", item: { is: "file" }, min: 1, max: 25 }),
      visible: { is: "choice", of: ["true", "false"], default: "false" },
      audioProfiles: { is: "json" },
    },
    answer: { uploaded },
    refuses: ["400 missing_file", "400 too_many_files", "400 invalid_file_type", "413 file_too_large"],
  },
  {
    method: "POST",
    path: "/tracks/upload/url",
    needs: "create:tracks",
    body: {
      items: required({
        is: "list",
        min: 1,
        max: 25,
        item: {
          is: "object",
          fields: {
            fileUrl: required({ is: "url" }),
            visible: { is: "boolean", default: false },
            audioProfile: { is: "object", fields: {} },
            details: { is: "object", fields: details },
          },
        },
      }),
    },
    answer: { uploaded, failed: [{ url: "string", error: "string" }] },
  },
  {
    method: "PATCH",
    path: "/tracks/details",
    needs: "update:tracks",
    query: trackIdQuery,
    body: details,
    answer: singleTrack,
    refuses: ["404 track_not_found"],
  },
  {
    method: "GET",
    path: "/tracks/duplicates",
    needs: "read:tracks",
    query: {
      limit: { is: "integer", min: 1, max: 100, default: 20 },
      offset: { is: "integer", min: 0, default: 0 },
    },
    answer: {
      groups: [
        {
          cid: "string",
          count: "integer",
          tracks: [{ id: "string", name: "string", createdAt: "timestamp" }],
        },
      ],
      totalGroups: "integer",
      duplicateTrackCount: "integer",
      missingCid: "integer",
      scannedTracks: "integer",
      sameAudio: any({
        count: "integer",
        tracks: any({ id: "string", name: "string", createdAt: "timestamp" }),
      }),
      totalSameAudio: "integer",
      similar: any({ count: "integer", similarity: "unit", tracks: any({ id: "string" }) }),
      totalSimilar: "integer",
      paging: { limit: "integer", offset: "integer" },
    },
  },
  {
    method: "GET",
    path: "/tracks/submissions",
    needs: "read:tracks",
    query: trackIdQuery,
    answer: { trackId: "string", trackName: "string", submissions: [trackSubmission] },
    inBody: ["TRACK_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/tracks/cover-art",
    needs: "update:tracks",
    body: { trackId: required(idOf("track")), url: text(), base64: text(), filename: text() },
    answer: { url: "url", key: "string", trackId: "string" },
    refuses: [
      "400 missing_image",
      "400 invalid_image_url",
      "400 invalid_image_type",
      "400 image_download_failed",
      "404 track_not_found",
    ],
  },
  {
    method: "PUT",
    path: "/tracks/shareholders",
    needs: "update:tracks",
    query: trackIdQuery,
    body: {
      shareholders: required({
        is: "list",
        item: {
          is: "object",
          fields: {
            shareholderId: required(idOf("composer")),
            share: required({ is: "number", min: 0, max: 100 }),
            role: required(text()),
          },
        },
      }),
    },
    answer: singleTrack,
    refuses: ["400 validation_failed", "404 track_not_found", "404 composer_not_found"],
  },
];

const trackParam: Inputs = { trackId: idOf("track") };
const versionParams: Inputs = { ...trackParam, versionId: idOf("version") };
const notThere = ["404 track_not_found", "404 version_not_found"] as const;

/** Section 4, "Track versions". */
export const versionRows: readonly Row[] = [
  {
    method: "GET",
    path: "/tracks/{trackId}/versions",
    needs: "read:tracks",
    params: trackParam,
    answer: {
      trackId: "string",
      activeVersionId: "string",
      count: "integer",
      versions: [{ ...version, cid: "string" }],
    },
    refuses: ["404 track_not_found"],
  },
  {
    method: "GET",
    path: "/tracks/{trackId}/versions/{versionId}",
    needs: "read:tracks",
    params: versionParams,
    answer: { ...version, cid: "string" },
    refuses: notThere,
  },
  {
    method: "POST",
    path: "/tracks/{trackId}/versions",
    needs: "update:tracks",
    params: trackParam,
    form: {
      file: required({ is: "file" }),
      name: text(),
      label: text(),
      activate: { is: "choice", of: ["true", "false", "1", "0"], default: "true" },
    },
    answer: version,
    refuses: ["404 track_not_found", "400 missing_file", "400 invalid_file_type", "413 file_too_large"],
  },
  {
    method: "GET",
    path: "/tracks/{trackId}/versions/{versionId}/diff",
    needs: "read:tracks",
    params: versionParams,
    query: { against: idOf("version") },
    answer: {
      trackId: "string",
      versionId: "string",
      against: "string",
      similarity: "unit|null",
      offsetMs: "number|null",
      durationSec: { version: "number|null", against: "number|null", change: "number|null" },
      integratedLufs: { version: "number|null", against: "number|null", change: "number|null" },
      rangeLu: { version: "number|null", against: "number|null", change: "number|null" },
      truePeakDbtp: { version: "number|null", against: "number|null", change: "number|null" },
      bpm: { version: "number|null", against: "number|null", change: "number|null" },
      key: { version: "string|null", against: "string|null", isChanged: "boolean" },
      gainDb: "number|null",
      balance: any({ centreHz: "number", changeDb: "number|null", matchedDb: "number|null" }),
    },
    refuses: [...notThere, "409 version_not_analysed"],
  },
  {
    method: "POST",
    path: "/tracks/{trackId}/versions/url",
    needs: "update:tracks",
    params: trackParam,
    body: {
      fileUrl: required({ is: "url" }),
      name: text(),
      label: text(),
      activate: { is: "boolean", default: true },
    },
    answer: version,
    refuses: [
      "404 track_not_found",
      "400 url_not_allowed",
      "400 download_failed",
      "400 invalid_file_type",
      "413 file_too_large",
    ],
  },
  {
    method: "POST",
    path: "/tracks/{trackId}/versions/{versionId}/activate",
    needs: "update:tracks",
    params: versionParams,
    answer: { ok: oneOf(true), trackId: "string", activeVersionId: "string" },
    refuses: notThere,
  },
  {
    method: "PATCH",
    path: "/tracks/{trackId}/versions/{versionId}",
    needs: "update:tracks",
    params: versionParams,
    body: { name: text({ min: 1, max: 200 }), label: clears(text({ max: 80 })), visible: { is: "boolean" } },
    answer: version,
    refuses: notThere,
  },
  {
    method: "DELETE",
    path: "/tracks/{trackId}/versions/{versionId}",
    needs: "update:tracks",
    params: versionParams,
    answer: { ok: oneOf(true), trackId: "string", deletedVersionId: "string" },
    refuses: [...notThere, "409 active_version"],
  },
];

const trackIdBody: Inputs = { trackId: required(idOf("track")) };
const tagCategories: Inputs = {
  genres: names,
  moods: names,
  types: names,
  vocals: names,
  instruments: names,
  lyricThemes: names,
  eras: names,
  characters: names,
  movements: names,
  additionalTags: names,
};
const tagNames = Object.fromEntries(Object.keys(tagCategories).map((name) => [name, any("string")]));

/** Section 4, "Tags and auto-tagging". */
export const tagRows: readonly Row[] = [
  { method: "GET", path: "/taxonomy", needs: "read:tracks", answer: taxonomy },
  {
    method: "PATCH",
    path: "/tracks/tags",
    needs: "update:tracks",
    query: trackIdQuery,
    body: tagCategories,
    answer: { ok: oneOf(true), trackId: "string", tags: tagNames },
    refuses: ["400 validation_failed", "404 track_not_found"],
  },
  {
    method: "POST",
    path: "/tracks/auto-tag",
    needs: "update:tracks",
    body: trackIdBody,
    answer: { ok: oneOf(true), trackId: "string", analysisStatus: oneOf("pending") },
    refuses: ["404 track_not_found"],
  },
  {
    method: "POST",
    path: "/tracks/auto-tag/batch",
    needs: "update:tracks",
    body: { trackIds: required({ is: "list", item: idOf("track"), min: 1, max: 500 }) },
    answer: { ok: oneOf(true), queued: "integer", trackIds: ["string"], notFound: any("string") },
    refuses: ["404 track_not_found"],
  },
  {
    method: "GET",
    path: "/tracks/suggested-tags",
    needs: "read:tracks",
    query: trackIdQuery,
    answer: suggestedTags,
    inBody: ["TRACK_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/tracks/apply-suggested-tags",
    needs: "update:tracks",
    body: trackIdBody,
    answer: { trackId: "string", applied: "boolean", requeued: "boolean" },
    refuses: ["404 track_not_found"],
  },
];

const range: Input = { is: "list", item: { is: "number", min: 0 }, min: 2, max: 2 };

/** Section 4, "Search", and the additive search for similar tracks. */
export const searchRows: readonly Row[] = [
  {
    method: "POST",
    path: "/tracks/search",
    needs: "read:tracks",
    body: {
      query: required(text({ min: 1, max: 2000 })),
      limit: { is: "integer", min: 1, max: 50, default: 20 },
      constraints: {
        is: "object",
        fields: {
          bpmRange: range,
          durationRange: range,
          hasVocals: { is: "boolean" },
          key: text(),
          language: text(),
        },
      },
      seedTrackIds: { is: "list", item: idOf("track"), max: 50 },
      excludeTrackIds: { is: "list", item: idOf("track"), max: 200 },
    },
    answer: searchResult,
    refuses: ["400 validation_failed", "400 not_enough_credits"],
  },
  {
    method: "GET",
    path: "/tracks/similar",
    needs: "read:tracks",
    query: { ...trackIdQuery, limit: { is: "integer", min: 1, max: 50, default: 20 } },
    answer: { trackId: "string", count: "integer", results: searchResult.results },
    inBody: ["TRACK_NOT_FOUND"],
  },
];
