import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { dayOf, periodsOf } from "./periods.ts";
import type { ActivityMetric, Entity } from "./shapes.ts";

const seriesByName = prepared((db) =>
  db.$client.prepare<{ ref: number }, [string, Entity, ActivityMetric]>(
    "SELECT ref FROM activity_series WHERE owner_id = ? AND entity = ? AND metric = ?",
  ),
);

/** Returns the number of an account's series, or undefined while the series has no activity. */
export function findSeries(
  db: Db,
  ownerId: LibraryId,
  entity: Entity,
  metric: ActivityMetric,
): number | undefined {
  return seriesByName(db).get(ownerId, entity, metric)?.ref;
}

/** Returns the number of an account's series; creates the series if it is missing. */
export function ensureSeries(tx: Db, ownerId: LibraryId, entity: Entity, metric: ActivityMetric): number {
  const known = findSeries(tx, ownerId, entity, metric);
  if (known !== undefined) return known;
  const sql = "INSERT INTO activity_series (owner_id, entity, metric) VALUES (?, ?, ?)";
  return Number(tx.$client.query(sql).run(ownerId, entity, metric).lastInsertRowid);
}

/** Returns the number of the playlist series with the same account and metric as another series. */
export function ensurePlaylistSeries(tx: Db, seriesRef: number): number {
  const series = tx.$client
    .query<{ ownerId: LibraryId; metric: ActivityMetric }, [number]>(
      "SELECT owner_id AS ownerId, metric FROM activity_series WHERE ref = ?",
    )
    .get(seriesRef);
  if (!series) throw new Error(`There is no series ${seriesRef}`);
  return ensureSeries(tx, series.ownerId, "playlist", series.metric);
}

const entityById = prepared((db) =>
  db.$client.prepare<{ ref: number }, [Entity, string]>(
    "SELECT ref FROM activity_entities WHERE entity = ? AND entity_id = ?",
  ),
);

/**
 * Returns the number of a track or playlist; assigns one at its first activity. Undefined when the account was deleted
 * meanwhile.
 */
export function ensureEntity(
  tx: Db,
  ownerId: LibraryId,
  entity: Entity,
  entityId: string,
): number | undefined {
  const known = entityById(tx).get(entity, entityId);
  if (known) return known.ref;
  const sql = `INSERT INTO activity_entities (owner_id, entity, entity_id)
    SELECT id, ?2, ?3 FROM accounts WHERE id = ?1`;
  const { changes, lastInsertRowid } = tx.$client.query(sql).run(ownerId, entity, entityId);
  return changes === 1 ? Number(lastInsertRowid) : undefined;
}

/** One row of the log. */
export type LogRow = {
  id: string;
  seriesRef: number;
  entityRef: number;
  /** The playlist whose link led to the track. */
  playlistRef: number | null;
  at: number;
  actorType: "user" | "visitor" | "system";
  actorName: string | null;
  shareId: string | null;
  leftOut: string | null;
  visit: string | null;
  heardSec: number | null;
  heard: string | null;
  stoppedSec: number | null;
};

const logRow = prepared((db) =>
  db.$client.prepare<void, [LogRow]>(
    `INSERT INTO activity
       (id, series_ref, entity_ref, playlist_ref, at, actor_type, actor_name, share_id, left_out, visit, heard_sec,
       heard, stopped_sec)
     VALUES ($id, $seriesRef, $entityRef, $playlistRef, $at, $actorType, $actorName, $shareId, $leftOut, $visit, $heardSec,
       $heard, $stoppedSec)`,
  ),
);

/** Appends to the log; returns the row's number. */
export function insertLogRow(tx: Db, row: LogRow): number {
  return Number(logRow(tx).run(row).lastInsertRowid);
}

/** The columns of a row that counting needs. */
export type CountedRow = Pick<LogRow, "seriesRef" | "entityRef" | "playlistRef" | "at" | "leftOut">;

/** The place where activity is counted: a track or playlist, in a series of its kind. */
export type CountPlace = Pick<LogRow, "seriesRef" | "entityRef">;

export function findLogRow(db: Db, seq: number): CountedRow | undefined {
  const row = db.$client
    .query<CountedRow, [number]>(
      `SELECT series_ref AS seriesRef, entity_ref AS entityRef, playlist_ref AS playlistRef, at,
         left_out AS leftOut
       FROM activity WHERE seq = ?`,
    )
    .get(seq);
  return row ?? undefined;
}

export function updateLeftOut(tx: Db, seq: number, leftOut: string | null): void {
  tx.$client.query("UPDATE activity SET left_out = ? WHERE seq = ?").run(leftOut, seq);
}

const heardOfPlay = prepared((db) =>
  db.$client.prepare<void, [number | null, string | null, number | null, number]>(
    "UPDATE activity SET heard_sec = ?, heard = ?, stopped_sec = ? WHERE seq = ?",
  ),
);

export function updateHeard(
  tx: Db,
  seq: number,
  { heardSec, heard, stoppedSec }: Pick<LogRow, "heardSec" | "heard" | "stoppedSec">,
): void {
  heardOfPlay(tx).run(heardSec, heard, stoppedSec, seq);
}

/** Returns true unless the track or playlist was deleted. */
export function exists(db: Db, { entityRef }: CountPlace): boolean {
  const found = db.$client
    .query<{ found: 0 | 1 }, [number]>(
      `SELECT EXISTS (SELECT 1 FROM tracks t WHERE t.id = e.entity_id)
         OR EXISTS (SELECT 1 FROM playlists p WHERE p.id = e.entity_id) AS found
       FROM activity_entities e WHERE e.ref = ?`,
    )
    .get(entityRef);
  return found?.found === 1;
}

