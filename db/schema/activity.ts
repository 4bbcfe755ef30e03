import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Small numbers for the entities that activity refers to. A row stays when its entity is deleted. */
export const activityEntities = sqliteTable("activity_entities", {
  ref: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  entity: text().$type<"track" | "playlist">().notNull(),
  entityId: text("entity_id").notNull(),
});

/** Small numbers for series: one metric of one kind of entity of one account. */
export const activitySeries = sqliteTable("activity_series", {
  ref: integer().primaryKey(),
  ownerId: text("owner_id").notNull(),
  entity: text().$type<"track" | "playlist">().notNull(),
  metric: text().notNull(),
});

/** Events that happened to an account's entities. Append-only. */
export const activity = sqliteTable("activity", {
  seq: integer().primaryKey(),
  id: text().notNull(),
  seriesRef: integer("series_ref").notNull(),
  entityRef: integer("entity_ref").notNull(),
  at: integer().notNull(),
  actorType: text("actor_type").$type<"user" | "visitor" | "system">().notNull(),
  actorName: text("actor_name"),
  /** The share link that it came through. */
  shareId: text("share_id"),
  /** Why it is stored but not counted; null: it is counted. */
  leftOut: text("left_out"),
  /** Distinguishes the visitors of one link, and reveals nothing else about them. */
  visit: text(),
  /** Seconds that were listened to, or null. */
  heardSec: integer("heard_sec"),
  /** The playlist whose link led to the track: the event counts for both. */
  playlistRef: integer("playlist_ref"),
  /** The parts that were heard, as JSON `[[from, to], …]` in seconds, in order; null: unknown. */
  heard: text(),
  /** Where in the track the visitor stopped; null: unknown. */
  stoppedSec: real("stopped_sec"),
});

/** Counts per UTC day, including those of deleted entities. */
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

/** Counts per existing entity, for each UTC calendar period with any activity. */
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

/** Totals of each library, maintained by triggers. */
export const libraryTotals = sqliteTable("library_totals", {
  ownerId: text("owner_id").primaryKey(),
  tracks: integer().notNull(),
  /** Sum over the tracks whose duration is known. */
  durationMs: integer("duration_ms").notNull(),
});

/** How many tracks of a library have each genre and mood, maintained by triggers. */
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
