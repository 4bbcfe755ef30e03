import { LEVELS_PER_SECOND } from "./level-rate.ts";

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
  const [one, other] = [changesOf(a), changesOf(b)];
  const coarse = Math.round(coarseSec * LEVELS_PER_SECOND);
  const reach = Math.round(REACH_SEC * LEVELS_PER_SECOND);
  const scores = Array.from({ length: 2 * reach + 1 }, (_, i) => correlation(one, other, coarse - reach + i));
  const best = scores.indexOf(Math.max(...scores));
  if (best < 1 || best > 2 * reach - 1 || (scores[best] as number) < MIN_CORRELATION) return undefined;
  const [before, at, after] = scores.slice(best - 1, best + 2) as [number, number, number];
  const peak = (before - after) / (2 * (before - 2 * at + after));
  return (coarse - reach + best + peak) / LEVELS_PER_SECOND;
}

/** Levels more than 30 dB below the loudest are noise, and their changes are ignored. */
const FLOOR_UNITS = 60;

/** How much louder each level is than the one before, and the sum of the squares up to each. */
type Changes = { rises: Float64Array; squares: Float64Array };

function changesOf(levels: Uint8Array): Changes {
  const floor = levels.reduce((high, level) => Math.max(high, level), 0) - FLOOR_UNITS;
  const rises = new Float64Array(Math.max(0, levels.length - 1));
  const squares = new Float64Array(rises.length + 1);
  for (let i = 0; i < rises.length; i++) {
    const rise = Math.max(floor, levels[i + 1] as number) - Math.max(floor, levels[i] as number);
    rises[i] = rise;
    squares[i + 1] = (squares[i] as number) + rise * rise;
  }
  return { rises, squares };
}

/** Returns the normalised correlation over the part that both have. */
function correlation(one: Changes, other: Changes, offset: number): number {
  const [a, b] = [one.rises, other.rises];
  const from = Math.max(0, -offset);
  const to = Math.min(a.length, b.length - offset);
  if (to <= from) return 0;
  let product = 0;
  for (let i = from; i < to; i++) product += (a[i] as number) * (b[i + offset] as number);
  const [powerA, powerB] = [sumOf(one.squares, from, to), sumOf(other.squares, from + offset, to + offset)];
  return powerA > 0 && powerB > 0 ? product / Math.sqrt(powerA * powerB) : 0;
}

const sumOf = (sums: Float64Array, from: number, to: number) => (sums[to] as number) - (sums[from] as number);