/** Lowers the count of a day by one; deletes a count that reaches zero, as if it had never existed. */
export function uncountDay(tx: Db, seriesRef: number, at: number): void {
  const { $client } = tx;
  const day = [seriesRef, dayOf(at)] as const;
  $client.query("UPDATE activity_days SET count = count - 1 WHERE series_ref = ? AND day = ?").run(...day);
  $client.query("DELETE FROM activity_days WHERE series_ref = ? AND day = ? AND count < 1").run(...day);
}

/** Lowers the count of an entity by one in every period that includes the time; deletes counts that reach zero. */
export function uncountEntity(tx: Db, { entityRef, seriesRef }: CountPlace, at: number): void {
  const { $client } = tx;
  const place = "WHERE entity_ref = ? AND series_ref = ? AND period = ?";
  for (const period of periodsOf(at)) {
    const key = [entityRef, seriesRef, period] as const;
    $client.query(`UPDATE activity_counts SET count = count - 1 ${place}`).run(...key);
    $client.query(`DELETE FROM activity_counts ${place} AND count < 1`).run(...key);
  }
}

/** A log row caused by a visitor of a link. */
export type VisitorRow = Pick<LogRow, "at" | "leftOut" | "heardSec" | "heard" | "stoppedSec"> & {
  seq: number;
};

/** Which visitor's activity to find, and since when. */
export type VisitorLookup = {
  shareId: string;
  visit: string;
  metric: ActivityMetric;
  entityId: string;
  /** Exclusive. */
  since: number;
};

const visitorRows = prepared((db) =>
  db.$client.prepare<VisitorRow, [VisitorLookup]>(
    `SELECT l.seq, l.at, l.left_out AS leftOut, l.heard_sec AS heardSec, l.heard, l.stopped_sec AS stoppedSec
     FROM activity l INDEXED BY activity_by_share
     JOIN activity_series s ON s.ref = l.series_ref AND s.metric = $metric
     JOIN activity_entities e ON e.ref = l.entity_ref AND e.entity_id = $entityId
     WHERE l.share_id = $shareId AND l.at > $since AND l.visit = $visit
     ORDER BY l.at DESC, l.seq DESC`,
  ),
);

/** Returns the activity of a link's visitor since a time, newest first. Served by `activity_by_share`. */
export function selectVisitorRows(db: Db, wanted: VisitorLookup): VisitorRow[] {
  return visitorRows(db).all(wanted);
}

const dayCount = prepared((db) =>
  db.$client.prepare<void, [number, number]>(
    `INSERT INTO activity_days (series_ref, day, count) VALUES (?, ?, 1)
     ON CONFLICT (series_ref, day) DO UPDATE SET count = count + 1`,
  ),
);

/** Raises the count of a day of a series by one. */
export function countDay(tx: Db, seriesRef: number, at: number): void {
  dayCount(tx).run(seriesRef, dayOf(at));
}

const entityCount = prepared((db) =>
  db.$client.prepare<void, [number, number, number]>(
    `INSERT INTO activity_counts (entity_ref, series_ref, period, count) VALUES (?, ?, ?, 1)
     ON CONFLICT (entity_ref, series_ref, period) DO UPDATE SET count = count + 1`,
  ),
);

/** Raises the count of an entity by one in every period that includes the time. */
export function countEntity(tx: Db, { entityRef, seriesRef }: CountPlace, at: number): void {
  for (const period of periodsOf(at)) entityCount(tx).run(entityRef, seriesRef, period);
}

const accountName = prepared((db) =>
  db.$client.prepare<{ name: string }, [string]>("SELECT name FROM accounts WHERE id = ?"),
);

export function findAccountName(db: Db, accountId: LibraryId): string | null {
  return accountName(db).get(accountId)?.name ?? null;
}

const fileOwner = prepared((db) =>
  db.$client.prepare<{ ownerId: LibraryId; trackId: string }, [string]>(
    `SELECT t.owner_id AS ownerId, t.id AS trackId
     FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = ?`,
  ),
);

/** Returns the track of a version and its owner, whichever account asks. */
export function findTrackOfVersion(
  db: Db,
  versionId: string,
): { ownerId: LibraryId; trackId: string } | null {
  return fileOwner(db).get(versionId);
}

/** A log row, as the owner of a link sees it. */
export type ShareRow = {
  seq: number;
  id: string;
  metric: ActivityMetric;
  entity: Entity;
  entityId: string;
  at: number;
  actorType: LogRow["actorType"];
  actorName: string | null;
  leftOut: string | null;
  visit: string | null;
  heardSec: number | null;
};

/** Returns at most `limit` rows that came through a link, from before a place in the log, newest first. */
export function selectShareRows(
  db: Db,
  query: {
    ownerId: LibraryId;
    shareId: string;
    /** 0 leaves out what was heard. */
    hasPlays: number;
    beforeAt: number;
    beforeSeq: number;
    limit: number;
  },
): ShareRow[] {
  return db.$client
    .query<ShareRow, [typeof query]>(
      `SELECT l.seq, l.id, s.metric, e.entity, e.entity_id AS entityId, l.at, l.actor_type AS actorType,
         l.actor_name AS actorName, l.left_out AS leftOut, l.visit, l.heard_sec AS heardSec
       FROM activity l
       JOIN activity_series s ON s.ref = l.series_ref AND s.owner_id = $ownerId
       JOIN activity_entities e ON e.ref = l.entity_ref
       WHERE l.share_id = $shareId AND (l.at, l.seq) < ($beforeAt, $beforeSeq)
         AND ($hasPlays = 1 OR s.metric <> 'plays')
       ORDER BY l.at DESC, l.seq DESC LIMIT $limit`,
    )
    .all(query);
}
