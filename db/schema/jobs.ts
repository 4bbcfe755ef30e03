import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Queued work. A row is deleted when its work is done; `dead` rows wait for the operator. */
export const jobs = sqliteTable("jobs", {
  id: text().primaryKey(),
  name: text().notNull(),
  payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** Among waiting jobs of the same name, at most one has this key. */
  uniqueKey: text("unique_key"),
  state: text().$type<"waiting" | "running" | "dead">().notNull(),
  runAt: integer("run_at").notNull(),
  attempts: integer().notNull().default(0),
  maxAttempts: integer("max_attempts").notNull(),
  /** Token of the current run: a run that lost its lease cannot complete its successor's job. */
  leaseToken: text("lease_token"),
  leaseUntil: integer("lease_until"),
  /** The platform key of the worker elsewhere that does the job; null: the server does it itself. */
  worker: text(),
  /** What that worker was given. */
  subject: text({ mode: "json" }),
  lastError: text("last_error"),
  createdAt: integer("created_at").notNull(),
});

/** The outbox: events, written in the transaction that caused them. */
export const events = sqliteTable("events", {
  /** In commit order, never reused. */
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  ownerId: text("owner_id").notNull(),
  type: text().notNull(),
  /** Kept small; never holds an e-mail address or a download link. */
  data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  at: integer().notNull(),
});
