/** What speaks for the candidates: one score for each of them, in their order. */
export type Signal = {
  /** How much this counts beside the others; positive. */
  weight: number;
  /** 0 to 1 a candidate. */
  scores: Float32Array;
  /** Says why a candidate scored, or undefined when this gave it nothing worth saying. */
  explain: (index: number) => string | undefined;
};

/** What speaks against candidates: scores are multiplied by the factors. */
export type Penalty = {
  /** 0 to 1 a candidate; 1: nothing against it. */
  factors: Float32Array;
  explain: (index: number) => string | undefined;
};

/** Scores below this are not worth a reason. */
export const WORTH_SAYING = 0.5;

/**
 * Returns each candidate's score, 0 to 1: the weighted mean of the signals, times the penalties. All 0 without a
 * signal.
 */
export function combine(
  signals: readonly Signal[],
  penalties: readonly Penalty[],
  count: number,
): Float64Array {
  const total = new Float64Array(count);
  const weight = totalWeight(signals);
  for (const signal of signals) {
    const share = signal.weight / weight;
    // The index is inside the array, and so below.
    for (let index = 0; index < count; index++)
      total[index] = (total[index] as number) + share * (signal.scores[index] as number);
  }
  for (const { factors } of penalties)
    for (let index = 0; index < count; index++)
      total[index] = (total[index] as number) * (factors[index] as number);
  return total;
}

/** Returns the sum of the signals' weights. */
export function totalWeight(signals: readonly Signal[]): number {
  return signals.reduce((sum, { weight }) => sum + weight, 0);
}
