/** A score, and whether the thing scored is what was asked for. */
export type Judged = { score: number; isTrue: boolean };

/** Returns the average precision, 0 to 1; ties count as their mean. NaN when nothing is true. */
export function averagePrecision(judged: readonly Judged[]): number {
  const order = judged.toSorted((a, b) => b.score - a.score);
  let sum = 0;
  let [seen, right] = [0, 0];
  for (const group of Map.groupBy(order, ({ score }) => score).values()) {
    const hits = group.filter(({ isTrue }) => isTrue).length;
    seen += group.length;
    right += hits;
    sum += hits * (right / seen);
  }
  return sum / right;
}
