import { type Db, prepared } from "../../../../db/client.ts";
import { EVER, runsOf, type Span } from "./periods.ts";

/** An entity and its count. */
export type Ranked = { entityRef: number; count: number };

/** Tracks in the bin or the Inbox keep their counts, and are not ranked. Read once for a statement; mostly it is empty. */
const NOT_IN_LIBRARY = `SELECT e.ref FROM activity_series s
    CROSS JOIN tracks t INDEXED BY tracks_in_bin ON t.owner_id = s.owner_id AND t.deleted_at IS NOT NULL
    JOIN activity_entities e ON e.entity = 'track' AND e.entity_id = t.id
    WHERE s.ref = $series
  UNION ALL SELECT e.ref FROM activity_series s
    CROSS JOIN tracks t INDEXED BY tracks_in_inbox ON t.owner_id = s.owner_id AND t.in_inbox = 1
    JOIN activity_entities e ON e.entity = 'track' AND e.entity_id = t.id
    WHERE s.ref = $series
  UNION ALL SELECT e.ref FROM activity_series s
    CROSS JOIN playlists p INDEXED BY playlists_in_bin ON p.owner_id = s.owner_id AND p.deleted_at IS NOT NULL
    JOIN activity_entities e ON e.entity = 'playlist' AND e.entity_id = p.id
    WHERE s.ref = $series`;

/** Reads the first entities of one period in rank order, straight from `activity_counts_ranked`. */
export const RANKED_SQL = `SELECT entity_ref AS entityRef, count FROM activity_counts
  WHERE series_ref = $series AND period = $period AND entity_ref NOT IN (${NOT_IN_LIBRARY})
  ORDER BY count DESC, entity_ref LIMIT $limit`;

const ranked = prepared((db) =>
  db.$client.prepare<Ranked, [{ series: number; period: number; limit: number }]>(RANKED_SQL),
);

/** Returns the first entities of a series in one period: highest count first; between equals, the older entity. */
export function selectRanked(db: Db, series: number, period: number, limit: number): Ranked[] {
  return ranked(db).all({ series, period, limit });
}

/** Sums every entity of a series over runs of periods. */
export const ALL_SQL = `SELECT c.entity_ref AS entityRef, sum(c.count) AS count
  FROM json_each($runs) r CROSS JOIN activity_counts c INDEXED BY activity_counts_ranked
    ON c.series_ref = $series AND c.period BETWEEN r.value ->> 0 AND r.value ->> 1
  WHERE c.entity_ref NOT IN (${NOT_IN_LIBRARY}) GROUP BY c.entity_ref`;

const all = prepared((db) => db.$client.prepare<Ranked, [{ series: number; runs: string }]>(ALL_SQL));

/** Sums every entity of a series over periods, unordered. */
export function selectAll(db: Db, series: number, periods: readonly number[]): Ranked[] {
  return all(db).all({ series, runs: JSON.stringify(runsOf(periods)) });
}

/** Counts part of a day in the log, including entities deleted since. */
export const REST_RANKED_SQL = `SELECT l.entity_ref AS entityRef, count(*) AS count
  FROM activity l INDEXED BY activity_by_series
  WHERE l.series_ref = $series AND l.at BETWEEN $from AND $to AND l.left_out IS NULL
  GROUP BY l.entity_ref`;

const restRanked = prepared((db) => db.$client.prepare<Ranked, [{ series: number } & Span]>(REST_RANKED_SQL));

/** Counts every entity of a series over part of a day, unordered. */
export function selectRestOfAll(db: Db, series: number, rest: Span): Ranked[] {
  return restRanked(db).all({ series, ...rest });
}

/** Selects the entities that have counts in a series; a deleted entity has none left. */
export const ALIVE_SQL = `SELECT c.entity_ref AS ref FROM json_each($entities) e
  CROSS JOIN activity_counts c ON c.entity_ref = e.value AND c.series_ref = $series AND c.period = ${EVER}
  WHERE c.entity_ref NOT IN (${NOT_IN_LIBRARY})`;

const alive = prepared((db) =>
  db.$client.prepare<{ ref: number }, [{ entities: string; series: number }]>(ALIVE_SQL),
);

/** Returns the entities that still exist and have activity in the series. */
export function selectAlive(db: Db, series: number, entities: readonly number[]): number[] {
  if (entities.length === 0) return [];
  return alive(db)
    .all({ series, entities: JSON.stringify(entities) })
    .map(({ ref }) => ref);
}
