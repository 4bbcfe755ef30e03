import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** What was handed over to whom, written when its last byte was taken. */
export const deliveryPackages = sqliteTable("delivery_packages", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  profile: text().$type<"store" | "sync" | "cd" | "custom">().notNull(),
  name: text().notNull(),
  /** Null: not said, or erased. */
  recipient: text(),
  /** What was chosen, and the versions that went out. */
  settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** What the package says of itself; null: erased. */
  manifest: text({ mode: "json" }).$type<Record<string, unknown>>(),
  bytes: integer().notNull(),
  /** Of the list of its checksums, lower-case hex. */
  sha256: text().notNull(),
  /** The link by which it went out. */
  shareId: text("share_id"),
  /** Null: the operator made it. */
  madeBy: text("made_by").$type<PersonId>(),
  madeAt: integer("made_at").notNull(),
});
