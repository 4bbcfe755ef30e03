import { createRealFft } from "../dsp/fft.ts";
import { inverseReal } from "../dsp/inverse.ts";
import { halfWhitened } from "./half-whitened.ts";
import type { Run } from "./runs.ts";

/** The correlation of a window of one recording with a stretch of another. */
export type CorrelatedWindow = {
  /** The middle of the window, in samples. */
  at: number;
  /** How much later the other recording has it, in samples, where `values` begins. */
  firstDelay: number;
  /** Only until the next window: the array is reused. */
  values: Float64Array;
};

const WINDOW_SEC = 0.4;
const FFT_SIZE = 16_384;
const PROBES = 24;
/** A window this far below the loudest says nothing. */
const AUDIBLE = 1e-4;

/**
 * Yields the correlation of windows of 0.4 s of a run, spread over it, with the other recording. Those that are too quiet are left out;
 * none of a run that is too short.
 *
 * @param x, y Mono, at `rateHz`.
 */
export function* correlateWindows(
  x: Float32Array,
  y: Float32Array,
  run: Run,
  rateHz: number,
): Generator<CorrelatedWindow> {
  const window = Math.round(WINDOW_SEC * rateHz);
  const reach = Math.floor((FFT_SIZE - window) / 2);
  const [from, to] = [Math.round(run.fromSec * rateHz), Math.min(x.length, Math.round(run.toSec * rateHz))];
  const shift = Math.round(run.offsetSec * rateHz);
  const count = Math.min(PROBES, Math.floor((to - from) / window));
  if (count < 3) return;
  const starts = Array.from({ length: count }, (_, i) =>
    Math.round(from + ((to - from - window) * i) / (count - 1)),
  );
  const energies = starts.map((start) => energyOf(x, start, window));
  const loudest = Math.max(...energies);
  const correlate = createCorrelator();
  for (const [i, start] of starts.entries()) {
    const other = start + shift - reach;
    if ((energies[i] as number) <= loudest * AUDIBLE || energyOf(y, other, FFT_SIZE) === 0) continue;
    const values = correlate(x, start, window, y, other);
    yield { at: start + window / 2, firstDelay: shift - reach, values };
  }
}

function energyOf(samples: Float32Array, from: number, count: number): number {
  let sum = 0;
  for (let at = Math.max(0, from); at < Math.min(samples.length, from + count); at++)
    sum += (samples[at] as number) ** 2;
  return sum;
}

/** Returns a function that lays a window of one recording on each place of a stretch of another. */
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
    return work.subarray(0, FFT_SIZE - window);
  };
}

function load(work: Float64Array, samples: Float32Array, from: number, count: number): void {
  work.fill(0);
  const [first, end] = [Math.max(0, from), Math.min(samples.length, from + count)];
  for (let at = first; at < end; at++) work[at - from] = samples[at] as number;
}

/** Returns the place of a peak between the samples, from that of its highest value. */
export function peakNear(values: Float64Array, at: number): number {
  const [before, high, after] = [values[at - 1] as number, values[at] as number, values[at + 1] as number];
  return at + (before - after) / (2 * (before - 2 * high + after));
}
