import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type BriefStatus = "draft" | "open" | "closed" | "archived";
export type BriefPriority = "low" | "normal" | "high";

/** Calls for submissions. With a public page, now or once, a brief is a file request of the platform API. */
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
  /** Of the public submission page. */
  token: text().notNull(),
  publicPage: integer("public_page", { mode: "boolean" }).notNull().default(false),
  /** When the page was first on. */
  publicSince: integer("public_since"),
  isPaid: integer("is_paid", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** People who were asked by e-mail, each with a link of their own. */
export const briefRequests = sqliteTable("brief_requests", {
  id: text().primaryKey(),
  briefId: text("brief_id").notNull(),
  email: text().notNull(),
  message: text(),
  token: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** What was sent to a brief, one row an item; what was sent together has one batch. */
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
  /** Keyed hash of the identity; null: none was given. */
  submitterHash: text("submitter_hash"),
  /** What a visitor said of himself, for the brief's owner alone. */
  submitterName: text("submitter_name"),
  submitterEmail: text("submitter_email"),
  kind: text().$type<"free" | "paid">().notNull(),
  createdAt: integer("created_at").notNull(),
});
