import { LEVELS_PER_SECOND } from "./fingerprint-levels.ts";

/** A coarse offset is accurate to half a code, 0.06 s; this leaves a margin. */
const REACH_SEC = 0.2;
/** A lower peak does not count as agreement. */
const MIN_CORRELATION = 0.2;

/**
 * Refines the offset between the same moment of two recordings, from the rise and fall of their loudness.
 *
 * @param coarseSec From a moment of `a` to the same moment of `b`, as `alignFingerprints` finds it.
 * @returns Seconds, accurate to about 0.1 ms; undefined when the levels agree nowhere near the coarse offset.
 */
export function refineOffset(a: Uint8Array, b: Uint8Array, coarseSec: number): number | undefined {
  const rises = [risesOf(a), risesOf(b)] as const;
  const coarse = Math.round(coarseSec * LEVELS_PER_SECOND);
  const reach = Math.round(REACH_SEC * LEVELS_PER_SECOND);
  const scores = Array.from({ length: 2 * reach + 1 }, (_, i) => correlation(...rises, coarse - reach + i));
  const best = scores.indexOf(Math.max(...scores));
  if (best < 1 || best > 2 * reach - 1 || (scores[best] as number) < MIN_CORRELATION) return undefined;
  const [before, at, after] = scores.slice(best - 1, best + 2) as [number, number, number];
  const peak = (before - after) / (2 * (before - 2 * at + after));
  return (coarse - reach + best + peak) / LEVELS_PER_SECOND;
}

/** Levels more than 30 dB below the loudest are noise, and their changes are ignored. */
const FLOOR_UNITS = 60;

function risesOf(levels: Uint8Array): Float32Array {
  const floor = levels.reduce((high, level) => Math.max(high, level), 0) - FLOOR_UNITS;
  const rises = new Float32Array(Math.max(0, levels.length - 1));
  for (let i = 0; i < rises.length; i++)
    rises[i] = Math.max(floor, levels[i + 1] as number) - Math.max(floor, levels[i] as number);
  return rises;
}

/** Returns the normalised correlation over the part that both have. */
function correlation(a: Float32Array, b: Float32Array, offset: number): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = Math.max(0, -offset); i < a.length && i + offset < b.length; i++) {
    const one = a[i] as number;
    const two = b[i + offset] as number;
    product += one * two;
    squaresA += one * one;
    squaresB += two * two;
  }
  return squaresA > 0 && squaresB > 0 ? product / Math.sqrt(squaresA * squaresB) : 0;
}
