import { dot, type Observation, sigmoid } from "./logistic.ts";
import { SOUND_DIMENSIONS } from "./sound.ts";

/** How fast a track's influence fades with its distance (1 - cosine). */
const REACH = 0.17;
/** The prior weighs as much as this many tracks at distance 0. */
const PRIOR_COUNT = 0.25;

/** A labelled track to compare with. */
export type Neighbour = Pick<Observation, "inputs" | "isPositive" | "weight">;

/**
 * Returns the probability of a tag from labelled tracks that sound similar: near ones count a lot, far ones not at all.
 * Without near ones, the prior decides.
 */
export function voteOf(neighbours: readonly Neighbour[], inputs: Float64Array, offset: number): number {
  let positive = PRIOR_COUNT * sigmoid(offset);
  let all = PRIOR_COUNT;
  const sound = inputs.subarray(0, SOUND_DIMENSIONS);
  for (const neighbour of neighbours) {
    const cosine = dot(neighbour.inputs.subarray(0, SOUND_DIMENSIONS), sound);
    const vote = neighbour.weight * Math.exp((cosine - 1) / REACH);
    all += vote;
    if (neighbour.isPositive) positive += vote;
  }
  return positive / all;
}
