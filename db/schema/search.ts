import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Tracks whose searchable data changed; written only by triggers. A deleted track keeps its row. */
export const searchChanges = sqliteTable("search_changes", {
  /** The track's `seq`. */
  seq: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  /** Increases with every change in the whole database. */
  revision: integer().notNull(),
});

/** The file that holds an account's search index; a file without a row is ignored. */
export const searchSnapshots = sqliteTable("search_snapshots", {
  ownerId: text("owner_id").primaryKey(),
  /** The file's name, random. */
  name: text().notNull(),
  /** Version of the file's content. */
  content: text().notNull(),
  /** The newest change in the file, see {@link searchChanges}. */
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
  /** Whose search it was. Null: with a key that no member made. */
  personId: text("person_id").$type<PersonId>(),
});
