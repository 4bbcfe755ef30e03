import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Work that was promised. A row is deleted when its work is done; `dead` ones wait for a person. */
export const jobs = sqliteTable("jobs", {
  id: text().primaryKey(),
  name: text().notNull(),
  payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** At most one waiting job of a name has this key. */
  uniqueKey: text("unique_key"),
  state: text().$type<"waiting" | "running" | "dead">().notNull(),
  runAt: integer("run_at").notNull(),
  attempts: integer().notNull().default(0),
  maxAttempts: integer("max_attempts").notNull(),
  /** Of the run in hand: a run whose lease was lost cannot complete the job of its successor. */
  leaseToken: text("lease_token"),
  leaseUntil: integer("lease_until"),
  lastError: text("last_error"),
  createdAt: integer("created_at").notNull(),
});

/** The outbox: what happened, written in the transaction that made it happen. */
export const events = sqliteTable("events", {
  /** In the order of commits, never used twice. */
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  ownerId: text("owner_id").notNull(),
  type: text().notNull(),
  /** Thin: never an e-mail address or a download link. */
  data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  at: integer().notNull(),
});
