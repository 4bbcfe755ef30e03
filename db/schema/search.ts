import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Which tracks changed what a search reads of them; written by triggers alone. A deleted track keeps its row. */
export const searchChanges = sqliteTable("search_changes", {
  /** Of the track. */
  seq: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  /** Counted up over the whole library. */
  revision: integer().notNull(),
});

/** Which file holds an account's search index; a file without its row is of no use. */
export const searchSnapshots = sqliteTable("search_snapshots", {
  ownerId: text("owner_id").primaryKey(),
  /** Of the file, random. */
  name: text().notNull(),
  /** Version of what such files hold. */
  content: text().notNull(),
  /** As in {@link searchChanges}: the newest change that the file has. */
  revision: integer().notNull(),
  tracks: integer().notNull(),
});

/** Search history, visible to the library's owner in the app. */
export const searches = sqliteTable("searches", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  keyId: text("key_id"),
  query: text().notNull(),
  request: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  interpretation: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** Best first. */
  resultIds: text("result_ids", { mode: "json" }).$type<string[]>().notNull(),
  creditsCharged: integer("credits_charged").notNull(),
  at: integer().notNull(),
});
