import { type Db, prepared } from "../../../db/client.ts";
import type { ActivityMetric, Entity } from "./model.ts";
import { dayOf, periodsOf } from "./periods.ts";

const seriesByName = prepared((db) =>
  db.$client.prepare<{ ref: number }, [string, Entity, ActivityMetric]>(
    "SELECT ref FROM activity_series WHERE owner_id = ? AND entity = ? AND metric = ?",
  ),
);

/** Returns the number of an account's series, or undefined while nothing of its kind has happened. */
export function findSeries(
  db: Db,
  ownerId: string,
  entity: Entity,
  metric: ActivityMetric,
): number | undefined {
  return seriesByName(db).get(ownerId, entity, metric)?.ref;
}

/** Returns the number of an account's series, made when it is the first. */
export function ensureSeries(tx: Db, ownerId: string, entity: Entity, metric: ActivityMetric): number {
  const known = findSeries(tx, ownerId, entity, metric);
  if (known !== undefined) return known;
  const sql = "INSERT INTO activity_series (owner_id, entity, metric) VALUES (?, ?, ?)";
  return Number(tx.$client.query(sql).run(ownerId, entity, metric).lastInsertRowid);
}

const entityById = prepared((db) =>
  db.$client.prepare<{ ref: number }, [Entity, string]>(
    "SELECT ref FROM activity_entities WHERE entity = ? AND entity_id = ?",
  ),
);

/** Returns the number of a track or playlist, made when nothing has happened to it before. */
export function ensureEntity(tx: Db, ownerId: string, entity: Entity, entityId: string): number {
  const known = entityById(tx).get(entity, entityId);
  if (known) return known.ref;
  const sql = "INSERT INTO activity_entities (owner_id, entity, entity_id) VALUES (?, ?, ?)";
  return Number(tx.$client.query(sql).run(ownerId, entity, entityId).lastInsertRowid);
}

/** One row of the log. */
export type LogRow = {
  id: string;
  seriesRef: number;
  entityRef: number;
  at: number;
  actorType: "user" | "visitor" | "system";
  actorName: string | null;
  shareId: string | null;
  leftOut: string | null;
};

const logRow = prepared((db) =>
  db.$client.prepare<void, [LogRow]>(
    `INSERT INTO activity (id, series_ref, entity_ref, at, actor_type, actor_name, share_id, left_out)
     VALUES ($id, $seriesRef, $entityRef, $at, $actorType, $actorName, $shareId, $leftOut)`,
  ),
);

export function insertLogRow(tx: Db, row: LogRow): void {
  logRow(tx).run(row);
}

const dayCount = prepared((db) =>
  db.$client.prepare<void, [number, number]>(
    `INSERT INTO activity_days (series_ref, day, count) VALUES (?, ?, 1)
     ON CONFLICT (series_ref, day) DO UPDATE SET count = count + 1`,
  ),
);

/** Counts one more on a day of a series. */
export function countDay(tx: Db, seriesRef: number, at: number): void {
  dayCount(tx).run(seriesRef, dayOf(at));
}

const entityCount = prepared((db) =>
  db.$client.prepare<void, [number, number, number]>(
    `INSERT INTO activity_counts (entity_ref, series_ref, period, count) VALUES (?, ?, ?, 1)
     ON CONFLICT (entity_ref, series_ref, period) DO UPDATE SET count = count + 1`,
  ),
);

/** Counts one more for an entity in every period that the time lies in. */
export function countEntity(tx: Db, entityRef: number, seriesRef: number, at: number): void {
  for (const period of periodsOf(at)) entityCount(tx).run(entityRef, seriesRef, period);
}

const accountName = prepared((db) =>
  db.$client.prepare<{ name: string }, [string]>("SELECT name FROM accounts WHERE id = ?"),
);

export function findAccountName(db: Db, accountId: string): string | null {
  return accountName(db).get(accountId)?.name ?? null;
}

const fileOwner = prepared((db) =>
  db.$client.prepare<{ ownerId: string; trackId: string }, [string]>(
    `SELECT t.owner_id AS ownerId, t.id AS trackId
     FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = ?`,
  ),
);

/** Returns whose track a version belongs to, whoever asks. */
export function findTrackOfVersion(db: Db, versionId: string): { ownerId: string; trackId: string } | null {
  return fileOwner(db).get(versionId);
}

/** A row of the log as a link's owner sees it. */
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
};

/** Returns at most `limit` rows that came by a link and lie before a place in the log, newest first. */
export function selectShareRows(
  db: Db,
  query: { ownerId: string; shareId: string; beforeAt: number; beforeSeq: number; limit: number },
): ShareRow[] {
  return db.$client
    .query<ShareRow, [typeof query]>(
      `SELECT l.seq, l.id, s.metric, e.entity, e.entity_id AS entityId, l.at, l.actor_type AS actorType,
         l.actor_name AS actorName, l.left_out AS leftOut
       FROM activity l
       JOIN activity_series s ON s.ref = l.series_ref AND s.owner_id = $ownerId
       JOIN activity_entities e ON e.ref = l.entity_ref
       WHERE l.share_id = $shareId AND (l.at, l.seq) < ($beforeAt, $beforeSeq)
       ORDER BY l.at DESC, l.seq DESC LIMIT $limit`,
    )
    .all(query);
}
