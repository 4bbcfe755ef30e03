import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Keys that have, or had, a webhook; the row moves along when the key is rotated. */
export const webhookReceivers = sqliteTable("webhook_receivers", {
  /** Part of delivery ids. */
  ref: integer().primaryKey({ autoIncrement: true }),
  keyId: text("key_id").notNull(),
  /** The last event before it was switched on. */
  sinceSeq: integer("since_seq").notNull(),
  /** The secret that the last rotation replaced, sealed as the current one; signs as well until then. */
  secretBefore: blob("secret_before", { mode: "buffer" }),
  secretBeforeUntil: integer("secret_before_until"),
  /** The first of the failures since the last success; null: none. */
  failingSince: integer("failing_since"),
  /** Until when its Retry-After holds back what nobody asked for; null: it asked for no pause. */
  pausedUntil: integer("paused_until"),
});

/** How far events have been given to receivers. One row. */
export const webhookCursor = sqliteTable("webhook_cursor", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

/** One row for each event and receiver: its own queue, and its own log. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    receiver: integer().notNull(),
    eventSeq: integer("event_seq").notNull(),
    status: text().$type<"pending" | "delivered" | "failed" | "cancelled">().notNull(),
    /** Of the next attempt; null unless pending. */
    dueAt: integer("due_at"),
    /** Of the schedule in hand; a redelivery begins it again. */
    tries: integer().notNull().default(0),
    /** All of them. */
    attempts: integer().notNull().default(0),
    /** A test or a redelivery: no other delivery's Retry-After holds it back. */
    askedFor: integer("asked_for", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.receiver, table.eventSeq] })],
);

/** What came of each attempt. Body and headers follow from the event; the signature is the header as it was sent. */
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
    /** Why it failed, in words; null: it did not. */
    error: text(),
    signature: text().notNull(),
    /** At most the first KB of the answer's body. */
    response: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.receiver, table.eventSeq, table.attempt] })],
);
