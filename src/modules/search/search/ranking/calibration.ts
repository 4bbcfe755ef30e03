type Points = readonly (readonly [from: number, to: number])[];

/**
 * Raw scores, and how well tracks with such scores really fit, 0 to 1; both ascend. Measured on libraries with known
 * answers by `bun lab/eval-search.ts --fit`.
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
 * Returns the score to show for a weighted mean of evidence, 0 to 1 with four decimals: how well such a track really
 * fits, on the scale of a graded judgement. It never changes the order of results.
 */
export function calibrated(raw: number): number {
  return Math.round(interpolated(POINTS, raw) * 10_000) / 10_000;
}

/** Interpolates linearly at `at` between points whose first numbers ascend; beyond the ends, the end values apply. */
export function interpolated(points: Points, at: number): number {
  const next = points.findIndex(([from]) => from >= at);
  const [low, high] = [points[next - 1], points[next]];
  if (!high) return points.at(-1)?.[1] ?? 0;
  if (!low) return high[1];
  return low[1] + ((at - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
}
