import { any, oneOf, orNull, type Shape } from "../notation.ts";

/** Section 2, "Resources and their fields", with the decisions on what is nullable. */

const profileValues = {
  title: "string|null",
  artist: "string|null",
  bpm: "number|null",
  key: "string|null",
  durationSec: "number|null",
  genres: [{ genre: { id: "string", name: "string" } }],
  moods: [{ mood: { id: "string", name: "string" } }],
} as const satisfies Shape;

const relation = (name: string): Shape => [{ [name]: { id: "string", name: "string" } }];

const shareholderTrack = {
  share: "number",
  role: "string",
  shareholder: { id: "string", fullName: "string", pro: "string|null" },
} as const satisfies Shape;

/** As listed without `fields`: everything except `shareholders` (decision 2.1). */
export const trackListItem = {
  id: "string",
  name: "string",
  createdAt: "timestamp",
  cid: "string",
  audio_profile: profileValues,
  link: "string|null",
  visible: "boolean",
} as const satisfies Shape;

/** As listed with every name in `fields`; `visible` is left out then (decision 3.3). */
export const trackListItemWithAllFields = {
  id: "string",
  name: "string",
  createdAt: "timestamp",
  cid: "string",
  audio_profile: profileValues,
  link: "string|null",
  share_link: "string|null",
  shareholders: [shareholderTrack],
} as const satisfies Shape;

const detailFields = Object.fromEntries(
  [
    "album",
    "album_artist",
    "composer",
    "album_composer",
    "year",
    "album_year",
    "isrc",
    "trackGenre",
    "track_number",
    "disc_number",
    "total_tracks_album",
    "total_discs_album",
    "lyrics",
    "notes",
    "recordLabel",
    "cover",
  ].map((name) => [name, "string|null" as const]),
);

/** Payload of the single-track routes for a track that exists. */
export const singleTrack = {
  track: {
    id: "string",
    name: "string",
    audio_profile: {
      ...profileValues,
      types: relation("type"),
      instruments: relation("instrument"),
      vocals: relation("vocal"),
      lyricThemes: relation("lyricTheme"),
      eras: relation("era"),
      characters: relation("character"),
      movements: relation("movement"),
      tags: relation("tag"),
      ...detailFields,
    },
    shareholderTracks: any(shareholderTrack),
  },
  id: "string",
  userId: "string",
  activeVersionId: "string",
  versions: [
    {
      id: "string",
      label: "string|null",
      name: "string",
      active: "boolean",
      visible: "boolean",
      createdAt: "timestamp",
    },
  ],
} as const satisfies Shape;

/** `cid` is present once the version has been analysed. */
export const version = {
  id: "string",
  trackId: "string",
  label: "string|null",
  name: "string",
  order: "integer",
  active: "boolean",
  visible: "boolean",
  type: "string",
  size: "integer",
  "cid?": "string",
  createdAt: "timestamp",
  downloadUrl: "url",
} as const satisfies Shape;

export const playlistListItem = {
  id: "string",
  name: "string",
  description: "string|null",
  image: "string|null",
  collaborative: "boolean",
  isPinned: "boolean",
  trackCount: "integer",
  createdAt: "timestamp",
  updatedAt: "timestamp",
} as const satisfies Shape;

export const playlistDetail = {
  ...playlistListItem,
  userId: "string",
  modes: [{ mode: "string", link: "string|null", active: "boolean", createdAt: "timestamp" }],
  tracks: [{ ...trackListItem, order: "integer", downloadUrl: "url" }],
} as const satisfies Shape;

export const composer = {
  id: "string",
  userId: "string",
  fullName: "string",
  artistName: "string|null",
  email: "string",
  publisher: "string|null",
  pro: "string|null",
  ipi: "string|null",
  createdAt: "timestamp",
  tracks: any({
    share: "number",
    role: "string",
    track: { id: "string", name: "string", createdAt: "timestamp" },
  }),
} as const satisfies Shape;

const briefStatus = oneOf("draft", "open", "closed", "archived");

export const brief = {
  id: "string",
  name: "string",
  status: briefStatus,
  deadline: "timestamp|null",
  active: "boolean",
  priority: oneOf("low", "normal", "high"),
  tags: ["string"],
  contactEmail: "string|null",
  createdAt: "timestamp",
  submissionCount: "integer",
  requestCount: "integer",
} as const satisfies Shape;

export const briefSubmission = {
  id: "string",
  type: oneOf("track", "link"),
  message: "string|null",
  link: "string|null",
  createdAt: "timestamp",
  track: orNull({ id: "string", name: "string", artist: "string|null" }),
  viaRequestEmail: "string|null",
} as const satisfies Shape;

export const trackSubmission = {
  id: "string",
  briefId: "string",
  briefName: "string",
  briefStatus,
  briefDeadline: "timestamp|null",
  message: "string|null",
  createdAt: "timestamp",
  viaRequestEmail: "string|null",
} as const satisfies Shape;

const taxonomyEntries = [{ id: "string", name: "string", code: "string", order: "integer" }] as const;

export const taxonomy = {
  genres: taxonomyEntries,
  moods: taxonomyEntries,
  instruments: taxonomyEntries,
  vocalTypes: taxonomyEntries,
  lyricThemes: taxonomyEntries,
  audioTypes: taxonomyEntries,
  tempos: taxonomyEntries,
  eras: taxonomyEntries,
  characters: taxonomyEntries,
  movements: taxonomyEntries,
} as const satisfies Shape;

const strings = any("string");

export const suggestedTags = {
  trackId: "string",
  suggestedTags: { "*": strings },
  needsRetagging: "boolean",
  analysisStatus: oneOf("pending", "processing", "completed", "failed"),
  intelligence: {
    genreCodes: strings,
    moodCodes: strings,
    typeCodes: strings,
    instrumentCodes: strings,
    useCaseCodes: strings,
    status: oneOf("none", "pending", "ready", "failed"),
    ready: "boolean",
  },
} as const satisfies Shape;

export const searchResult = {
  query: "string",
  count: "integer",
  results: [
    {
      id: "string",
      title: "string",
      artists: ["string"],
      durationSec: "number|null",
      bpm: "number|null",
      key: "string|null",
      genres: ["string"],
      moods: ["string"],
      score: "unit",
      reason: strings,
    },
  ],
  interpretation: {
    briefParsed: "boolean",
    summary: "string",
    referenceArtist: "string|null",
    genres: strings,
    moods: strings,
    bpmRange: orNull(["number"]),
    keyMode: oneOf("major", "minor", null),
    vocalPreference: oneOf("vocal", "instrumental", null),
    energy: orNull("unit"),
    valence: orNull("unit"),
    lyricThemes: strings,
    appliedConstraints: "object",
    appliedTuning: "object",
  },
  suggestedName: "string",
  searchId: "string",
} as const satisfies Shape;
