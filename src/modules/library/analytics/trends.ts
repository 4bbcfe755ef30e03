import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Span } from "./periods.ts";
import { selectNamed } from "./queries.ts";
import type { LeftOut } from "./record.ts";
import { findSeries } from "./record-queries.ts";
import type { ActivityMetric } from "./shapes.ts";
import * as queries from "./trends-queries.ts";

export type { ListenRow } from "./trends-queries.ts";
export type { Span };

/** What was counted on one UTC day, `2026-01-15`. */
export type DayCount = { day: string; metric: ActivityMetric; count: number };

const REASONS: readonly LeftOut[] = [
  "owner",
  "repeat",
  "machine",
  "head",
  "prefetch",
  "unseen",
  "short",
  "incomplete",
];
/** More of the same track say nothing new of where its listeners stop. */
const MAX_LISTENS = 500;

/** Returns what was counted on each UTC day of a span, in no order; a day without activity has no row. */
export function countsByDay(db: Db, ownerId: LibraryId, span: Span): DayCount[] {
  return queries.selectDays(db, ownerId, span).map((row) => ({ ...row, day: nameOf(row.day) }));
}

/** Returns what was counted within a span, by metric; a metric without activity is left out. */
export function countActivity(
  db: Db,
  ownerId: LibraryId,
  span: Span,
): Partial<Record<ActivityMetric, number>> {
  return Object.fromEntries(
    queries.selectCounted(db, ownerId, span).map(({ metric, count }) => [metric, count]),
  );
}

/** Returns the first UTC day with activity on an account's things, or undefined. */
export function firstActiveDay(db: Db, ownerId: LibraryId): string | undefined {
  const day = queries.selectFirstDay(db, ownerId);
  return day === null ? undefined : nameOf(day);
}

/** Turns `20260115` into `2026-01-15`. */
const nameOf = (day: number) => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

/** Returns how often something was left out of an account's counts, by the reason, the most first. */
export function countLeftOut(db: Db, ownerId: LibraryId, span: Span): queries.LeftOutRow[] {
  return queries.selectLeftOut(db, ownerId, REASONS, span);
}

/** Returns the listens of a track of the account within a span, also those too short for a play, oldest first. */
export function listListens(db: Db, ownerId: LibraryId, trackId: string, span: Span): queries.ListenRow[] {
  const seriesRef = findSeries(db, ownerId, "track", "plays");
  const [track] = selectNamed(db, "track", ownerId, [trackId]);
  if (seriesRef === undefined || !track || track.ref === null) return [];
  return queries.selectListens(db, { entityRef: track.ref, seriesRef, limit: MAX_LISTENS }, span);
}
