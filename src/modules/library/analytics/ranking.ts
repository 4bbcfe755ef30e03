import type { Db } from "../../../../db/client.ts";
import { type Cover, EVER, isMonth, isYear } from "./periods.ts";
import { selectCounts, selectRestByPlaylist } from "./queries.ts";
import { type Ranked, selectAlive, selectAll, selectRanked, selectRestOfAll } from "./ranking-queries.ts";

/** How deep each round reads the lists of months, relative to the first; after the last round, everything is summed. */
const ROUNDS = [1, 4, 16];
const depthOf = (limit: number, round: number) => (3 * limit + 16) * round;

/**
 * Returns the `limit` entities of a series with the highest counts: highest first; between equals, the older entity.
 * Without `cover` all time counts.
 *
 * A range is several lists in rank order, one per calendar period in it. The first entries of each list become
 * candidates, and each candidate's sum is exact. Any other entity has at most the sum of the counts at which the lists
 * were cut off. When that sum is below the count of the last of the best, no entity can be missing.
 *
 * @see R. Fagin, A. Lotem, M. Naor, "Optimal aggregation algorithms for middleware", 2003, section 4 (TA)
 */
export function topOfSeries(
  db: Db,
  { ref: series, ofTracks }: RankedSeries,
  cover: Cover | undefined,
  limit: number,
): Ranked[] {
  if (!cover) return selectRanked(db, series, EVER, limit);
  const rest = restCounts(db, series, cover);
  if (ofTracks !== undefined)
    for (const part of cover.rests) addTo(rest, selectRestByPlaylist(db, [ofTracks], part));
  const lists = { periods: cover.periods, rest };
  for (const round of ROUNDS) {
    const best = bestOfCandidates(db, series, lists, { depth: depthOf(limit, round), limit });
    if (best) return best;
  }
  return firstOf(addEverything(db, series, lists), limit);
}

/** A series by its number; for playlists, also the series of tracks that counts for them. */
export type RankedSeries = { ref: number; ofTracks: number | undefined };

type Sums = Map<number, number>;
type Lists = { periods: number[]; rest: Sums };

/** Returns the best, or undefined when an entity outside the candidates might belong to them. */
function bestOfCandidates(
  db: Db,
  series: number,
  { periods, rest }: Lists,
  { depth, limit }: { depth: number; limit: number },
): Ranked[] | undefined {
  const candidates = new Set<number>();
  let most = 0; // the highest count that an entity outside the candidates can have
  for (const period of periods) {
    const length = lengthOf(period, depth);
    most += addFirst(candidates, selectRanked(db, series, period, length), length);
  }
  const known = new Set(candidates);
  most += addFirst(candidates, firstOf(rest, depth), depth);
  const alive = new Set(selectAlive(db, series, [...candidates.difference(known)]));

  const entities = [...candidates].filter((ref) => known.has(ref) || alive.has(ref));
  const sums: Sums = new Map(entities.map((ref) => [ref, rest.get(ref) ?? 0]));
  const best = firstOf(addTo(sums, selectCounts(db, { entities, series: [series], periods })), limit);
  const last = best.length === limit ? (best.at(-1)?.count ?? 0) : 0;
  return most === 0 || last > most ? best : undefined;
}

/** Reads longer periods deeper: they hold more entities that no other list has, and their next entry counts more. */
function lengthOf(period: number, depth: number): number {
  if (isYear(period)) return depth * 4;
  return isMonth(period) ? depth : Math.ceil(depth / 4);
}

/** Makes the first entries of a list candidates; returns the highest count that its next entry can have. */
function addFirst(candidates: Set<number>, list: readonly Ranked[], length: number): number {
  for (const { entityRef } of list) candidates.add(entityRef);
  return list.length < length ? 0 : (list.at(-1)?.count ?? 0);
}

/** Counts the parts of days by entity, including deleted entities. */
function restCounts(db: Db, series: number, { rests }: Cover): Sums {
  const sums: Sums = new Map();
  for (const rest of rests) addTo(sums, selectRestOfAll(db, series, rest));
  return sums;
}

function addEverything(db: Db, series: number, { periods, rest }: Lists): Sums {
  const sums = addTo(new Map(), selectAll(db, series, periods));
  const alive = new Set(selectAlive(db, series, [...rest.keys()]));
  for (const [entityRef, count] of rest) if (alive.has(entityRef)) addTo(sums, [{ entityRef, count }]);
  return sums;
}

function addTo(sums: Sums, rows: readonly Ranked[]): Sums {
  for (const { entityRef, count } of rows) sums.set(entityRef, (sums.get(entityRef) ?? 0) + count);
  return sums;
}

function firstOf(sums: Sums, limit: number): Ranked[] {
  const all = Array.from(sums, ([entityRef, count]) => ({ entityRef, count }));
  return all.sort((a, b) => b.count - a.count || a.entityRef - b.entityRef).slice(0, limit);
}
