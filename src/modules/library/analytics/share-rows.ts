import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { IS_LISTEN, shownParts } from "./listened.ts";
import type { ActivityMetric, Entity } from "./shapes.ts";

/** What happened through a link, as needed to say who heard what. */
export type ShareEvent = {
  metric: ActivityMetric;
  entity: Entity;
  entityId: string;
  at: number;
  /** Null when it was counted. */
  leftOut: string | null;
  visit: string | null;
  /** How much was heard, in whole seconds. */
  heardSec: number | null;
  /** The parts of a play, as JSON. */
  heard: string | null;
  stoppedSec: number | null;
};

const events = prepared((db) =>
  db.$client.prepare<ShareEvent, [string, number, number]>(
    `SELECT s.metric, e.entity, e.entity_id AS entityId, l.at, l.left_out AS leftOut, l.visit,
       l.heard_sec AS heardSec, ${shownParts("?1")}
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

/** How a link was used: the counted plays, and when it was last listened to, even if too short for a play. */
export type ShareUse = { shareId: string; lastActivityAt: number; lastHeardAt: number | null; plays: number };

/** Whether a link was used by an activity `a` in a series `s`. That it was made is no use of it. */
const IS_USE = `(s.metric <> 'shares' AND (a.left_out IS NULL OR ${IS_LISTEN}))`;

const uses = prepared((db) =>
  db.$client.prepare<ShareUse, [string, number, number, string | null]>(
    `SELECT a.share_id AS shareId, max(a.at) AS lastActivityAt,
       max(CASE WHEN ${IS_LISTEN} THEN a.at END) AS lastHeardAt,
       count(*) FILTER (WHERE s.metric = 'plays' AND a.left_out IS NULL) AS plays
     FROM json_each(?1) i CROSS JOIN activity a INDEXED BY activity_by_share ON a.share_id = i.value
       AND a.at BETWEEN ?2 AND ?3 AND (?4 IS NULL
         OR a.entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = ?4))
       JOIN activity_series s ON s.ref = a.series_ref
     WHERE ${IS_USE} GROUP BY a.share_id`,
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
       WHERE a.share_id = i.value AND ${IS_USE})`,
  ),
);

/** Returns those of the links that were never used. */
export function listUnusedShares(db: Db, shareIds: readonly string[]): string[] {
  return unused(db)
    .all(JSON.stringify(shareIds))
    .map(({ shareId }) => shareId);
}

const sharesOfTrack = prepared((db) =>
  db.$client.prepare<{ shareId: string }, [string, string]>(
    `SELECT share_id AS shareId FROM activity INDEXED BY activity_by_entity
     WHERE entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = ?2)
       AND left_out IS NULL AND share_id IS NOT NULL
     UNION SELECT a.share_id FROM activity_series s CROSS JOIN activity a INDEXED BY activity_left_out
       ON a.series_ref = s.ref AND a.left_out = 'short' AND ${IS_LISTEN}
     WHERE s.owner_id = ?1 AND s.entity = 'track' AND a.share_id IS NOT NULL
       AND a.entity_ref = (SELECT ref FROM activity_entities WHERE entity = 'track' AND entity_id = ?2)`,
  ),
);

/** Returns the links through which a track of an account was heard, or something else that counts happened to it. */
export function listSharesOfTrack(db: Db, ownerId: LibraryId, trackId: string): string[] {
  return sharesOfTrack(db)
    .all(ownerId, trackId)
    .map(({ shareId }) => shareId);
}
