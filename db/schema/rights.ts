import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LibraryId, PersonId } from "./person.ts";

/** What a person stated of one part of a track: whether something generated it or helped with it. */
export type StatedAiUse = { part: string; extent: string; tool: string | null; note: string | null };

/** What registrations and deliveries say of a track beside its details. */
export const trackRights = sqliteTable("track_rights", {
  trackId: text("track_id").primaryKey(),
  /** As written: one whose check digit is wrong is kept. */
  iswc: text(),
  upc: text(),
  /** YYYY-MM-DD. */
  releaseDate: text("release_date"),
  pLine: text("p_line"),
  cLine: text("c_line"),
  /** Null: not stated. */
  explicit: text().$type<"yes" | "no" | "clean">(),
  workNumber: text("work_number"),
  /** Empty: not stated. */
  aiUse: text("ai_use", { mode: "json" }).$type<StatedAiUse[]>().notNull().default([]),
  updatedAt: integer("updated_at").notNull(),
});

/** The publisher who registers a library's works. Shares are in hundredths of a per cent of each writer's part. */
export const rightsSender = sqliteTable("rights_sender", {
  ownerId: text("owner_id").$type<LibraryId>().primaryKey(),
  name: text(),
  ipi: text(),
  senderCode: text("sender_code"),
  society: text(),
  prShare: integer("pr_share").notNull().default(5000),
  mrShare: integer("mr_share").notNull().default(10_000),
  srShare: integer("sr_share").notNull().default(10_000),
  /** Of the last file. */
  fileYear: integer("file_year"),
  fileNumber: integer("file_number"),
  updatedAt: integer("updated_at").notNull(),
});

/** What composers were asked for, each by a link of their own, and what they answered. */
export const supplyRequests = sqliteTable("supply_requests", {
  id: text().primaryKey(),
  ownerId: text("owner_id").$type<LibraryId>().notNull(),
  composerId: text("composer_id").notNull(),
  /** The tracks whose shares are asked about. */
  trackIds: text("track_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
  /** SHA-256. Null: nothing opens any more. */
  tokenHash: blob("token_hash", { mode: "buffer" }),
  madeBy: text("made_by").$type<PersonId>(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  answeredAt: integer("answered_at"),
  answer: text({ mode: "json" }).$type<Record<string, unknown>>(),
  /** When somebody of the library had decided on the answer. */
  takenAt: integer("taken_at"),
  withdrawnAt: integer("withdrawn_at"),
});
