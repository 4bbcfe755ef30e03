import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Files that visitors of submission pages are sending, for a day; of submitted ones the row stays with their batch. */
export const submissionUploads = sqliteTable("submission_uploads", {
  /** 128 random bits: a client that knows the id may continue the upload. */
  id: text().primaryKey(),
  briefId: text("brief_id").notNull(),
  /** Address as limits count it; empty once its day is over. */
  client: text().notNull(),
  name: text().notNull(),
  /** The announced size. */
  sizeBytes: integer("size_bytes").notNull(),
  /** Used for limits; the file on disk is authoritative. */
  receivedBytes: integer("received_bytes").notNull().default(0),
  /** Null: not completely received, or not yet verified. */
  sha256: text(),
  /** Null: not submitted. */
  batchId: text("batch_id"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});
