import type { MeasureChannel } from "../../../../kernel/measures.ts";
import type { Eligible } from "../filters/eligibility.ts";
import { bufferOf, type Shard } from "../index/shard.ts";
import { flatRamps, flatScore, type Ramp } from "./ranges.ts";

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

/** A column of numbers, and the ramps that score them; of two columns the better score counts. */
export type Ramped = {
  values: Float32Array | Float64Array;
  others?: Float64Array;
  ramps: readonly Ramp[];
};
/** A column of codes, and the score of each code. */
export type Coded = { codes: Uint8Array; scores: Float32Array };
/** Scores as {@link addScores} adds them. */
export type ColumnScores = {
  channel: Channel;
  weight: number;
  scores: Ramped | Coded;
  missFactor?: number;
  /**
   * How much it counts for a track that nothing has spoken for before these columns, where something could have; left
   * out: all.
   */
  undescribedPart?: number;
};

/** Number of slots handled together, so that their sums stay in the processor's cache. */
const BLOCK = 8192;

/** Yields slots in blocks. */
export function* blocksOf(slots: Uint32Array): Generator<Uint32Array> {
  for (let from = 0; from < slots.length; from += BLOCK) yield slots.subarray(from, from + BLOCK);
}

/** Adds scores of several columns as {@link addScores} does, without a call per track. */
export function addColumns(tally: Tally, columns: readonly ColumnScores[]): void {
  const described = describedBlock(tally, columns);
  for (const { channel, weight } of columns) addWeight(tally, channel, weight);
  if (columns.some(({ missFactor }) => missFactor !== undefined)) factorsOf(tally);
  for (const block of blocksOf(tally.eligible.slots)) {
    if (described) noteDescribed(described, tally, block);
    for (const column of columns) {
      const { scores } = column;
      if ("ramps" in scores) addRamped(tally, block, column, scores, described);
      else addCoded(tally, block, column, scores);
    }
  }
}

/** Returns room to note what has spoken for the tracks of a block; undefined where it makes no difference. */
function describedBlock({ weights }: Tally, columns: readonly ColumnScores[]): Uint8Array | undefined {
  const isPartial = columns.some(({ undescribedPart }) => undescribedPart !== undefined);
  return weights.size > 0 && isPartial ? new Uint8Array(BLOCK) : undefined;
}

/** Notes, by the place in a block, which tracks something speaks for. */
function noteDescribed(described: Uint8Array, { totals }: Tally, slots: Uint32Array): void {
  for (let i = 0; i < slots.length; i++) described[i] = (totals[slots[i] as number] as number) > 0 ? 1 : 0;
}

type Part = Pick<ColumnScores, "weight" | "missFactor" | "undescribedPart">;

function addRamped(
  { totals, factors }: Tally,
  slots: Uint32Array,
  { weight, missFactor, undescribedPart = 1 }: Part,
  { values, others, ramps }: Ramped,
  described: Uint8Array | undefined,
): void {
  const undescribed = weight * undescribedPart;
  const flat = flatRamps(ramps);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const one = flatScore(flat, values[slot] as number);
    const score = others && one < 1 ? Math.max(one, flatScore(flat, others[slot] as number)) : one;
    const part = described?.[i] === 0 ? undescribed : weight;
    if (score > 0) totals[slot] = (totals[slot] as number) + part * score;
    else if (factors && missFactor !== undefined) factors[slot] = (factors[slot] as number) * missFactor;
  }
}

function addCoded(
  { totals, factors }: Tally,
  slots: Uint32Array,
  { weight, missFactor }: Part,
  { codes, scores }: Coded,
): void {
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const score = scores[codes[slot] as number] as number;
    if (score > 0) totals[slot] = (totals[slot] as number) + weight * score;
    else if (factors && missFactor !== undefined) factors[slot] = (factors[slot] as number) * missFactor;
  }
}

/** Returns the factors by slot; each is 1 until something lowers the track's score. */
export function factorsOf(tally: Tally): Float32Array {
  tally.factors ??= bufferOf(tally.shard, "factors", 1);
  return tally.factors;
}
