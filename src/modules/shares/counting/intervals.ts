/** Intervals without overlap, in order: `[from, to)`. */
export type Intervals = readonly (readonly [from: number, to: number])[];

/** Returns the intervals with one more; intervals that touch are merged. */
export function withInterval(intervals: Intervals, from: number, to: number): Intervals {
  if (!(to > from)) return intervals;
  const apart = intervals.filter(([a, b]) => b < from || a > to);
  const touching = intervals.filter(([a, b]) => b >= from && a <= to);
  const joined = [
    Math.min(from, ...touching.map(([a]) => a)),
    Math.max(to, ...touching.map(([, b]) => b)),
  ] as const;
  return [...apart, joined].sort(([a], [b]) => a - b);
}

/** Returns the total length of the intervals. */
export function lengthOf(intervals: Intervals): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}
