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

/** Returns what either of two lists covers. */
export function union(one: Intervals, other: Intervals): Intervals {
  return other.reduce((all, [from, to]) => withInterval(all, from, to), one);
}

/** Returns what the first list covers and the second does not. */
export function without(intervals: Intervals, taken: Intervals): Intervals {
  return taken.reduce<Intervals>(
    (rest, [from, to]) =>
      rest.flatMap(([a, b]) => {
        const parts = [[a, Math.min(b, from)] as const, [Math.max(a, to), b] as const];
        return parts.filter(([start, end]) => end > start);
      }),
    intervals,
  );
}

/** Returns the first `length` of what the intervals cover. */
export function firstOf(intervals: Intervals, length: number): Intervals {
  let left = length;
  return intervals.flatMap(([from, to]) => {
    const end = Math.min(to, from + left);
    left -= Math.max(0, end - from);
    return end > from ? [[from, end] as const] : [];
  });
}

/** Returns at most `count` intervals: those with the smallest gaps between them are joined. */
export function atMost(intervals: Intervals, count: number): Intervals {
  if (intervals.length <= count) return intervals;
  const gaps = intervals
    .slice(1)
    .map(([from], index) => ({ index, length: from - (intervals[index]?.[1] ?? 0) }));
  const widest = gaps.sort((a, b) => b.length - a.length).slice(0, count - 1);
  const ends = [...widest.map(({ index }) => index).sort((a, b) => a - b), intervals.length - 1];
  return ends.map((end, place) => {
    const [from] = intervals[place === 0 ? 0 : (ends[place - 1] ?? 0) + 1] ?? [0];
    return [from, intervals[end]?.[1] ?? from] as const;
  });
}

/** Returns the total length of the intervals. */
export function lengthOf(intervals: Intervals): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}
