import { type Db, prepared } from "../../../db/client.ts";
import type { ActivityMetric, Entity } from "./model.ts";

/** What happened through a link, as needed to say who heard what. */
export type ShareEvent = {
  metric: ActivityMetric;
  entity: Entity;
  entityId: string;
  at: number;
  /** Null when it was counted. */
  leftOut: string | null;
  visit: string | null;
  /** The parts of a play, as JSON. */
  heard: string | null;
  stoppedSec: number | null;
};

const events = prepared((db) =>
  db.$client.prepare<ShareEvent, [string, number, number]>(
    `SELECT s.metric, e.entity, e.entity_id AS entityId, l.at, l.left_out AS leftOut, l.visit, l.heard,
       l.stopped_sec AS stoppedSec
     FROM activity l INDEXED BY activity_by_share
     JOIN activity_series s ON s.ref = l.series_ref
     JOIN activity_entities e ON e.ref = l.entity_ref
     WHERE l.share_id = ?1 AND l.at BETWEEN ?2 AND ?3 AND s.metric <> 'shares' ORDER BY l.at, l.seq`,
  ),
);

/** From when to when, in epoch milliseconds; left out: ever. */
type Within = { from?: number; to?: number };
const EVER = Number.MAX_SAFE_INTEGER;

/** Returns everything that happened through a link, oldest first. Served by `activity_by_share`. */
export function listShareEvents(db: Db, shareId: string, { from = 0, to = EVER }: Within = {}): ShareEvent[] {
  return events(db).all(shareId, from, to);
}

/** How a link was used last. */
export type ShareUse = { shareId: string; lastActivityAt: number; lastHeardAt: number | null; plays: number };

const uses = prepared((db) =>
  db.$client.prepare<ShareUse, [string, number, number, string | null]>(
    `SELECT a.share_id AS shareId, max(a.at) AS lastActivityAt,
       max(CASE WHEN s.metric = 'plays' THEN a.at END) AS lastHeardAt, sum(s.metric = 'plays') AS plays
     FROM json_each(?1) i CROSS JOIN activity a INDEXED BY activity_by_share ON a.share_id = i.value
       AND a.at BETWEEN ?2 AND ?3 AND (?4 IS NULL
         OR a.entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = ?4))
       JOIN activity_series s ON s.ref = a.series_ref
     WHERE a.left_out IS NULL AND s.metric <> 'shares' GROUP BY a.share_id`,
  ),
);

/** Which uses are meant: when, and of which track. */
type Meant = Within & { trackId?: string | undefined };

/** Returns when links were used last, by link; a link without such a use has no entry. */
export function usesOfShares(
  db: Db,
  shareIds: readonly string[],
  { from = 0, to = EVER, trackId }: Meant = {},
): Map<string, ShareUse> {
  return new Map(
    uses(db)
      .all(JSON.stringify(shareIds), from, to, trackId ?? null)
      .map((use) => [use.shareId, use]),
  );
}

const unused = prepared((db) =>
  db.$client.prepare<{ shareId: string }, [string]>(
    `SELECT i.value AS shareId FROM json_each(?1) i WHERE NOT EXISTS (
       SELECT 1 FROM activity a INDEXED BY activity_by_share JOIN activity_series s ON s.ref = a.series_ref
       WHERE a.share_id = i.value AND a.left_out IS NULL AND s.metric <> 'shares')`,
  ),
);

/** Returns those of some links through which nothing that counts has ever happened. */
export function listUnusedShares(db: Db, shareIds: readonly string[]): string[] {
  return unused(db)
    .all(JSON.stringify(shareIds))
    .map(({ shareId }) => shareId);
}

const sharesOfTrack = prepared((db) =>
  db.$client.prepare<{ shareId: string }, [string]>(
    `SELECT DISTINCT share_id AS shareId FROM activity
     WHERE entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = ?1)
       AND left_out IS NULL AND share_id IS NOT NULL`,
  ),
);

/** Returns the links through which something that counts happened to a track. */
export function listSharesOfTrack(db: Db, trackId: string): string[] {
  return sharesOfTrack(db)
    .all(trackId)
    .map(({ shareId }) => shareId);
}
