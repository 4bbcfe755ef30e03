import { isListen, type ListenRow } from "../../library/analytics/service.ts";
import { curveOf, lengthOf, readParts, SLICES, union } from "../shares/service.ts";
import type { InsightTrack } from "./shapes.ts";

/** How far a track was heard. */
export type HowFar = Pick<InsightTrack, "listeners" | "heardShare" | "finished" | "stop" | "curve">;

type Listener = { heard: ReturnType<typeof readParts>; stoppedSec: number | null };

/** Stopping so shortly before the end is hearing it to the end. */
const END_SEC = 3;
/** Stops as near as this are one place. */
const STOP_SHARE = 0.04;
const LEAST_STOP_SEC = 4;
/** Of fewer listeners, a place is a person, not a habit. */
const LEAST_LISTENERS = 2;

/** Sums up what listeners heard of a track that is `durationSec` long: a listener is a visit, however often it played. */
export function howFar(listens: readonly ListenRow[], durationSec: number | null): HowFar {
  const listeners = listenersOf(listens);
  const length = durationSec ?? 0;
  if (listeners.length === 0 || length <= 0)
    return { listeners: listeners.length, heardShare: null, finished: 0, stop: null, curve: [] };
  const heard = listeners.flatMap((each) => each.heard);
  const isAtEnd = (sec: number) => sec >= length - END_SEC;
  const shares = listeners.map((each) => Math.min(1, lengthOf(each.heard) / length));
  const stops = listeners.flatMap(({ stoppedSec }) =>
    stoppedSec === null || isAtEnd(stoppedSec) ? [] : [stoppedSec],
  );
  return {
    listeners: listeners.length,
    heardShare: Math.round((1000 * sum(shares)) / listeners.length) / 1000,
    finished: listeners.filter((each) => each.heard.some(([, to]) => isAtEnd(to))).length,
    stop: busiest(stops, Math.max(LEAST_STOP_SEC, STOP_SHARE * length)),
    curve: curveOf(heard, length, listeners.length).slice(0, SLICES),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** A visit without a script said nothing of what it heard: it is no listener here. */
function listenersOf(listens: readonly ListenRow[]): Listener[] {
  const known = listens.filter((each) => isListen({ metric: "plays", ...each }) && each.heard !== null);
  const byVisit = Map.groupBy(known, ({ visit }, index) => visit ?? index);
  return [...byVisit.values()].map((plays) => ({
    heard: plays.map(({ heard }) => readParts(heard)).reduce(union, []),
    stoppedSec: plays.findLast(({ stoppedSec }) => stoppedSec !== null)?.stoppedSec ?? null,
  }));
}

/** Returns where the most stops lie within `width` seconds; null where no two do. */
function busiest(stops: readonly number[], width: number): HowFar["stop"] {
  const sorted = stops.toSorted((a, b) => a - b);
  let best: number[] = [];
  let first = 0;
  for (const [index, stop] of sorted.entries()) {
    while (stop - (sorted[first] ?? stop) > width) first++;
    if (index + 1 - first > best.length) best = sorted.slice(first, index + 1);
  }
  if (best.length < LEAST_LISTENERS) return null;
  return { atSec: best[Math.floor(best.length / 2)] ?? 0, listeners: best.length };
}
