import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { runsOf, type Span } from "./periods.ts";
import type { ActivityMetric, Entity } from "./shapes.ts";

/** A series of an account, by its number in the log. */
export type SeriesRow = { ref: number; entity: Entity; metric: ActivityMetric };

const seriesOfOwner = prepared((db) =>
  db.$client.prepare<SeriesRow, [string]>(
    "SELECT ref, entity, metric FROM activity_series WHERE owner_id = ?",
  ),
);

/** Returns the series of an account that have any activity: at most one per entity and metric. */
export function selectSeries(db: Db, ownerId: LibraryId): SeriesRow[] {
  return seriesOfOwner(db).all(ownerId);
}

/** Finds the first and last counted activity of a series with two seeks in `activity_by_series`. */
export const HAPPENED_SQL = `SELECT
  (SELECT min(at) FROM activity WHERE series_ref = $ref AND left_out IS NULL) AS "from",
  (SELECT max(at) FROM activity WHERE series_ref = $ref AND left_out IS NULL) AS "to"`;

const happened = prepared((db) =>
  db.$client.prepare<{ from: number | null; to: number | null }, [{ ref: number }]>(HAPPENED_SQL),
);

/** Returns the span of the counted activity in some series, or undefined when they have none. */
export function selectHappened(db: Db, seriesRefs: readonly number[]): Span | undefined {
  let span: Span | undefined;
  for (const ref of seriesRefs) {
    const { from, to } = happened(db).get({ ref }) ?? {};
    if (typeof from !== "number" || typeof to !== "number") continue;
    span = { from: Math.min(span?.from ?? from, from), to: Math.max(span?.to ?? to, to) };
  }
  return span;
}

/** The count of an entity in a series. */
export type CountRow = { entityRef: number; seriesRef: number; count: number };

/** Sums some entities in some series over runs of periods, by the primary key of `activity_counts`. */
export const COUNTS_SQL = `SELECT c.entity_ref AS entityRef, c.series_ref AS seriesRef, sum(c.count) AS count
  FROM json_each($entities) e CROSS JOIN json_each($series) s CROSS JOIN json_each($runs) r
  CROSS JOIN activity_counts c ON c.entity_ref = e.value AND c.series_ref = s.value
    AND c.period BETWEEN r.value ->> 0 AND r.value ->> 1
  GROUP BY e.value, s.value`;

const counts = prepared((db) =>
  db.$client.prepare<CountRow, [{ entities: string; series: string; runs: string }]>(COUNTS_SQL),
);

/** Sums the stored counts of some entities in some series over periods; an entity without activity has no row. */
export function selectCounts(
  db: Db,
  {
    entities,
    series,
    periods,
  }: { entities: readonly number[]; series: readonly number[]; periods: number[] },
): CountRow[] {
  if (periods.length === 0) return [];
  const values = [entities, series, runsOf(periods)].map((list) => JSON.stringify(list));
  const [entitiesJson = "", seriesJson = "", runs = ""] = values;
  return counts(db).all({ entities: entitiesJson, series: seriesJson, runs });
}

/** Counts the log rows of some entities in some series, by `activity_by_entity`. */
export const RESTS_SQL = `SELECT l.entity_ref AS entityRef, l.series_ref AS seriesRef, count(*) AS count
  FROM json_each($entities) e CROSS JOIN json_each($series) s
  CROSS JOIN activity l INDEXED BY activity_by_entity ON l.entity_ref = e.value AND l.series_ref = s.value
    AND l.at BETWEEN $from AND $to AND l.left_out IS NULL
  GROUP BY e.value, s.value`;

const rests = prepared((db) =>
  db.$client.prepare<CountRow, [{ entities: string; series: string } & Span]>(RESTS_SQL),
);

/** Counts the log rows of some entities in some series over part of a day. */
export function selectRest(
  db: Db,
  { entities, series, rest }: { entities: readonly number[]; series: readonly number[]; rest: Span },
): CountRow[] {
  return rests(db).all({ entities: JSON.stringify(entities), series: JSON.stringify(series), ...rest });
}

/** Counts the log rows of tracks reached through playlists' links, by `activity_by_playlist`. */
export const RESTS_BY_PLAYLIST_SQL = `SELECT l.playlist_ref AS entityRef, l.series_ref AS seriesRef, count(*) AS count
  FROM json_each($series) s CROSS JOIN activity l INDEXED BY activity_by_playlist
    ON l.series_ref = s.value AND l.at BETWEEN $from AND $to
    AND l.playlist_ref IS NOT NULL AND l.left_out IS NULL
  GROUP BY s.value, l.playlist_ref`;

const restsByPlaylist = prepared((db) =>
  db.$client.prepare<CountRow, [{ series: string } & Span]>(RESTS_BY_PLAYLIST_SQL),
);

/** Counts, per playlist, the activity on tracks through its links over part of a day. `series`: series of tracks. */
export function selectRestByPlaylist(db: Db, series: readonly number[], rest: Span): CountRow[] {
  return series.length === 0 ? [] : restsByPlaylist(db).all({ series: JSON.stringify(series), ...rest });
}

/** A track or playlist, as answers name it. `ref` is null while it has no activity. */
export type NamedRow = { id: string; name: string; artist: string | null; ref: number | null };

const NAMED_BY_ID: Readonly<Record<Entity, string>> = {
  track: `SELECT t.id, t.name, t.artist, e.ref FROM json_each($ids) i
    CROSS JOIN tracks t ON t.id = i.value AND t.owner_id = $ownerId AND t.deleted_at IS NULL
    LEFT JOIN activity_entities e ON e.entity = 'track' AND e.entity_id = t.id`,
  playlist: `SELECT p.id, p.name, NULL AS artist, e.ref FROM json_each($ids) i
    CROSS JOIN playlists p ON p.id = i.value AND p.owner_id = $ownerId AND p.deleted_at IS NULL
    LEFT JOIN activity_entities e ON e.entity = 'playlist' AND e.entity_id = p.id`,
};

/** Returns the tracks or playlists with these ids that belong to the account. */
export function selectNamed(db: Db, entity: Entity, ownerId: LibraryId, ids: readonly string[]): NamedRow[] {
  return db.$client
    .query<NamedRow, [{ ids: string; ownerId: LibraryId }]>(NAMED_BY_ID[entity])
    .all({ ids: JSON.stringify(ids), ownerId });
}

const IDS_SQL = `SELECT e.entity_id AS id FROM json_each(?) r CROSS JOIN activity_entities e ON e.ref = r.value`;

/** Returns the tracks or playlists with these numbers that still exist and belong to the account. */
export function selectNamedByRef(
  db: Db,
  entity: Entity,
  ownerId: LibraryId,
  refs: readonly number[],
): NamedRow[] {
  const ids = db.$client.query<{ id: string }, [string]>(IDS_SQL).all(JSON.stringify(refs));
  return selectNamed(
    db,
    entity,
    ownerId,
    ids.map(({ id }) => id),
  );
}
