// `as number`: hot loops read typed arrays inside their bounds.

/** A labelled point. */
export type Observation = {
  inputs: Float64Array;
  /** Prior log-odds, before any learning. */
  offset: number;
  isPositive: boolean;
  /** How much it counts. */
  weight: number;
};

const STEPS = 120;

/** Returns the probability of log-odds. */
export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
/** Returns the log-odds of a probability between 0 and 1. */
export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/** Returns the sum of products of two lists of one length. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * Returns the weights, one per input, of a logistic regression with an L2 penalty and no intercept: the log-odds are
 * the offset plus weights times inputs. It starts at 0 and takes a fixed number of steps, so the same observations in
 * the same order give the same result to the bit.
 *
 * @see Nesterov, "Introductory lectures on convex optimization", 2004, section 2.2 (constant step, strongly convex).
 */
export function fitLogistic(observations: readonly Observation[], penalty: number): Float64Array {
  const size = observations[0]?.inputs.length ?? 0;
  const steepest = observations.reduce(
    (sum, { inputs, weight }) => sum + 0.25 * weight * dot(inputs, inputs),
    0,
  );
  const step = 1 / (steepest + penalty);
  const momentum = (1 - Math.sqrt(penalty * step)) / (1 + Math.sqrt(penalty * step));
  let weights = new Float64Array(size);
  const ahead = new Float64Array(size);
  for (let i = 0; i < STEPS; i++) {
    const next = ahead.slice();
    const gradient = gradientAt(ahead, observations, penalty);
    for (let k = 0; k < size; k++) next[k] = (next[k] as number) - step * (gradient[k] as number);
    for (let k = 0; k < size; k++)
      ahead[k] = (next[k] as number) + momentum * ((next[k] as number) - (weights[k] as number));
    weights = next;
  }
  return weights;
}

function gradientAt(at: Float64Array, observations: readonly Observation[], penalty: number): Float64Array {
  const gradient = at.map((value) => penalty * value);
  for (const { inputs, offset, isPositive, weight } of observations) {
    const error = weight * (sigmoid(offset + dot(at, inputs)) - (isPositive ? 1 : 0));
    for (let k = 0; k < gradient.length; k++)
      gradient[k] = (gradient[k] as number) + error * (inputs[k] as number);
  }
  return gradient;
}
