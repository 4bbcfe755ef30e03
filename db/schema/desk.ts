import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Bulk changes that can be undone. */
export const undos = sqliteTable("undos", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  createdAt: integer("created_at").notNull(),
  until: integer().notNull(),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
});

/** What a bulk change did to one track. */
export const undoSteps = sqliteTable("undo_steps", {
  seq: integer().primaryKey(),
  undoId: text("undo_id").notNull(),
  trackId: text("track_id").notNull(),
  steps: text({ mode: "json" }).$type<unknown[]>().notNull(),
});
