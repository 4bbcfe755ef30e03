import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { shownParts } from "./listened.ts";
import { dayOf, type Span } from "./periods.ts";
import type { ActivityMetric } from "./shapes.ts";

/** How often something was counted on a UTC day, `20260115`. */
export type DayRow = { day: number; metric: ActivityMetric; count: number };

/** Sums an account's days, by the primary key of `activity_days`. */
export const DAYS_SQL = `SELECT d.day, s.metric, sum(d.count) AS count
  FROM activity_series s CROSS JOIN activity_days d ON d.series_ref = s.ref AND d.day BETWEEN $from AND $to
  WHERE s.owner_id = $ownerId GROUP BY d.day, s.metric`;

const days = prepared((db) => db.$client.prepare<DayRow, [{ ownerId: LibraryId } & Span]>(DAYS_SQL));

/** Returns what was counted on each UTC day of a span, in no order; a day without activity has no row. */
export function selectDays(db: Db, ownerId: LibraryId, { from, to }: Span): DayRow[] {
  return days(db).all({ ownerId, from: dayOf(from), to: dayOf(to) });
}

const firstDay = prepared((db) =>
  db.$client.prepare<{ day: number | null }, [string]>(
    `SELECT min((SELECT min(d.day) FROM activity_days d WHERE d.series_ref = s.ref)) AS day
     FROM activity_series s WHERE s.owner_id = ?`,
  ),
);

/** Returns the first UTC day with activity on an account's things, `20260115`; null: there is none. */
export function selectFirstDay(db: Db, ownerId: LibraryId): number | null {
  return firstDay(db).get(ownerId)?.day ?? null;
}

/** What was left out of the counts for one reason. */
export type LeftOutRow = { reason: string; count: number };

/** Counts by `activity_left_out`, one seek for each series and reason. */
export const LEFT_OUT_SQL = `SELECT r.value AS reason, count(*) AS count
  FROM activity_series s CROSS JOIN json_each($reasons) r
  CROSS JOIN activity l INDEXED BY activity_left_out
    ON l.series_ref = s.ref AND l.left_out = r.value AND l.at BETWEEN $from AND $to
  WHERE s.owner_id = $ownerId GROUP BY r.value ORDER BY count DESC, r.value`;

const leftOut = prepared((db) =>
  db.$client.prepare<LeftOutRow, [{ ownerId: LibraryId; reasons: string } & Span]>(LEFT_OUT_SQL),
);

/** Returns how often something was left out of an account's counts for each of some reasons, the most first. */
export function selectLeftOut(
  db: Db,
  ownerId: LibraryId,
  reasons: readonly string[],
  span: Span,
): LeftOutRow[] {
  return leftOut(db).all({ ownerId, reasons: JSON.stringify(reasons), ...span });
}

/** A listen of a track: a play, or one that was too short for a play. */
export type ListenRow = {
  at: number;
  visit: string | null;
  heardSec: number | null;
  heard: string | null;
  stoppedSec: number | null;
  leftOut: string | null;
};

/** Reads the newest plays of a track by `activity_by_entity`, and the newest short listens by `activity_left_out`. */
export const LISTENS_SQL = `SELECT l.at, l.visit, l.heard_sec AS heardSec, l.left_out AS leftOut, ${shownParts("l.share_id")}
  FROM activity l WHERE l.seq IN (
    SELECT seq FROM (SELECT p.seq FROM activity p INDEXED BY activity_by_entity
      WHERE p.entity_ref = $entityRef AND p.series_ref = $seriesRef AND p.at BETWEEN $from AND $to AND p.left_out IS NULL
      ORDER BY p.at DESC LIMIT $limit)
    UNION ALL
    SELECT seq FROM (SELECT q.seq FROM activity q INDEXED BY activity_left_out
      WHERE q.series_ref = $seriesRef AND q.left_out = 'short' AND q.at BETWEEN $from AND $to
        AND q.entity_ref = $entityRef
      ORDER BY q.at DESC LIMIT $limit)
  ) ORDER BY l.at, l.seq`;

const listens = prepared((db) =>
  db.$client.prepare<ListenRow, [{ entityRef: number; seriesRef: number; limit: number } & Span]>(
    LISTENS_SQL,
  ),
);

/** Returns the newest `limit` plays of a track within a span, and as many listens too short for a play, oldest first. */
export function selectListens(
  db: Db,
  track: { entityRef: number; seriesRef: number; limit: number },
  span: Span,
): ListenRow[] {
  return listens(db).all({ ...track, ...span });
}

/** Counts by `activity_by_series`. */
export const COUNTED_SQL = `SELECT s.metric, count(*) AS count
  FROM activity_series s CROSS JOIN activity l INDEXED BY activity_by_series
    ON l.series_ref = s.ref AND l.at BETWEEN $from AND $to AND l.left_out IS NULL
  WHERE s.owner_id = $ownerId GROUP BY s.metric`;

const counted = prepared((db) =>
  db.$client.prepare<Pick<DayRow, "metric" | "count">, [{ ownerId: LibraryId } & Span]>(COUNTED_SQL),
);

/** Returns what was counted within a span, to the millisecond. */
export function selectCounted(db: Db, ownerId: LibraryId, span: Span): Pick<DayRow, "metric" | "count">[] {
  return counted(db).all({ ownerId, ...span });
}
