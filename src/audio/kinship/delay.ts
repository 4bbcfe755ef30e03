import type { Run } from "./runs.ts";
import { correlateWindows, peakNear } from "./windows.ts";

/** A run whose place in the other recording is known to a part of a sample. */
export type Placed = Run & {
  /** How much later, in samples, at the run's beginning. */
  delay: number;
  /** What the delay gains for each sample. */
  drift: number;
  /** Share of the moments tried at which the delay is on that line. */
  agreement: number;
};

/** Samples that a delay may be beside the line. */
const TOLERANCE = 1.5;
/** A peak that is not as many times the mean is chance. */
const MIN_PEAK = 7;

/**
 * Finds where exactly the moments of a run are in another recording, from the correlation of windows of 0.4 s, and the line through
 * them (Theil 1950, Sen 1968): two renderings of a song may drift.
 *
 * @param x, y Mono, at `rateHz`.
 * @returns Undefined when the run is too short, too quiet, or the windows agree on nothing.
 */
export function placeRun(x: Float32Array, y: Float32Array, run: Run, rateHz: number): Placed | undefined {
  const points: Point[] = [];
  let tried = 0;
  for (const { at, firstDelay, values } of correlateWindows(x, y, run, rateHz)) {
    tried++;
    const lag = peakOf(values);
    if (lag !== undefined) points.push([at, firstDelay + lag]);
  }
  const line = lineThrough(points);
  if (!line || tried < 3) return undefined;
  const near = points.filter(([at, delay]) => Math.abs(delay - line.atZero - line.slope * at) <= TOLERANCE);
  const refined = near.length >= 3 ? (lineThrough(near) ?? line) : line;
  return {
    ...run,
    delay: refined.atZero + refined.slope * Math.round(run.fromSec * rateHz),
    drift: refined.slope,
    agreement: near.length / tried,
  };
}

/** Returns the place of the highest value, between the samples; undefined when it does not stand out. */
function peakOf(values: Float64Array): number | undefined {
  let best = 0;
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    squares += (values[at] as number) ** 2;
    if ((values[at] as number) > (values[best] as number)) best = at;
  }
  const high = values[best] as number;
  if (best === 0 || best === values.length - 1 || high < MIN_PEAK * Math.sqrt(squares / values.length))
    return undefined;
  return peakNear(values, best);
}

/** A line of delays over samples. */
export type Line = { slope: number; atZero: number };
/** A moment, and the delay there, both in samples. */
export type Point = readonly [at: number, delay: number];

/** Returns the line through most of the points; undefined for less than three. */
export function lineThrough(points: readonly Point[]): Line | undefined {
  if (points.length < 3) return undefined;
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([other, theirs]) => (theirs - value) / (other - at)),
  );
  const slope = medianOf(slopes);
  return { slope, atZero: medianOf(points.map(([at, value]) => value - slope * at)) };
}

const medianOf = (values: readonly number[]) =>
  values.toSorted((one, two) => one - two)[values.length >> 1] ?? 0;
