/** Weights of a sum with bends: a few smooth steps that let one kind of evidence depend on another. */
export type BentWeights = {
  /** One per bend, which adds gain × tanh(bias + its weighted sum). */
  gains: readonly number[];
  biases: readonly number[];
  /** One row per kind of evidence: its weight in the plain sum, then in each bend. */
  rows: readonly (readonly number[])[];
};

/** Returns the weighted sum of values plus the bends, as log-odds. */
export function bentSum(values: readonly number[], { gains, biases, rows }: BentWeights): number {
  const sums = [0, ...biases];
  for (const [i, row] of rows.entries())
    for (const [column, weight] of row.entries())
      sums[column] = (sums[column] ?? 0) + weight * (values[i] ?? 0);
  const [plain = 0, ...bends] = sums;
  return bends.reduce((sum, bend, i) => sum + (gains[i] ?? 0) * Math.tanh(bend), plain);
}

/** Returns the probabilities of alternatives from their log-odds scores; they sum to 1. Empty for no scores. */
export function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const sum = odds.reduce((total, value) => total + value, 0);
  return odds.map((value) => value / sum);
}
