import { DESCRIPTOR_DIMENSIONS } from "../../../audio/descriptors/descriptors.ts";
import { logit, type Observation } from "./logistic.ts";

/** What one track says of one tag. */
export type Example = Omit<Observation, "inputs"> & {
  descriptors: Float32Array;
  /** False: the owner has said nothing of this tag, but wrote others of its category. */
  isSaid: boolean;
};

/** Chance of a tag that no rule knows, on a track of which nothing is known. */
const UNKNOWN = 0.06;
/** Rules and file tags are sure within these; so is what they are taken for in learning. */
const [LEAST, MOST] = [UNKNOWN, 0.95];
/** Descriptors, and what was thought of the tag before. */
export const INPUTS = DESCRIPTOR_DIMENSIONS + 1;
/** Makes the word of a sure rule about as long as the descriptors, which have length 1. */
const PRIOR_SCALE = 8;
/** How many tracks at the published centre the published centre counts for. */
const CENTRE_COUNT = 5;

/** Returns a probability as prior log-odds. */
export function priorLogOdds(confidence: number): number {
  return logit(Math.min(MOST, Math.max(LEAST, confidence)));
}

/**
 * Returns where a tag is looked at from: the middle of the tracks that do not have it. The published scales put the
 * middle of all music at 0; in a library of one style everything lies to the same side of that.
 */
export function centreOf(examples: readonly Example[]): Float64Array {
  const others = examples.filter(({ isPositive }) => !isPositive);
  const centre = new Float64Array(DESCRIPTOR_DIMENSIONS);
  for (const { descriptors } of others)
    for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) + (descriptors[i] ?? 0);
  return centre.map((sum) => sum / (others.length + CENTRE_COUNT));
}

/**
 * Returns what a model reads of a track: the direction of its descriptors from the centre, of length 1, and how far
 * the rules spoke for the tag. So it learns by sound, and learns how much the rule is to be trusted.
 */
export function inputsOf(descriptors: Float32Array, centre: Float64Array, offset: number): Float64Array {
  const inputs = new Float64Array(INPUTS);
  let squares = 0;
  for (let i = 0; i < DESCRIPTOR_DIMENSIONS; i++) {
    const value = (descriptors[i] ?? 0) - (centre[i] ?? 0);
    inputs[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares) || 1;
  for (let i = 0; i < DESCRIPTOR_DIMENSIONS; i++) inputs[i] = (inputs[i] ?? 0) / length;
  inputs[INPUTS - 1] = (offset - priorLogOdds(0)) / PRIOR_SCALE;
  return inputs;
}
