import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Composers, called shareholders where they are linked to tracks. */
export const composers = sqliteTable("composers", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  /** `""` once deleted. */
  fullName: text("full_name").notNull(),
  artistName: text("artist_name"),
  /** Trimmed, lower case; null once deleted. */
  email: text(),
  publisher: text(),
  pro: text(),
  ipi: text(),
  isni: text(),
  /** Null: the last word of the name. */
  lastName: text("last_name"),
  publisherIpi: text("publisher_ipi"),
  createdAt: integer("created_at").notNull(),
  /** A deleted row is a tombstone that keeps cursors valid and holds no data about the person. */
  deletedAt: integer("deleted_at"),
});

/** Each composer's share of a track. */
export const trackShareholders = sqliteTable(
  "track_shareholders",
  {
    trackId: text("track_id").notNull(),
    composerId: text("composer_id").notNull(),
    /** Per cent, 0 to 100. */
    share: real().notNull(),
    role: text().notNull(),
    position: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.composerId, table.role] })],
);

/** Notifications to an account. */
export const notifications = sqliteTable("notifications", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  /** `track.audio_replaced`, `brief.submission`, … */
  kind: text().notNull(),
  title: text().notNull(),
  /** Kind of entity: track, playlist, composer or brief. */
  entityKey: text("entity_key").notNull(),
  entityId: text("entity_id").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Whose doing it was. Null: no member's. */
  madeBy: text("made_by").$type<PersonId>(),
  /** For whom. Null: for everybody who may see the thing. */
  personId: text("person_id").$type<PersonId>(),
});

/** Who has read which notification. */
export const notificationReads = sqliteTable(
  "notification_reads",
  {
    personId: text("person_id").$type<PersonId>().notNull(),
    notificationId: text("notification_id").notNull(),
    readAt: integer("read_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.notificationId] })],
);
