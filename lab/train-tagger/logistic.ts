/** A tag's weights over standardised descriptors. */
export type Weights = { bias: number; weights: number[] };

const STEPS = 400;
const RATE = 0.5;
/** L2 penalty in units of the mean loss, because there are few pieces and many descriptors. */
const PENALTY = 0.02;

/** Returns the centre and width of each descriptor over the rendered pieces. */
export function scalesOf(rows: readonly (readonly number[])[]): { centre: number; width: number }[] {
  return (rows[0] ?? []).map((_, i) => {
    const values = rows.map((row) => row[i] ?? 0);
    const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
    return { centre, width: Math.sqrt(variance) || 1 };
  });
}

/** Fits a logistic regression by gradient descent from zero; the same rows give the same weights. */
export function fit(
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
  penalty = PENALTY,
): Weights {
  const weights = new Float64Array(rows[0]?.length ?? 0);
  let bias = 0;
  for (let step = 0; step < STEPS; step++) {
    const slopes = slopesOf({ bias, weights }, rows, labels);
    bias -= RATE * slopes.bias;
    for (let i = 0; i < weights.length; i++)
      weights[i] = (weights[i] ?? 0) - RATE * ((slopes.weights[i] ?? 0) + penalty * (weights[i] ?? 0));
  }
  return { bias, weights: [...weights] };
}

/** Returns the derivatives of the mean loss. */
function slopesOf(
  model: { bias: number; weights: Float64Array },
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
): { bias: number; weights: Float64Array } {
  const weights = new Float64Array(model.weights.length);
  let bias = 0;
  for (const [r, row] of rows.entries()) {
    const error = probability(model, row) - (labels[r] ? 1 : 0);
    bias += error / rows.length;
    for (let i = 0; i < row.length; i++)
      weights[i] = (weights[i] ?? 0) + (error * (row[i] ?? 0)) / rows.length;
  }
  return { bias, weights };
}

/** Returns how likely a tag is, 0 to 1. */
export function probability(
  { bias, weights }: { bias: number; weights: ArrayLike<number> },
  row: readonly number[],
): number {
  let sum = bias;
  for (let i = 0; i < row.length; i++) sum += (row[i] ?? 0) * (weights[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
