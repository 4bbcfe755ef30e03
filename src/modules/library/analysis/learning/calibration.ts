import { sigmoid } from "./logistic.ts";

/** A score that a model gave to a track it was not trained on, and the true answer. */
export type Trial = { score: number; isPositive: boolean; weight: number };
/** Turns scores into log-odds: slope times score plus shift. */
export type Calibration = { slope: number; shift: number };

export const UNCALIBRATED: Calibration = { slope: 1, shift: 0 };

/** How strongly the line resists change until trials move it. */
const FIRMNESS = 2;
const STEPS = 20;
/** With fewer trials of either kind, nothing is calibrated. */
const LEAST_OF_EACH = 2;

/**
 * Fits the line that turns scores into true probabilities, from the scores of held-out tracks (Platt scaling, drawn
 * towards no change). With fewer than two held-out tracks of either kind, the line changes nothing.
 *
 * @see Platt, "Probabilistic outputs for support vector machines", 1999; here maximum a posteriori by Newton's method.
 */
export function calibrate(trials: readonly Trial[]): Calibration {
  const positives = trials.filter(({ isPositive }) => isPositive).length;
  if (Math.min(positives, trials.length - positives) < LEAST_OF_EACH) return UNCALIBRATED;
  // From this starting point the first step is never too long, however far apart the scores are.
  let [slope, shift] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [slopeError, shiftError] = [FIRMNESS * (slope - 1), FIRMNESS * shift];
    let [a, b, c] = [FIRMNESS, 0, FIRMNESS];
    for (const { score, isPositive, weight } of trials) {
      const chance = sigmoid(slope * score + shift);
      const error = weight * (chance - (isPositive ? 1 : 0));
      const bend = weight * chance * (1 - chance);
      slopeError += error * score;
      shiftError += error;
      a += bend * score * score;
      b += bend * score;
      c += bend;
    }
    const determinant = a * c - b * b;
    slope -= (c * slopeError - b * shiftError) / determinant;
    shift -= (a * shiftError - b * slopeError) / determinant;
  }
  return { slope: Math.min(1, Math.max(0, slope)), shift: Math.min(0, shift) };
}
