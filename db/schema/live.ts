import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What changed in each account, one row for each thing and topic. Triggers write it. */
export const accountChanges = sqliteTable("account_changes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  accountId: text("account_id").notNull(),
  topic: text().notNull(),
  /** Of what changed. */
  id: text().notNull(),
  at: integer().notNull(),
});
