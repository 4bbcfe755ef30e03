import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tags that the analysis suggests, until the owner decides. */
export const tagSuggestions = sqliteTable(
  "tag_suggestions",
  {
    trackId: text("track_id").notNull(),
    /** The category's name in tag writes. */
    category: text().notNull(),
    tagId: text("tag_id").notNull(),
    name: text().notNull(),
    /** 0 to 1. */
    confidence: real().notNull(),
    modelVersion: text("model_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.category, table.tagId] })],
);

/** Owners' verdicts on tags, for learning. Append-only; the last verdict on a tag of a track is in force. */
export const tagFeedback = sqliteTable("tag_feedback", {
  /** Order of the verdicts. */
  seq: integer().primaryKey(),
  id: text().notNull(),
  ownerId: text("owner_id").notNull(),
  trackId: text("track_id").notNull(),
  category: text().notNull(),
  tagId: text("tag_id").notNull(),
  name: text().notNull(),
  /** Suggested and kept; written without a suggestion; removed; or taken back, which means no verdict. */
  verdict: text().$type<"accepted" | "added" | "rejected" | "withdrawn">().notNull(),
  source: text().$type<"patch" | "apply">().notNull(),
  at: integer().notNull(),
});

/** The state of a track's category before each of its owner's last decisions. */
export const tagDecisions = sqliteTable("tag_decisions", {
  seq: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  trackId: text("track_id").notNull(),
  category: text().notNull(),
  /** Sorted. */
  tagsBefore: text("tags_before", { mode: "json" }).$type<string[]>().notNull(),
  /** One for every tag whose verdict the decision changed. */
  verdictsBefore: text("verdicts_before", { mode: "json" })
    .$type<{ tagId: string; name: string; verdict: string; source: string }[]>()
    .notNull(),
  at: integer().notNull(),
});

/** What was learnt about each tag from an account's verdicts. */
export const tagModels = sqliteTable(
  "tag_models",
  {
    ownerId: text("owner_id").notNull(),
    category: text().notNull(),
    tagId: text("tag_id").notNull(),
    name: text().notNull(),
    /** The revision in `tag_revisions` that it was trained on; null: never trained. */
    trainedRevision: integer("trained_revision"),
    /** Versions of rules, descriptors and training that the parameters belong to. */
    basis: text(),
    positives: integer().notNull().default(0),
    negatives: integer().notNull().default(0),
    /** float64; null: nothing could be learnt. */
    parameters: blob({ mode: "buffer" }),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.category, table.tagId] })],
);

/** How often the training data of a category's models has changed; they become outdated together. */
export const tagRevisions = sqliteTable(
  "tag_revisions",
  {
    ownerId: text("owner_id").notNull(),
    category: text().notNull(),
    revision: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.category] })],
);

/** The progress of an account's learning. */
export const tagLearners = sqliteTable("tag_learners", {
  ownerId: text("owner_id").primaryKey(),
  modelVersion: text("model_version").notNull(),
  /** The model version that was last applied to the whole library. */
  refreshedVersion: text("refreshed_version"),
  /** The newest `seq` in `tag_feedback` that was learnt. */
  learntSeq: integer("learnt_seq").notNull(),
});

/** Smaller or more playable copies of originals. */
export const renditions = sqliteTable(
  "renditions",
  {
    /** SHA-256 of the original. */
    sha256: text().notNull(),
    encoding: text({ enum: ["opus", "aac"] }).notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  ({ sha256, encoding }) => [primaryKey({ columns: [sha256, encoding] })],
);
