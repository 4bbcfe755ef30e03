import { CLASSES } from "../key/pitch-histogram.ts";

/** How much the harmony changes from one moment to the next, in the upper parts and in the bass. */
export type Harmony = {
  /** Values a second. */
  rateHz: number;
  /** Time of the first value, seconds. */
  firstSec: number;
  /** One value a frame, 0 (the same pitch classes) to 1 (others); first of the upper parts, then of the bass. */
  changes: readonly [upper: Float32Array, bass: Float32Array];
};

const HALF = CLASSES / 2;
/** Frames before and after a moment that are compared: about half a second. */
const REACH = 2;

/**
 * Returns how much the pitch classes after each moment differ from those before it.
 *
 * @param classes Row-major, frames × CLASSES, at `rateHz`, the first at `firstSec`.
 */
export function harmonyOf(classes: Float32Array, rateHz: number, firstSec: number): Harmony {
  const frames = Math.floor(classes.length / CLASSES);
  const changes = [new Float32Array(frames), new Float32Array(frames)] as const;
  for (const [part, out] of changes.entries())
    for (let frame = 1; frame < frames; frame++) out[frame] = changeAt(classes, frame, part * HALF);
  // A value is at the border of its two frames.
  return { rateHz, firstSec: firstSec - 0.5 / rateHz, changes };
}

/** One minus the cosine of the sums of the rows before and from `frame` on. */
function changeAt(classes: Float32Array, frame: number, offset: number): number {
  let [product, before, after] = [0, 0, 0];
  const from = Math.max(0, frame - REACH);
  const to = Math.min(classes.length / CLASSES, frame + REACH);
  for (let i = offset; i < offset + HALF; i++) {
    let [a, b] = [0, 0];
    for (let row = from; row < frame; row++) a += classes[row * CLASSES + i] as number;
    for (let row = frame; row < to; row++) b += classes[row * CLASSES + i] as number;
    product += a * b;
    before += a * a;
    after += b * b;
  }
  return before > 0 && after > 0 ? 1 - product / Math.sqrt(before * after) : 0;
}

/** Returns the value at a time, linearly interpolated; 0 beyond the ends. */
export function changeAtSec(changes: Float32Array, { rateHz, firstSec }: Harmony, sec: number): number {
  const position = (sec - firstSec) * rateHz;
  const index = Math.floor(position);
  if (index < 0 || index + 1 >= changes.length) return 0;
  const part = position - index;
  return (changes[index] as number) * (1 - part) + (changes[index + 1] as number) * part;
}

/** Returns the normalised autocorrelation of a sequence, up to `maxLag`. */
export function autocorrelation(values: Float32Array, maxLag: number): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const out = new Float64Array(maxLag + 1);
  for (let lag = 0; lag <= Math.min(maxLag, values.length - 1); lag++) {
    let sum = 0;
    for (let i = lag; i < values.length; i++)
      sum += ((values[i] as number) - mean) * ((values[i - lag] as number) - mean);
    out[lag] = sum / (values.length - lag);
  }
  const energy = out[0] as number;
  return energy > 0 ? out.map((value) => value / energy) : out;
}
