import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Devices that keep music of a library, to play it without a connection. */
export const pockets = sqliteTable("pockets", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  /** It keeps what this person may hear. */
  personId: text("person_id").$type<PersonId>().notNull(),
  /** SHA-256 of the token. */
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  name: text().notNull(),
  userAgent: text("user_agent"),
  /** What it is to keep. */
  wants: text({ mode: "json" }).$type<{ entity: "track" | "playlist"; id: string }[]>().notNull().default([]),
  /** How many it has. */
  tracks: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
  syncedAt: integer("synced_at"),
  withdrawnAt: integer("withdrawn_at"),
});

/** What devices sent later, so that the same thing is stored once. */
export const pocketSent = sqliteTable(
  "pocket_sent",
  { accountId: text("account_id").notNull(), id: text().notNull(), at: integer().notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);
