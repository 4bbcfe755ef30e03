import type { Db } from "../../../db/client.ts";
import { type Cover, EVER, isMonth, isYear } from "./periods.ts";
import { selectCounts, selectRestByPlaylist } from "./queries.ts";
import { type Ranked, selectAlive, selectAll, selectRanked, selectRestOfAll } from "./ranking-queries.ts";

/** How deep the lists of months are read, round by round; past the last one everything is added up. */
const ROUNDS = [1, 4, 16];
const depthOf = (limit: number, round: number) => (3 * limit + 16) * round;

/**
 * Returns the `limit` entities of a series to which most happened: most first, of equals the older entity. `cover`
 * undefined: ever.
 *
 * A range is several lists in rank order, one for each calendar period that makes it up. The first of every list are
 * candidates; each candidate's sum is exact; whoever is no candidate has at most the sum of what the lists go on with.
 * When that is less than the last of the best has, nobody can be missing.
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

/** A series by its number, and of playlists the series of tracks that counts for them too. */
export type RankedSeries = { ref: number; ofTracks: number | undefined };

type Sums = Map<number, number>;
type Lists = { periods: number[]; rest: Sums };

/** The best, or undefined when an entity outside the candidates might be among them. */
function bestOfCandidates(
  db: Db,
  series: number,
  { periods, rest }: Lists,
  { depth, limit }: { depth: number; limit: number },
): Ranked[] | undefined {
  const candidates = new Set<number>();
  let most = 0; // that an entity outside the candidates can have
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

/** A longer period has more that is far from the others, and its next entry weighs more: it is read deeper. */
function lengthOf(period: number, depth: number): number {
  if (isYear(period)) return depth * 4;
  return isMonth(period) ? depth : Math.ceil(depth / 4);
}

/** Makes the first of a list candidates; returns what the next of it can have at most. */
function addFirst(candidates: Set<number>, list: readonly Ranked[], length: number): number {
  for (const { entityRef } of list) candidates.add(entityRef);
  return list.length < length ? 0 : (list.at(-1)?.count ?? 0);
}

/** Parts of days by entity, deleted ones included. */
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
