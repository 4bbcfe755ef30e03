import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Music apps: players that people already have, each with a password that opens nothing else. */
export const players = sqliteTable("players", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  /** It sees what this person sees. */
  personId: text("person_id").$type<PersonId>().notNull(),
  name: text().notNull(),
  username: text().notNull(),
  /** SHA-256 of the secret. */
  secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
  /** AES-256-GCM of the secret, additional data = id. Empty: it came from another server. */
  secretCopy: blob("secret_copy", { mode: "buffer" }).notNull(),
  /** What it is sent: renditions, or the files themselves. */
  sound: text({ enum: ["small", "original"] }).notNull(),
  /** What the app that called last says it is. */
  client: text(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});
