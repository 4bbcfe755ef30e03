import { SECOND_MS } from "../../../../kernel/time.ts";
import { atMost, firstOf, type Intervals, lengthOf, union, without } from "./intervals.ts";

/** Tolerance: scripts report every ten seconds, and clocks and connections are not exact. */
export const EARLY_SEC = 15;
/** The fastest that browsers let music play. */
const MAX_SPEED = 4;
/** Enough for a listener who jumps about; beyond that, the smallest gaps are closed. */
const MAX_PARTS = 64;
/** How far a stop may lie beside the parts that were heard: reports and positions are taken one after the other. */
const NEAR_SEC = 1;

/** The facts of a listen when it is written; see {@link partsToNote}. */
type Told = {
  startedAt: number;
  given: Intervals;
  hasFile: boolean;
  heard: Intervals;
  atSec: number | undefined;
  earlier: Intervals;
};

/** What the log keeps of a listen besides its length; null: unknown, without a script. */
export type NotedParts = { heard: string | null; stoppedSec: number | null };

export const NO_PARTS: NotedParts = { heard: null, stoppedSec: null };

/**
 * Returns the parts of a track that were heard, as far as they were sent and fit into the time, in tenths of a second. A
 * listener may play faster than the clock.
 */
export function partsToNote(told: Told, at: number): NotedParts {
  const { startedAt, given, hasFile, heard, atSec, earlier } = told;
  const timeSec = (MAX_SPEED * (at - startedAt)) / SECOND_MS + EARLY_SEC;
  const limitSec = Math.min(timeSec, hasFile ? Number.POSITIVE_INFINITY : lengthOf(given));
  const parts = atMost(union(earlier, firstOf(without(heard, earlier), limitSec)), MAX_PARTS);
  const last = parts.at(-1);
  if (!last) return NO_PARTS;
  const isNear = (sec: number) => parts.some(([from, to]) => sec > from - NEAR_SEC && sec < to + NEAR_SEC);
  const stoppedSec = tenths(atSec !== undefined && isNear(atSec) ? atSec : last[1]);
  return { heard: JSON.stringify(parts.map(([from, to]) => [tenths(from), tenths(to)])), stoppedSec };
}

const tenths = (seconds: number) => Math.round(10 * seconds) / 10;

/** Reads parts as the log keeps them. */
export function readParts(heard: string | null): Intervals {
  return heard === null ? [] : JSON.parse(heard);
}
