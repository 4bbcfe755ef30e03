import type { Shard } from "../index/shard.ts";
import { BLOCK, type ColumnKernel, columnKernel } from "./column-kernel.ts";
import type { Ramp } from "./ranges.ts";
import { addWeight, type Channel, factorsOf, type Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** A column of numbers, and the ramps that score them; of two columns the better score counts. */
export type Ramped = {
  values: Float32Array | Float64Array;
  others?: Float64Array;
  ramps: readonly Ramp[];
};
/** A column of codes, and the score of each code. */
export type Coded = { codes: Uint8Array; scores: Float32Array };
/** Scores as `addScores` adds them. */
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

/** The slots 0, 1, 2, ... of the largest shard so far. */
let everySlot = new Uint32Array(0);

/**
 * Yields slots in blocks; where they are most of the shard, all of it: a row without a gap takes less time, and nobody reads
 * the sums of the others.
 */
export function* blocksOf({ length }: Shard, some: Uint32Array): Generator<Uint32Array> {
  const isMost = some.length > length / 2;
  if (isMost && everySlot.length < length) everySlot = Uint32Array.from({ length }, (_, slot) => slot);
  const slots = isMost ? everySlot.subarray(0, length) : some;
  for (let from = 0; from < slots.length; from += BLOCK) yield slots.subarray(from, from + BLOCK);
}

/** Adds scores of several columns as `addScores` does, without a call per track. */
export function addColumns(tally: Tally, columns: readonly ColumnScores[]): void {
  if (columns.length === 0) return;
  const kernel = columnKernel();
  const described = describedBlock(tally, columns);
  for (const { channel, weight } of columns) addWeight(tally, channel, weight);
  const lowers = columns.some(({ missFactor }) => missFactor !== undefined);
  const factors = lowers ? factorsOf(tally) : undefined;
  for (const slots of blocksOf(tally.shard, tally.eligible.slots)) {
    take(kernel.totals, tally.totals, slots);
    if (factors) take(kernel.factors, factors, slots);
    if (described) noteDescribed(described, kernel.totals, slots.length);
    for (const column of columns) {
      writeScores(kernel, slots, column);
      writeParts(kernel, slots.length, column, described);
      kernel.add(slots.length, column.missFactor);
    }
    give(tally.totals, kernel.totals, slots);
    if (factors) give(factors, kernel.factors, slots);
  }
}

/** Returns room to note what has spoken for the tracks of a block; undefined where it makes no difference. */
function describedBlock({ weights }: Tally, columns: readonly ColumnScores[]): Uint8Array | undefined {
  const isPartial = columns.some(({ undescribedPart }) => undescribedPart !== undefined);
  return weights.size > 0 && isPartial ? new Uint8Array(BLOCK) : undefined;
}

/** Notes, by the place in a block, which tracks something speaks for. */
function noteDescribed(described: Uint8Array, totals: Float32Array, count: number): void {
  for (let i = 0; i < count; i++) described[i] = (totals[i] as number) > 0 ? 1 : 0;
}

function writeScores(kernel: ColumnKernel, slots: Uint32Array, { scores }: ColumnScores): void {
  if ("codes" in scores) writeCoded(kernel.scores, slots, scores);
  else writeRamped(kernel, slots, scores);
}

function writeRamped(kernel: ColumnKernel, slots: Uint32Array, { values, others, ramps }: Ramped): void {
  kernel.scores.fill(0);
  for (const column of others ? [values, others] : [values]) {
    take(kernel.values, column, slots);
    if (areKnown(kernel.values, slots.length)) kernel.raise(ramps, slots.length);
  }
}

/** Few tracks have another reading of their tempo. */
function areKnown(values: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Number.isNaN(values[i])) return true;
  return false;
}

function writeCoded(written: Float64Array, slots: Uint32Array, { codes, scores }: Coded): void {
  for (let i = 0; i < slots.length; i++) written[i] = scores[codes[slots[i] as number] as number] as number;
}

function writeParts(
  { parts }: ColumnKernel,
  count: number,
  { weight, undescribedPart }: ColumnScores,
  described: Uint8Array | undefined,
): void {
  if (!described || undescribedPart === undefined) {
    parts.fill(weight, 0, count);
    return;
  }
  const undescribed = weight * undescribedPart;
  for (let i = 0; i < count; i++) parts[i] = described[i] === 1 ? weight : undescribed;
}

type Numbers = Float32Array | Float64Array;

/** Copies the values of slots to the start of an array. */
export function take(into: Numbers, from: Numbers, slots: Uint32Array): void {
  if (slots.length === 0) return;
  const first = slots[0] as number;
  if (areRow(slots)) into.set(from.subarray(first, first + slots.length));
  else for (let i = 0; i < slots.length; i++) into[i] = from[slots[i] as number] as number;
}

/** Copies the values at the start of an array back to their slots. */
function give(into: Float32Array, from: Float32Array, slots: Uint32Array): void {
  if (areRow(slots)) into.set(from.subarray(0, slots.length), slots[0]);
  else for (let i = 0; i < slots.length; i++) into[slots[i] as number] = from[i] as number;
}

/** Returns true for slots without a gap; they ascend. */
const areRow = (slots: Uint32Array) =>
  (slots[slots.length - 1] as number) - (slots[0] as number) === slots.length - 1;
