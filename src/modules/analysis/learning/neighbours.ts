import { DESCRIPTOR_DIMENSIONS } from "../../../audio/descriptors/descriptors.ts";
import { dot, type Observation, sigmoid } from "./logistic.ts";

/** How fast a track's word fades with its distance; 1 - cosine. */
const REACH = 0.17;
/** How many tracks as near as can be the prior counts for. */
const PRIOR_COUNT = 0.25;

/** A labelled track to compare with. */
export type Neighbour = Pick<Observation, "inputs" | "isPositive" | "weight">;

/**
 * Returns the probability of a tag by the labelled tracks that sound alike: near ones count much, far ones nothing,
 * and where none is near the prior stands.
 */
export function voteOf(neighbours: readonly Neighbour[], inputs: Float64Array, offset: number): number {
  let positive = PRIOR_COUNT * sigmoid(offset);
  let all = PRIOR_COUNT;
  const sound = inputs.subarray(0, DESCRIPTOR_DIMENSIONS);
  for (const neighbour of neighbours) {
    const cosine = dot(neighbour.inputs.subarray(0, DESCRIPTOR_DIMENSIONS), sound);
    const vote = neighbour.weight * Math.exp((cosine - 1) / REACH);
    all += vote;
    if (neighbour.isPositive) positive += vote;
  }
  return positive / all;
}
