import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { dayOf, type Span } from "./periods.ts";
import type { ActivityMetric, Entity } from "./shapes.ts";

export const WEEK_SQL = `SELECT s.metric, sum(d.count) AS count
  FROM activity_series s CROSS JOIN activity_days d ON d.series_ref = s.ref AND d.day BETWEEN $from AND $to
  WHERE s.owner_id = $ownerId GROUP BY s.metric`;

const week = prepared((db) =>
  db.$client.prepare<{ metric: ActivityMetric; count: number }, [{ ownerId: LibraryId } & Span]>(WEEK_SQL),
);

/** Sums an account's activity over whole UTC days, per metric. A metric without activity has no row. */
export function selectWeek(db: Db, ownerId: LibraryId, { from, to }: Span) {
  return week(db).all({ ownerId, from: dayOf(from), to: dayOf(to) });
}

/** Counted activity as the dashboard shows it. `name` is null once the track or playlist is deleted. */
export type RecentRow = {
  seq: number;
  id: string;
  at: number;
  actorType: "user" | "visitor" | "system";
  actorName: string | null;
  metric: ActivityMetric;
  entity: Entity;
  entityId: string;
  name: string | null;
};

/** Reads the newest rows of each of the account's series, from the end of `activity_by_series`. */
export const RECENT_SQL = `SELECT l.seq, l.id, l.at, l.actor_type AS actorType, l.actor_name AS actorName,
    s.metric, s.entity, e.entity_id AS entityId,
    CASE s.entity
      WHEN 'track' THEN (SELECT ifnull(t.title, t.name) FROM tracks t WHERE t.id = e.entity_id AND t.deleted_at IS NULL)
      ELSE (SELECT p.name FROM playlists p WHERE p.id = e.entity_id AND p.deleted_at IS NULL)
    END AS name
  FROM activity_series s
  CROSS JOIN activity l ON l.seq IN (
    SELECT n.seq FROM activity n INDEXED BY activity_by_series
    WHERE n.series_ref = s.ref AND n.at BETWEEN $from AND $to AND n.left_out IS NULL
    ORDER BY n.at DESC, n.entity_ref DESC LIMIT $limit
  )
  CROSS JOIN activity_entities e ON e.ref = l.entity_ref
  WHERE s.owner_id = $ownerId ORDER BY l.at DESC, l.seq DESC LIMIT $limit`;

const recent = prepared((db) =>
  db.$client.prepare<RecentRow, [{ ownerId: LibraryId; limit: number } & Span]>(RECENT_SQL),
);

/** Returns the latest activity within a span, newest first. */
export function selectRecent(db: Db, ownerId: LibraryId, span: Span, limit: number): RecentRow[] {
  return recent(db).all({ ownerId, limit, ...span });
}

export const LIBRARY_SQL = `SELECT
  ifnull((SELECT tracks FROM library_totals WHERE owner_id = $ownerId), 0) AS tracks,
  ifnull((SELECT duration_ms FROM library_totals WHERE owner_id = $ownerId), 0) AS durationMs,
  (SELECT count(*) FROM track_rows WHERE owner_id = $ownerId AND created_at BETWEEN $from AND $to) AS uploaded,
  (SELECT count(*) FROM playlists WHERE owner_id = $ownerId AND deleted_at IS NULL) AS playlists,
  (SELECT max(updated_at) FROM playlists WHERE owner_id = $ownerId AND deleted_at IS NULL) AS playlistsUpdatedAt,
  (SELECT name FROM library_tags WHERE owner_id = $ownerId AND category = 'genres' AND tracks > 0
    ORDER BY tracks DESC, name LIMIT 1) AS genre,
  (SELECT name FROM library_tags WHERE owner_id = $ownerId AND category = 'moods' AND tracks > 0
    ORDER BY tracks DESC, name LIMIT 1) AS mood`;

/** The size of a library. `uploaded` counts the tracks added within the span. */
export type LibraryRow = {
  tracks: number;
  durationMs: number;
  uploaded: number;
  playlists: number;
  playlistsUpdatedAt: number | null;
  genre: string | null;
  mood: string | null;
};

const library = prepared((db) =>
  db.$client.prepare<LibraryRow, [{ ownerId: LibraryId } & Span]>(LIBRARY_SQL),
);

export function selectLibrary(db: Db, ownerId: LibraryId, span: Span): LibraryRow {
  const row = library(db).get({ ownerId, ...span });
  if (row) return row;
  throw new Error("A SELECT of values without a table returned no row");
}
