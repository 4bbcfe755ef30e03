import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What activity is about, by a small number. Stays when the thing itself is deleted. */
export const activityEntities = sqliteTable("activity_entities", {
  ref: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  entity: text().$type<"track" | "playlist">().notNull(),
  entityId: text("entity_id").notNull(),
});

/** One metric of one kind of entity of one account, by a small number. */
export const activitySeries = sqliteTable("activity_series", {
  ref: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  entity: text().$type<"track" | "playlist">().notNull(),
  metric: text().notNull(),
});

/** What happened. Append-only. */
export const activity = sqliteTable("activity", {
  seq: integer().primaryKey(),
  id: text().notNull(),
  seriesRef: integer("series_ref").notNull(),
  entityRef: integer("entity_ref").notNull(),
  at: integer().notNull(),
  actorType: text("actor_type").$type<"user" | "visitor" | "system">().notNull(),
  actorName: text("actor_name"),
  /** The link it came by. */
  shareId: text("share_id"),
  /** Why it is kept and not counted; null: it is counted. */
  leftOut: text("left_out"),
  /** Tells the visitors of one link apart, and says nothing else of them. */
  visit: text(),
  /** Seconds that were heard, or null. */
  heardSec: integer("heard_sec"),
  /** The playlist by whose link something happened to a track: it counts for both. */
  playlistRef: integer("playlist_ref"),
});

/** How often on each UTC day, entities deleted since included. */
export const activityDays = sqliteTable(
  "activity_days",
  {
    seriesRef: integer("series_ref").notNull(),
    /** `20260115` */
    day: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesRef, table.day] })],
);

/** How often for each entity that exists, in each UTC calendar period that has any. */
export const activityCounts = sqliteTable(
  "activity_counts",
  {
    entityRef: integer("entity_ref").notNull(),
    seriesRef: integer("series_ref").notNull(),
    /** 0: all time; `2026`: a year; `202601`: a month; `20260115`: a day. */
    period: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.entityRef, table.seriesRef, table.period] })],
);

/** What each library holds, kept by triggers. */
export const libraryTotals = sqliteTable("library_totals", {
  ownerId: text("owner_id").primaryKey(),
  tracks: integer().notNull(),
  /** Of the tracks whose duration is known. */
  durationMs: integer("duration_ms").notNull(),
});

/** How many tracks of a library carry each genre and mood, kept by triggers. */
export const libraryTags = sqliteTable(
  "library_tags",
  {
    ownerId: text("owner_id").notNull(),
    category: text().$type<"genres" | "moods">().notNull(),
    tagId: text("tag_id").notNull(),
    name: text().notNull(),
    tracks: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.category, table.tagId] })],
);
