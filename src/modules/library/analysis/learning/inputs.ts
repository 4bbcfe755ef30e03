import { logit, type Observation } from "./logistic.ts";
import { SOUND_DIMENSIONS } from "./sound.ts";

/** What one track contributes to learning one tag. */
export type Example = Omit<Observation, "inputs"> & {
  /** What {@link learntSound} returned. */
  sound: Float32Array;
  /** False: the owner gave no verdict on this tag, but wrote others of its category. */
  isSaid: boolean;
};

/** Prior probability of a tag for which there is no rule. */
const UNKNOWN = 0.06;
/** The range that the confidences of rules and file tags are clamped to in learning. */
const [LEAST, MOST] = [UNKNOWN, 0.95];
/** The sound, and the prior of the tag. */
export const INPUTS = SOUND_DIMENSIONS + 1;
/** Scales the prior of a confident rule to about the length of the sound, which is 1. */
const PRIOR_SCALE = 8;
/** The published centre weighs as much as this many tracks. */
const CENTRE_COUNT = 5;

/** Returns a probability as prior log-odds. */
export function priorLogOdds(confidence: number): number {
  return logit(Math.min(MOST, Math.max(LEAST, confidence)));
}

/**
 * Returns the centre from which a tag's tracks are judged: the mean of the tracks without the tag. The published scales
 * put the mean of all music at 0, but in a library of one style every track lies on the same side of it.
 */
export function centreOf(examples: readonly Example[]): Float64Array {
  const others = examples.filter(({ isPositive }) => !isPositive);
  const centre = new Float64Array(SOUND_DIMENSIONS);
  for (const { sound } of others)
    for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) + (sound[i] ?? 0);
  return centre.map((sum) => sum / (others.length + CENTRE_COUNT));
}

/**
 * Returns a model's inputs for a track: the direction of its sound from the centre, with length 1, and how
 * strongly the rules supported the tag. The model learns from the sound, and how far to trust the rule.
 */
export function inputsOf(sound: Float32Array, centre: Float64Array, offset: number): Float64Array {
  const inputs = new Float64Array(INPUTS);
  let squares = 0;
  for (let i = 0; i < SOUND_DIMENSIONS; i++) {
    const value = (sound[i] ?? 0) - (centre[i] ?? 0);
    inputs[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares) || 1;
  for (let i = 0; i < SOUND_DIMENSIONS; i++) inputs[i] = (inputs[i] ?? 0) / length;
  inputs[INPUTS - 1] = (offset - priorLogOdds(0)) / PRIOR_SCALE;
  return inputs;
}
