import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
  readAt: integer("read_at"),
});
