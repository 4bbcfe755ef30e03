import type { BarFeatures, Span } from "./bar-features.ts";

/** What another section costs, in units of the squared features of one bar. */
const COST = 1.1;
const MOST_BARS = 64;
const LEAST_BARS = 2;

/** Music comes in groups of four and eight bars. */
function costOfLength(bars: number): number {
  if (bars % 8 === 0) return 0;
  if (bars % 4 === 0) return 0.12;
  if (bars % 2 === 0) return 0.5;
  return 0.9;
}

/** Returns the spans between which the bars differ most, and within which they differ least. */
export function splitBars(bars: BarFeatures): Span[] {
  const { count } = bars;
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(count + 1);
  best[0] = 0;
  for (let to = LEAST_BARS; to <= count; to++)
    for (let from = Math.max(0, to - MOST_BARS); from <= to - LEAST_BARS; from++) {
      const isEdge = from === 0 || to === count;
      const length = isEdge ? 0.5 * costOfLength(to - from) : costOfLength(to - from);
      const cost = (best[from] as number) + COST * (1 + length) + bars.scatter(from, to);
      if (cost >= (best[to] as number)) continue;
      best[to] = cost;
      before[to] = from;
    }
  const spans: Span[] = [];
  for (let to = count; to > 0; to = before[to] as number) spans.push({ from: before[to] as number, to });
  return spans.reverse();
}
