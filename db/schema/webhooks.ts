import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Keys that have, or had, a webhook; rotating a key moves the row to the new key. */
export const webhookReceivers = sqliteTable("webhook_receivers", {
  /** Part of delivery ids. */
  ref: integer().primaryKey({ autoIncrement: true }),
  keyId: text("key_id").notNull(),
  /** The last event before it was switched on. */
  sinceSeq: integer("since_seq").notNull(),
  /** The secret that the last rotation replaced, sealed like the current one; also signs until `secretBeforeUntil`. */
  secretBefore: blob("secret_before", { mode: "buffer" }),
  secretBeforeUntil: integer("secret_before_until"),
  /** The first failure since the last success; null: no failure. */
  failingSince: integer("failing_since"),
  /** Until when the receiver's Retry-After delays automatic deliveries; null: it requested no pause. */
  pausedUntil: integer("paused_until"),
});

/** The last event that was handed to receivers. One row. */
export const webhookCursor = sqliteTable("webhook_cursor", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

/** One row per event and receiver: both queue and log. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    receiver: integer().notNull(),
    eventSeq: integer("event_seq").notNull(),
    status: text().$type<"pending" | "delivered" | "failed" | "cancelled">().notNull(),
    /** Time of the next attempt; null unless pending. */
    dueAt: integer("due_at"),
    /** Attempts in the current schedule, which a redelivery starts again. */
    tries: integer().notNull().default(0),
    /** Attempts in total. */
    attempts: integer().notNull().default(0),
    /** True for a test or a redelivery: another delivery's Retry-After does not delay it. */
    askedFor: integer("asked_for", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.receiver, table.eventSeq] })],
);

/** The result of each attempt. Body and headers follow from the event; the signature is the header as sent. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    receiver: integer().notNull(),
    eventSeq: integer("event_seq").notNull(),
    /** From 1. */
    attempt: integer().notNull(),
    at: integer().notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Null: no answer came. */
    responseStatus: integer("response_status"),
    /** Why it failed, in words; null: it succeeded. */
    error: text(),
    signature: text().notNull(),
    /** At most the first KB of the answer's body. */
    response: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.receiver, table.eventSeq, table.attempt] })],
);
