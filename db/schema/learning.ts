import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tags that the analysis proposes, until the owner decides. */
export const tagSuggestions = sqliteTable(
  "tag_suggestions",
  {
    trackId: text("track_id").notNull(),
    /** The tag-write name. */
    category: text().notNull(),
    tagId: text("tag_id").notNull(),
    name: text().notNull(),
    /** 0 to 1. */
    confidence: real().notNull(),
    modelVersion: text("model_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.category, table.tagId] })],
);

/** What owners said of tags, for learning. Append-only. */
export const tagFeedback = sqliteTable("tag_feedback", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  trackId: text("track_id").notNull(),
  category: text().notNull(),
  tagId: text("tag_id").notNull(),
  /** Suggested and kept, written unasked, or taken away. */
  verdict: text().$type<"accepted" | "added" | "rejected">().notNull(),
  source: text().$type<"patch" | "apply">().notNull(),
  at: integer().notNull(),
});

/** Smaller or more playable copies of originals. */
export const renditions = sqliteTable("renditions", {
  /** Of the original. */
  sha256: text().primaryKey(),
  mediaType: text("media_type").notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  createdAt: integer("created_at").notNull(),
});
