import type { Intervals } from "../counting/intervals.ts";

/** The parts that a curve divides a track into. */
export const SLICES = 120;

/**
 * Returns for each slice of a track the share of `visits` that heard it, 0 to 1, in thousandths. A slice was heard when its
 * middle was.
 *
 * @param heard What each visit heard, one after the other. The parts of a visit do not overlap.
 */
export function curveOf(heard: Intervals, durationSec: number, visits: number): number[] {
  // How many visits begin to hear at a slice, less those that stop before it.
  const changes = new Int32Array(SLICES + 1);
  const sliceAt = (sec: number) => Math.min(SLICES, Math.max(0, Math.round((SLICES * sec) / durationSec)));
  for (const [from, to] of heard) {
    const [first, end] = [sliceAt(from), sliceAt(to)];
    changes[first] = (changes[first] ?? 0) + 1;
    changes[end] = (changes[end] ?? 0) - 1;
  }
  let hearing = 0;
  return Array.from({ length: SLICES }, (_, slice) => {
    hearing += changes[slice] ?? 0;
    return visits > 0 ? Math.round((1000 * hearing) / visits) / 1000 : 0;
  });
}
