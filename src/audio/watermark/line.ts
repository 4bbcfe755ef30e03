import { type Line, lineThrough, type Point } from "../kinship/delay.ts";
import type { Run } from "../kinship/runs.ts";
import { correlateWindows, peakNear } from "../kinship/windows.ts";

/** Music that repeats within a window has many peaks, and the right one is not always the highest. */
const MOST_PEAKS = 12;
/** Delays are looked for so far to both sides: a step of the coarse place, and what a minute drifts by. */
const REACH_SEC = 0.09;
/** A peak that is not half as high as the highest of its window is none. */
const LEAST_HEIGHT = 0.5;
/** More drift is another performance. */
const MOST_DRIFT = 0.005;
/** Samples that a delay may be beside the line. */
const TOLERANCE = 1.5;
const LEAST_WINDOWS = 3;

/** A delay at which a window fits; `height` is 1 for that at which it fits best. */
type Peak = { window: number; at: number; delay: number; height: number };

/**
 * Finds the line of delays that most windows of a run agree on. Each may fit at several: an arpeggio fits at each of its notes, but only
 * at one of them all the way.
 *
 * @param x, y Mono, at `rateHz`.
 * @returns Undefined when fewer than three windows agree.
 */
export function lineOfDelays(x: Float32Array, y: Float32Array, run: Run, rateHz: number): Line | undefined {
  const peaks: Peak[] = [];
  let window = 0;
  for (const { at, firstDelay, values } of correlateWindows(x, y, run, rateHz)) {
    const skipped = Math.max(0, Math.round(values.length / 2 - REACH_SEC * rateHz));
    for (const { lag, height } of peaksOf(values.subarray(skipped, values.length - skipped)))
      peaks.push({ window, at, delay: firstDelay + skipped + lag, height });
    window++;
  }
  const line = lineOfMost(peaks);
  const near = line ? peaks.filter((peak) => isOn(line, peak)) : [];
  if (new Set(near.map((peak) => peak.window)).size < LEAST_WINDOWS) return undefined;
  return lineThrough(near.map(({ at, delay }): Point => [at, delay]));
}

/** Returns the highest peaks, the highest first. */
function peaksOf(values: Float64Array): { lag: number; height: number }[] {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  const places: number[] = [];
  for (let at = 1; at < values.length - 1; at++) {
    const value = values[at] as number;
    const isPeak = value > (values[at - 1] as number) && value >= (values[at + 1] as number);
    if (isPeak && value >= LEAST_HEIGHT * highest) places.push(at);
  }
  return places
    .sort((one, other) => (values[other] as number) - (values[one] as number))
    .slice(0, MOST_PEAKS)
    .map((at) => ({ lag: peakNear(values, at), height: (values[at] as number) / highest }));
}

/** Returns the best of the lines through two peaks of different windows. */
function lineOfMost(peaks: readonly Peak[]): Line | undefined {
  let best: Line | undefined;
  let most = 0;
  for (const [index, one] of peaks.entries())
    for (const other of peaks.slice(index + 1)) {
      if (one.window === other.window) continue;
      const slope = (other.delay - one.delay) / (other.at - one.at);
      if (Math.abs(slope) > MOST_DRIFT) continue;
      const line = { slope, atZero: one.delay - slope * one.at };
      const agreement = agreementOn(line, peaks);
      if (agreement > most) [best, most] = [line, agreement];
    }
  return best;
}

/** Sums the highest peak on a line of each window. Peaks come window by window. */
function agreementOn(line: Line, peaks: readonly Peak[]): number {
  let [sum, window, height] = [0, -1, 0];
  for (const peak of peaks) {
    if (peak.window !== window) {
      sum += height;
      [window, height] = [peak.window, 0];
    }
    if (peak.height > height && isOn(line, peak)) height = peak.height;
  }
  return sum + height;
}

const isOn = ({ slope, atZero }: Line, { at, delay }: Peak): boolean =>
  Math.abs(delay - atZero - slope * at) <= TOLERANCE;
