import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Reach } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { heardAmong } from "../../people/rooms/service.ts";
import { type Cover, coverSpan, EVER } from "./periods.ts";
import * as queries from "./queries.ts";
import { type Bounds, readBounds, refuseReversed, spanOf } from "./range.ts";
import { topOfSeries } from "./ranking.ts";
import {
  type Counts,
  METRICS,
  type Metric,
  type Stats,
  type StatsQuery,
  type Top,
  type TopQuery,
} from "./shapes.ts";

const MAX_IDS = 50;
const EVERYTHING: Cover = { periods: [EVER], rests: [] };

/**
 * Returns the counts of all six metrics for some of the account's tracks or playlists, in the order asked for.
 *
 * @throws DomainError `validation_failed` when `ids` holds no id or more than 50, a bound is not a time, or the range
 *   ends before it begins.
 */
export function entityStats(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId: ownerId, ...reach }: Reach & { accountId: LibraryId },
  { entity, ids: csv, ...bounds }: StatsQuery,
): Stats {
  const ids = readIds(csv);
  const heard = heardAmong({ db }, reach, { entity, ids });
  const asked = readBounds(bounds);
  const range = { since: asked.since ?? 0, until: asked.until ?? now() };
  refuseReversed(range);

  const found = new Map(queries.selectNamed(db, entity, ownerId, heard).map((row) => [row.id, row]));
  const refs = [...found.values()].flatMap(({ ref }) => ref ?? []);
  const counts = countsOf(db, ownerId, { entity, refs, bounds: range });
  const items = ids.flatMap((id) => {
    const row = found.get(id);
    if (!row) return [];
    const stats = counts.get(row.ref ?? 0) ?? noCounts();
    return { id, name: row.name, artist: row.artist, stats, total: sumOf(stats) };
  });
  return {
    entity,
    range: { since: toIso(range.since), until: toIso(range.until) },
    items,
    notFound: ids.filter((id) => !found.has(id)),
  };
}

/**
 * Returns the account's tracks or playlists with the highest counts of a metric, without deleted ones.
 *
 * @throws DomainError `validation_failed` as {@link entityStats} does.
 */
export function topEntities(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  { entity, metric, limit, ...query }: TopQuery,
): Top {
  const bounds = readBounds(query);
  refuseReversed(bounds);
  const { own, ofTracks } = seriesFor(db, ownerId, entity);
  const isAsked = (row: queries.SeriesRow) => row.metric === metric;
  const [series, trackSeries] = [own.find(isAsked), ofTracks.find(isAsked)];
  const happened =
    series && queries.selectHappened(db, refsOf(trackSeries ? [series, trackSeries] : [series]));
  const ranked = happened
    ? topOfSeries(db, { ref: series.ref, ofTracks: trackSeries?.ref }, coverOf(bounds, happened), limit)
    : [];

  const refs = ranked.map(({ entityRef }) => entityRef);
  const named = queries.selectNamedByRef(db, entity, ownerId, refs);
  const byRef = new Map(named.map((row) => [row.ref, row]));
  const items = ranked.flatMap(({ entityRef, count }) => {
    const row = byRef.get(entityRef);
    return row ? { id: row.id, name: row.name, artist: row.artist, count } : [];
  });
  const range = { since: toIsoOrNull(bounds.since), until: toIsoOrNull(bounds.until) };
  return { entity, metric, range, items };
}

type CountsRequest = { entity: Stats["entity"]; refs: readonly number[]; bounds: Bounds };

function countsOf(db: Db, ownerId: LibraryId, { entity, refs, bounds }: CountsRequest): Map<number, Counts> {
  const { own, ofTracks } = seriesFor(db, ownerId, entity);
  const metrics = new Map([...own, ...ofTracks].map(({ ref, metric }) => [ref, metric]));
  const counts = new Map(refs.map((ref) => [ref, noCounts()]));
  const [series, trackSeries] = [refsOf(own), refsOf(ofTracks)];
  const happened = queries.selectHappened(db, [...series, ...trackSeries]);
  if (!happened || refs.length === 0) return counts;

  const { periods, rests } = coverOf(bounds, happened) ?? EVERYTHING;
  const rows = [
    ...queries.selectCounts(db, { entities: refs, series, periods }),
    ...rests.flatMap((rest) => queries.selectRest(db, { entities: refs, series, rest })),
    ...rests.flatMap((rest) => queries.selectRestByPlaylist(db, trackSeries, rest)),
  ];
  for (const { entityRef, seriesRef, count } of rows) {
    const [of, metric] = [counts.get(entityRef), metrics.get(seriesRef)];
    if (of && metric) of[metric] += count;
  }
  return counts;
}

/**
 * Returns an account's series of one kind of entity. Activity on a track through a playlist's link counts for the
 * playlist too, but the log holds it only once, in the series of tracks. `ofTracks` lists those series; it is empty
 * when tracks are asked for.
 */
function seriesFor(db: Db, ownerId: LibraryId, entity: Stats["entity"]) {
  const all = queries.selectSeries(db, ownerId).filter(isMetric);
  return {
    own: all.filter((series) => series.entity === entity),
    ofTracks: entity === "playlist" ? all.filter((series) => series.entity === "track") : [],
  };
}

const refsOf = (rows: readonly queries.SeriesRow[]) => rows.map(({ ref }) => ref);
const isMetric = (series: queries.SeriesRow): series is queries.SeriesRow & { metric: Metric } =>
  series.metric !== "uploaded";

/** Returns undefined when the bounds include all activity. */
function coverOf(bounds: Bounds, happened: { from: number; to: number }): Cover | undefined {
  const span = spanOf(bounds, happened);
  return span && coverSpan(span);
}

/** Returns the distinct ids, in the order sent. */
function readIds(csv: string): string[] {
  const ids = csv
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length >= 1 && ids.length <= MAX_IDS) return [...new Set(ids)];
  throw invalidField("ids", "array_length", `must hold 1 to ${MAX_IDS} ids`);
}

const noCounts = (): Counts => ({ plays: 0, views: 0, downloads: 0, saved: 0, shares: 0, comments: 0 });
const sumOf = (counts: Counts) => METRICS.reduce((sum, metric) => sum + counts[metric], 0);
