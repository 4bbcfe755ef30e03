import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

export type BriefStatus = "draft" | "open" | "closed" | "archived";
/** What the owner of a brief has decided about a submission. */
export type TriageState = "new" | "shortlisted" | "passed" | "kept";
export type BriefPriority = "low" | "normal" | "high";

/** Songs that go out for a brief, in order, and those that were left out, as arranged by hand. */
export type PackOrder = { trackIds: string[]; leftOut: string[] };

/** Calls for submissions. A brief that has, or once had, a public page is a file request in the platform API. */
export const briefs = sqliteTable("briefs", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  name: text().notNull(),
  status: text().$type<BriefStatus>().notNull(),
  deadline: integer(),
  priority: text().$type<BriefPriority>().notNull().default("normal"),
  tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  contactEmail: text("contact_email"),
  description: text(),
  /** Token of the public submission page. */
  token: text().notNull(),
  publicPage: integer("public_page", { mode: "boolean" }).notNull().default(false),
  /** When the page was first enabled. */
  publicSince: integer("public_since"),
  isPaid: integer("is_paid", { mode: "boolean" }).notNull().default(false),
  /** Null: as ranked. */
  pack: text({ mode: "json" }).$type<PackOrder>(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
});

/** People who were asked by e-mail, each with their own link. */
export const briefRequests = sqliteTable("brief_requests", {
  id: text().primaryKey(),
  briefId: text("brief_id").notNull(),
  name: text(),
  /** `""` when only the name is known. */
  email: text().notNull(),
  message: text(),
  token: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Items sent to a brief, one row per item; items sent together share a batch. */
export const briefSubmissions = sqliteTable("brief_submissions", {
  id: text().primaryKey(),
  briefId: text("brief_id").notNull(),
  batchId: text("batch_id").notNull(),
  type: text().$type<"track" | "link">().notNull(),
  trackId: text("track_id"),
  link: text(),
  message: text(),
  requestId: text("request_id"),
  submitterAccountId: text("submitter_account_id"),
  /** Keyed hash of the submitter's identity; null: not given. */
  submitterHash: text("submitter_hash"),
  /** The name that the visitor gave; only for the brief's owner. */
  submitterName: text("submitter_name"),
  submitterEmail: text("submitter_email"),
  kind: text().$type<"free" | "paid">().notNull(),
  state: text().$type<TriageState>().notNull().default("new"),
  /** Null while new. */
  decidedAt: integer("decided_at"),
  /** Only for the brief's owner. */
  note: text(),
  /** True when keeping it made its track visible. */
  shownByKeep: integer("shown_by_keep", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
});
