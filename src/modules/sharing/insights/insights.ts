import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import {
  countLeftOut,
  countsByDay,
  type DayCount,
  dashboard,
  entityStats,
  firstActiveDay,
  listListens,
  readBounds,
  refuseReversed,
  topEntities,
} from "../../library/analytics/service.ts";
import { answerFigures, reachOf } from "../shares/service.ts";
import { howFar } from "./how-far.ts";
import { selectFacts } from "./queries.ts";
import { before, type Days, dayName, startOfDay, stepFor, stepsOf } from "./range.ts";
import type { Insights, InsightsQuery, InsightTrack, Totals } from "./shapes.ts";

type InsightDeps = Pick<Deps, "db" | "now" | "settings">;

const LIMIT = 10;

/**
 * Returns what happened to an account's music within whole UTC days, beside as many days before: how often, of what, by
 * whom, how far, and what was left out of the counts.
 *
 * @throws DomainError `validation_failed` for a bound that is no time, or a range that ends before it begins.
 */
export function getInsights(deps: InsightDeps, ownerId: LibraryId, query: InsightsQuery): Insights {
  const { db } = deps;
  const days = daysOf(deps, ownerId, query);
  const earlier = query.since === undefined && query.days === undefined ? null : before(days);
  const by = stepFor(days, query.by ?? "day");
  const counts = countsByDay(db, ownerId, days);
  const countsBefore = earlier && countsByDay(db, ownerId, earlier);
  const { rangeLabel, headline, blurb } = dashboard(deps, ownerId).thisWeek;
  return {
    range: { ...nameDays(days), by },
    before: earlier && nameDays(earlier),
    week: { rangeLabel, headline, blurb },
    totals: sumUp(counts),
    totalsBefore: countsBefore && sumUp(countsBefore),
    series: seriesOf({ days, earlier, by }, counts, countsBefore),
    tracks: topTracks(deps, ownerId, days, earlier),
    ...reachOf(deps, ownerId, days, LIMIT),
    answers: answerFigures(deps, ownerId, days),
    notCounted: countLeftOut(db, ownerId, days),
  };
}

const nameDays = ({ from, to }: Days) => ({ since: dayName(from), until: dayName(to) });

function daysOf({ db, now }: InsightDeps, ownerId: LibraryId, query: InsightsQuery): Days {
  const { since, until } = readBounds(query);
  const last = startOfDay(until ?? now());
  const first = Date.parse(firstActiveDay(db, ownerId) ?? dayName(last));
  const from = startOfDay(since ?? (query.days ? last - (query.days - 1) * DAY_MS : Math.min(first, last)));
  refuseReversed({ since: from, until: last });
  return { from, to: last + DAY_MS - 1 };
}

function sumUp(counts: readonly DayCount[]): Totals {
  const totals: Totals = {
    plays: 0,
    views: 0,
    downloads: 0,
    comments: 0,
    saved: 0,
    shares: 0,
    uploaded: 0,
  };
  for (const { metric, count } of counts) totals[metric] += count;
  return totals;
}

type Chart = { days: Days; earlier: Days | null; by: Insights["range"]["by"] };

/** The time before is drawn beneath by position: its first day below the first day. */
function seriesOf(
  { days, earlier, by }: Chart,
  counts: readonly DayCount[],
  countsBefore: readonly DayCount[] | null,
): Insights["series"] {
  const shiftMs = earlier === null ? 0 : days.from - earlier.from;
  const moved = countsBefore?.map((each) => ({ ...each, day: dayName(Date.parse(each.day) + shiftMs) }));
  return stepsOf(days, by).map(({ from, to }) => {
    const within = ({ day }: DayCount) => day >= from && day <= to;
    const { plays, views, downloads, comments } = sumUp(counts.filter(within));
    const playsBefore = moved ? sumUp(moved.filter(within)).plays : null;
    return { from, to, plays, views, downloads, comments, playsBefore };
  });
}

function topTracks(deps: InsightDeps, ownerId: LibraryId, days: Days, earlier: Days | null): InsightTrack[] {
  const { db } = deps;
  const { items } = topEntities(deps, ownerId, {
    entity: "track",
    metric: "plays",
    limit: LIMIT,
    ...boundsOf(days),
  });
  const ids = items.map(({ id }) => id);
  const facts = selectFacts(db, ids);
  const playsBefore = earlier && playsOf(deps, ownerId, ids, earlier);
  return items.map(({ id, name, artist, count }) => {
    const { title = null, durationSec = null } = facts.get(id) ?? {};
    return {
      trackId: id,
      title: title ?? name,
      artist,
      durationSec,
      plays: count,
      playsBefore: playsBefore && (playsBefore.get(id) ?? 0),
      ...howFar(listListens(db, ownerId, id, days), durationSec),
    };
  });
}

const boundsOf = ({ from, to }: Days) => ({
  since: new Date(from).toISOString(),
  until: new Date(to).toISOString(),
});

function playsOf(
  deps: InsightDeps,
  ownerId: LibraryId,
  ids: readonly string[],
  days: Days,
): ReadonlyMap<string, number> {
  if (ids.length === 0) return new Map();
  const asked = { entity: "track" as const, ids: ids.join(","), ...boundsOf(days) };
  const { items } = entityStats(deps, { accountId: ownerId }, asked);
  return new Map(items.map(({ id, stats }) => [id, stats.plays]));
}
