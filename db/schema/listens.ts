import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** What people have heard of their own libraries, as their players and devices report it. */
export const listens = sqliteTable(
  "listens",
  {
    /** The same listen has the same id, however often it is reported. */
    id: text().notNull(),
    accountId: text("account_id").notNull(),
    personId: text("person_id").$type<PersonId>().notNull(),
    trackId: text("track_id").notNull(),
    /** It may be gone since. */
    versionId: text("version_id").notNull(),
    at: integer().notNull(),
    /** Null: not known. */
    heardSec: real("heard_sec"),
    through: text({ enum: ["pocket", "player"] }).notNull(),
    /** Of the device or the music app, which may be gone since. */
    throughId: text("through_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);
