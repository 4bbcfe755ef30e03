type Points = readonly (readonly [from: number, to: number])[];

/**
 * Raw scores, and how well tracks with such scores truly fit, 0 to 1; both ascend. Measured on libraries of known truth
 * by `bun scripts/eval-search.ts --fit`.
 */
export const POINTS: Points = [
  [0, 0],
  [0.55, 0.457],
  [0.62, 0.501],
  [0.67, 0.572],
  [0.72, 0.653],
  [0.765, 0.728],
  [0.813, 0.784],
  [0.923, 0.945],
  [1, 1],
];

/**
 * Returns the score of an answer, 0 to 1 to four decimals, for a weighted mean of what speaks for a track: how well
 * such a track turns out to fit, on the scale of a graded judgement. Never changes an order.
 */
export function calibrated(raw: number): number {
  return Math.round(interpolated(POINTS, raw) * 10_000) / 10_000;
}

/** Returns the value at `at` on the lines between points whose first numbers ascend; the ends' values beyond them. */
export function interpolated(points: Points, at: number): number {
  const next = points.findIndex(([from]) => from >= at);
  const [low, high] = [points[next - 1], points[next]];
  if (!high) return points.at(-1)?.[1] ?? 0;
  if (!low) return high[1];
  return low[1] + ((at - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
}
