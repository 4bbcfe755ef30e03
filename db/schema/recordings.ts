import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was measured on the sound of audio files, once per account and decoded sound. */
export const recordings = sqliteTable("recordings", {
  id: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  /** Hash of rate, channels and samples as decoded. */
  pcmSha256: blob("pcm_sha256", { mode: "buffer" }).notNull(),
  /** uint32, little-endian, 8.35 per second. */
  codes: blob({ mode: "buffer" }).notNull(),
  /** Ten bytes for every four codes. */
  columns: blob({ mode: "buffer" }).notNull(),
  /** Deflated; one byte per 5 ms. */
  levels: blob({ mode: "buffer" }).notNull(),
  /** dB by octave; null for an empty octave. */
  balance: text({ mode: "json" }).$type<(number | null)[]>().notNull(),
  framesPerPair: integer("frames_per_pair").notNull(),
  /** Deflated; int8 pairs (min, max). */
  peaks: blob({ mode: "buffer" }).notNull(),
});

/** Which recording a version holds; a recording is deleted with its last version. */
export const versionRecordings = sqliteTable("version_recordings", {
  versionId: text("version_id").primaryKey(),
  recordingId: integer("recording_id").notNull(),
});

/** Which recordings contain a code. */
export const recordingCodes = sqliteTable(
  "recording_codes",
  {
    /** 21 bits of a hash of the account's id, then the code. */
    key: integer().notNull(),
    recordingId: integer("recording_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.recordingId] })],
);

/** Recordings of one account that are mixes of one song, but not the same mix. */
export const recordingMixes = sqliteTable(
  "recording_mixes",
  {
    earlierId: integer("earlier_id").notNull(),
    laterId: integer("later_id").notNull(),
    /** 0..1. */
    similarity: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.earlierId, table.laterId] })],
);

/** How the sounds of two recordings compare: `compared` is JSON. */
export const kinshipComparisons = sqliteTable(
  "kinship_comparisons",
  {
    shortId: integer("short_id").notNull(),
    longId: integer("long_id").notNull(),
    rules: text().notNull(),
    compared: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.shortId, table.longId] })],
);

/** Tracks that sound like mixes of older ones, and what their owner said to that. */
export const mixOffers = sqliteTable(
  "mix_offers",
  {
    trackId: text("track_id").notNull(),
    otherId: text("other_id").notNull(),
    ownerId: text("owner_id").notNull(),
    /** 0..1. */
    similarity: real().notNull(),
    isSameMix: integer("is_same_mix", { mode: "boolean" }).notNull(),
    offeredAt: integer("offered_at").notNull(),
    /** When the owner said no. */
    declinedAt: integer("declined_at"),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.otherId] })],
);

/** Recordings of one account that are the same mix. */
export const recordingPairs = sqliteTable(
  "recording_pairs",
  {
    earlierId: integer("earlier_id").notNull(),
    laterId: integer("later_id").notNull(),
    /** 0..1. */
    similarity: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.earlierId, table.laterId] })],
);
