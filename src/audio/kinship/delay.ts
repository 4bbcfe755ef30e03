import { createRealFft } from "../dsp/fft.ts";
import { inverseReal } from "../dsp/inverse.ts";
import { halfWhitened } from "./half-whitened.ts";
import type { Run } from "./runs.ts";

/** A run whose place in the other recording is known to a part of a sample. */
export type Placed = Run & {
  /** How much later, in samples, at the run's beginning. */
  delay: number;
  /** What the delay gains for each sample. */
  drift: number;
  /** Share of the moments tried at which the delay is on that line. */
  agreement: number;
};

const WINDOW_SEC = 0.4;
const FFT_SIZE = 16_384;
const PROBES = 24;
/** A window this far below the loudest says nothing. */
const AUDIBLE = 1e-4;
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
  const window = Math.round(WINDOW_SEC * rateHz);
  const reach = Math.floor((FFT_SIZE - window) / 2);
  const [from, to] = [Math.round(run.fromSec * rateHz), Math.min(x.length, Math.round(run.toSec * rateHz))];
  const shift = Math.round(run.offsetSec * rateHz);
  const count = Math.min(PROBES, Math.floor((to - from) / window));
  if (count < 3) return undefined;
  const starts = Array.from({ length: count }, (_, i) =>
    Math.round(from + ((to - from - window) * i) / (count - 1)),
  );
  const energies = starts.map((start) => energyOf(x, start, window));
  const loudest = Math.max(...energies);
  const correlate = createCorrelator();
  const points: [at: number, delay: number][] = [];
  let tried = 0;
  for (const [i, start] of starts.entries()) {
    const other = start + shift - reach;
    if ((energies[i] as number) <= loudest * AUDIBLE || energyOf(y, other, FFT_SIZE) === 0) continue;
    tried++;
    const lag = correlate(x, start, window, y, other);
    if (lag !== undefined) points.push([start + window / 2, shift - reach + lag]);
  }
  const line = lineThrough(points);
  if (!line || tried < 3) return undefined;
  const near = points.filter(([at, delay]) => Math.abs(delay - line.atZero - line.slope * at) <= TOLERANCE);
  const refined = near.length >= 3 ? (lineThrough(near) ?? line) : line;
  return {
    ...run,
    delay: refined.atZero + refined.slope * from,
    drift: refined.slope,
    agreement: near.length / tried,
  };
}

function energyOf(samples: Float32Array, from: number, count: number): number {
  let sum = 0;
  for (let at = Math.max(0, from); at < Math.min(samples.length, from + count); at++)
    sum += (samples[at] as number) ** 2;
  return sum;
}

/** Returns a function that finds where a window of one recording is in a stretch of another, in samples from its beginning. */
function createCorrelator() {
  const fft = createRealFft(FFT_SIZE);
  const work = new Float64Array(FFT_SIZE);
  const [re, im] = [new Float64Array(FFT_SIZE / 2 + 1), new Float64Array(FFT_SIZE / 2 + 1)];
  return (x: Float32Array, start: number, window: number, y: Float32Array, other: number) => {
    load(work, x, start, window);
    fft.forward(work);
    re.set(fft.re);
    im.set(fft.im);
    load(work, y, other, FFT_SIZE);
    fft.forward(work);
    halfWhitened({ re, im }, fft, { re, im });
    inverseReal(fft, re, im, work);
    return peakOf(work.subarray(0, FFT_SIZE - window));
  };
}

function load(work: Float64Array, samples: Float32Array, from: number, count: number): void {
  work.fill(0);
  const [first, end] = [Math.max(0, from), Math.min(samples.length, from + count)];
  for (let at = first; at < end; at++) work[at - from] = samples[at] as number;
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
  const [before, after] = [values[best - 1] as number, values[best + 1] as number];
  return best + (before - after) / (2 * (before - 2 * high + after));
}

type Line = { slope: number; atZero: number };

function lineThrough(points: readonly (readonly [number, number])[]): Line | undefined {
  if (points.length < 3) return undefined;
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([other, theirs]) => (theirs - value) / (other - at)),
  );
  const slope = medianOf(slopes);
  return { slope, atZero: medianOf(points.map(([at, value]) => value - slope * at)) };
}

const medianOf = (values: readonly number[]) =>
  values.toSorted((one, two) => one - two)[values.length >> 1] ?? 0;
