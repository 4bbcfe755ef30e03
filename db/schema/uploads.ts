import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Files that owners send from the console; finished ones stay for a while, so that a repeated finish answers the same. */
export const ownerUploads = sqliteTable("owner_uploads", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  /** The sender's own name for it, or null. */
  senderKey: text("sender_key"),
  /** As the sender named it, with its folders. */
  path: text().notNull(),
  /** Null: it becomes a track of its own. */
  forTrackId: text("for_track_id"),
  /** The announced size. */
  sizeBytes: integer("size_bytes").notNull(),
  /** The file on disk is authoritative. */
  receivedBytes: integer("received_bytes").notNull().default(0),
  /** Null: not completely received, or not yet verified. */
  sha256: text(),
  /** Null: not finished. */
  outcome: text({ enum: ["track", "version", "twin"] }),
  trackId: text("track_id"),
  versionId: text("version_id"),
  /** Since when it waits for somebody to say what it is; null: nothing was asked about it. */
  waitingSince: integer("waiting_since"),
  /** The track that it looks like a version of; it may be gone since. */
  offeredTrackId: text("offered_track_id"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
});
