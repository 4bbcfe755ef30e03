import { sql } from "drizzle-orm";
import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** The state of a track's analysis (decision 3.5). */
export type AnalysisStatus = "pending" | "processing" | "completed" | "failed";

/**
 * Tracks. Profile columns hold the value in force. `ownerFields` names those that the owner wrote, which analyses do
 * not change; a tag category listed there is one that the owner has emptied.
 */
export const tracks = sqliteTable("tracks", {
  /** Rowid in `track_text`. Never reused after a deletion, because another account's index may still hold it. */
  seq: integer()
    .primaryKey()
    .$defaultFn(() => sql`(SELECT coalesce(max(seq), 0) + 1 FROM search_changes)`),
  id: text().notNull(),
  ownerId: text("owner_id").notNull(),
  name: text().notNull(),
  /** `fold(name)`. */
  nameFold: text("name_fold").notNull(),
  createdAt: integer("created_at").notNull(),
  activeVersionId: text("active_version_id").notNull(),
  /** Never reused, even after the newest version is deleted. */
  nextVersionOrder: integer("next_version_order").notNull().default(1),
  /** SHA-256 of the audio, `""` until analysed. */
  cid: text().notNull().default(""),
  analysisStatus: text("analysis_status").$type<AnalysisStatus>().notNull(),
  analysisCode: text("analysis_code"),
  analysisReason: text("analysis_reason"),
  /** The version whose measurements the profile shows; null until the first analysis completes. */
  analysisVersionId: text("analysis_version_id"),
  ownerFields: text("owner_fields", { mode: "json" }).$type<string[]>().notNull().default([]),
  /** Version of the model that made the tag suggestions; null: none yet. */
  suggestionModel: text("suggestion_model"),
  title: text(),
  titleFold: text("title_fold"),
  artist: text(),
  /** `fold(artist)`; null beside an artist that was written before this column was. */
  artistFold: text("artist_fold"),
  bpm: real(),
  key: text(),
  durationSec: real("duration_sec"),
  album: text(),
  albumArtist: text("album_artist"),
  composer: text(),
  albumComposer: text("album_composer"),
  year: text(),
  albumYear: text("album_year"),
  isrc: text(),
  trackGenre: text("track_genre"),
  trackNumber: text("track_number"),
  discNumber: text("disc_number"),
  totalTracksAlbum: text("total_tracks_album"),
  totalDiscsAlbum: text("total_discs_album"),
  recordLabel: text("record_label"),
  language: text(),
  cover: text(),
  notes: text(),
  lyrics: text(),
  /** Null: not in the bin. */
  deletedAt: integer("deleted_at"),
  /** True: a visitor sent it to a brief, and it has not been kept. It is in no list of the library. */
  inInbox: integer("in_inbox", { mode: "boolean" }).notNull().default(false),
});

/** Every audio file uploaded to a track; the active one is `tracks.activeVersionId`. */
export const versions = sqliteTable("versions", {
  id: text().primaryKey(),
  trackId: text("track_id").notNull(),
  versionOrder: integer("version_order").notNull(),
  label: text(),
  name: text().notNull(),
  visible: integer({ mode: "boolean" }).notNull(),
  /** Lower-case hex; names the file in the blob store. */
  sha256: text().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  mediaType: text("media_type").notNull(),
  container: text().notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null: not analysed, `cid` is not shown. */
  analysedAt: integer("analysed_at"),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
});

/** What was measured on a version's audio, and its file's own tags. */
export const analyses = sqliteTable("analyses", {
  versionId: text("version_id").primaryKey(),
  trackId: text("track_id").notNull(),
  analyzerVersion: text("analyzer_version").notNull(),
  analysedAt: integer("analysed_at").notNull(),
  durationSec: real("duration_sec").notNull(),
  sampleRateHz: integer("sample_rate_hz").notNull(),
  channels: integer().notNull(),
  codec: text(),
  lossless: integer({ mode: "boolean" }),
  bitDepth: integer("bit_depth"),
  bitrateBps: integer("bitrate_bps"),
  /** The file ended before its declared length. */
  truncated: integer({ mode: "boolean" }).notNull().default(false),
  /** Null: silence, or under 400 ms. */
  integratedLufs: real("integrated_lufs"),
  rangeLu: real("range_lu"),
  momentaryMaxLufs: real("momentary_max_lufs"),
  shortTermMaxLufs: real("short_term_max_lufs"),
  truePeakDbtp: real("true_peak_dbtp"),
  samplePeakDbfs: real("sample_peak_dbfs"),
  /** Null: no beat. */
  bpm: real(),
  bpmConfidence: real("bpm_confidence").notNull(),
  bpmCandidates: text("bpm_candidates", { mode: "json" })
    .$type<{ bpm: number; confidence: number }[]>()
    .notNull(),
  /** Null: no tonal centre. */
  key: text(),
  keyConfidence: real("key_confidence").notNull(),
  tuningCents: real("tuning_cents"),
  features: text({ mode: "json" }).$type<Record<string, number>>().notNull(),
  embedded: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** How the sound is counted and divided, `Structure` of src/audio/structure; null: not looked for yet. */
  structure: text({ mode: "json" }).$type<Record<string, unknown>>(),
  /** int8 pairs (min, max) of the mono mix. */
  waveform: blob({ mode: "buffer" }).notNull(),
});

/** What the sound of a version may be sent back for, as measured. */
export const readinessResults = sqliteTable(
  "readiness_results",
  {
    versionId: text("version_id").notNull(),
    /** Version of what is measured. */
    rules: text().notNull(),
    measured: text({ mode: "json" }).$type<Record<string, number | boolean | null>>().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.rules] })],
);

/** Tags in force. A `file` tag came with the file; anything that the owner writes replaces it. */
export const trackTags = sqliteTable(
  "track_tags",
  {
    trackId: text("track_id").notNull(),
    /** The tag-write name: genres, moods, types, vocals, instruments, …; free text is `tags`. */
    category: text().notNull(),
    tagId: text("tag_id").notNull(),
    name: text().notNull(),
    nameFold: text("name_fold").notNull(),
    position: integer().notNull(),
    source: text().$type<"owner" | "file">().notNull(),
    ownerId: text("owner_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.category, table.tagId] })],
);

/** When the lines of a track's words are sung in one of its versions; the words themselves are `tracks.lyrics`. */
export const timedLyrics = sqliteTable("timed_lyrics", {
  versionId: text("version_id").primaryKey(),
  /** As they were when they were timed; milliseconds, null where a line has no time. */
  lines: text({ mode: "json" }).$type<{ text: string; atMs: number | null }[]>().notNull(),
  /** By a person; in the file's tags; from another version of the track. */
  origin: text().$type<"written" | "file" | "carried">().notNull(),
  /** Of carried ones: of those that they come from. */
  updatedAt: integer("updated_at").notNull(),
});

/** Vectors for comparing tracks; those of different providers or versions are never compared. */
export const trackVectors = sqliteTable(
  "track_vectors",
  {
    trackId: text("track_id").notNull(),
    provider: text().notNull(),
    version: text().notNull(),
    dimensions: integer().notNull(),
    /** float32; descriptors are L2-normalised, what the ears heard is log-odds. */
    embedding: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.provider] })],
);

/** What the ears heard in each passage of a track. */
export const heardPlaces = sqliteTable("heard_places", {
  trackId: text("track_id").primaryKey(),
  /** Version of the ears. */
  version: text().notNull(),
  /** From one passage to the next; 0: no music. */
  stepSec: real("step_sec").notNull(),
  likelihoods: blob({ mode: "buffer" }).notNull(),
});
