import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The identity of the library: one row. */
export const store = sqliteTable("store", {
  one: integer().primaryKey(),
  id: text().notNull(),
  /** How many times a server has started. A database behind the folder's `store.json` is an older copy. */
  generation: integer().notNull(),
  /** HMAC-SHA256 that only the right master secret gives. */
  secretCheck: blob("secret_check", { mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  /** False while a server runs, and after one that did not stop in good order. */
  isClean: integer("is_clean", { mode: "boolean" }).notNull().default(true),
  /** True once originals were seen in the audio folder, until the operator says that they are gone. */
  hasAudio: integer("has_audio", { mode: "boolean" }).notNull().default(false),
});

/** Objects of a bucket that no version names, or not yet. They stay in their place until they are deleted. */
export const bucketRemovals = sqliteTable("bucket_removals", {
  sha256: text().primaryKey(),
  /** 0: an erased account had it, and it goes at once. */
  since: integer().notNull(),
  /** When a process began to delete the object. From then on it must not be named. */
  deletingAt: integer("deleting_at"),
  isDeleted: integer("is_deleted", { mode: "boolean" }).notNull().default(false),
});

/** Why no file may be removed until the operator says so. */
export const removalHolds = sqliteTable("removal_holds", {
  reason: text().$type<"older_database" | "mass_removal">().primaryKey(),
  since: integer().notNull(),
  detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});
