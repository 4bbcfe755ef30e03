import type { MeasureChannel } from "../../../../kernel/measures.ts";
import type { Eligible } from "../filters/eligibility.ts";
import { bufferOf, type Shard } from "../index/shard.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** The source of a part of a score, as answers name it. */
export type Channel =
  | "tags"
  | "text"
  | MeasureChannel
  | "key"
  | "vocals"
  | "language"
  | "seeds"
  | "reference"
  | "passage"
  | "sound";

/** The sums that become the scores: the evidence for each track, and the factors that lower its score. */
export type Tally = {
  readonly shard: Shard;
  readonly eligible: Pick<Eligible, "slots" | "marks">;
  /** By slot: sum of weight times score. */
  readonly totals: Float32Array;
  /** By slot: the share of a score that remains, 0 to 1. Undefined while nothing lowers any score. */
  factors: Float32Array | undefined;
  readonly weights: Map<Channel, number>;
  /** By slot; all 0 between two uses. */
  readonly scratch: Float32Array;
};

/** Returns empty sums over the slots of a shard. */
export function createTally(shard: Shard, eligible: Tally["eligible"]): Tally {
  return {
    shard,
    eligible,
    totals: bufferOf(shard, "totals", 0),
    factors: undefined,
    weights: new Map(),
    scratch: bufferOf(shard, "scratch", 0),
  };
}

/** Adds to the weight of a channel. */
export function addWeight({ weights }: Tally, channel: Channel, weight: number): void {
  weights.set(channel, (weights.get(channel) ?? 0) + weight);
}

/** Returns the sum of all weights. */
export function totalWeight({ weights }: Tally): number {
  return weights.values().reduce((sum, weight) => sum + weight, 0);
}

/**
 * Adds a score, 0 to 1, for every eligible track. A track that scores 0 here keeps only the share `missFactor` of its
 * whole score, if that is given.
 */
export function addScores(
  tally: Tally,
  channel: Channel,
  weight: number,
  scoreAt: (slot: number) => number,
  missFactor?: number,
): void {
  const { totals, eligible } = tally;
  const factors = missFactor === undefined ? undefined : factorsOf(tally);
  addWeight(tally, channel, weight);
  for (let i = 0; i < eligible.slots.length; i++) {
    const slot = eligible.slots[i] as number;
    const score = scoreAt(slot);
    if (score > 0) totals[slot] = (totals[slot] as number) + weight * score;
    else if (factors && missFactor !== undefined) factors[slot] = (factors[slot] as number) * missFactor;
  }
}

/** Returns the factors by slot; each is 1 until something lowers the track's score. */
export function factorsOf(tally: Tally): Float32Array {
  tally.factors ??= bufferOf(tally.shard, "factors", 1);
  return tally.factors;
}
