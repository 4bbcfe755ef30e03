import type { Interpretation } from "../../../../brief/interpretation.ts";
import type { Ordering } from "../../../../brief/ordering.ts";
import { isFactOrder } from "../../../../kernel/facts.ts";
import { bufferOf, type Shard } from "../index/shard.ts";
import { categoryBit } from "../index/tag-numbers.ts";
import type { Tally } from "../signals/tally.ts";
import { totalWeight } from "../signals/tally.ts";
import { addNames, type Best, exactly, roughScores, type Sums } from "./rescore.ts";
import { topOf } from "./top.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

export const NEWEST: Ordering = { by: "createdAt", direction: "desc" };

const NONE = new Float64Array(0);

/** Where an order is asked for, tracks count as fitting from this share of the best track's score. */
const FITTING = 0.6;

/** Returns the first tracks in an order; equal ones newest first. A track whose value is unknown has no place in it. */
function inOrder(
  shard: Shard,
  slots: Uint32Array,
  { by, direction }: Ordering,
  count: number,
  ordered?: Float64Array,
): number[] {
  const { columns } = shard;
  const values: Float32Array | Float64Array = isFactOrder(by) ? (ordered ?? NONE) : columns[by];
  const known = slots.filter((slot) => !Number.isNaN(values[slot]));
  const turn = direction === "asc" ? 1 : -1;
  return topOf(known, count, bufferOf(shard, "listed", 0), (a, b) => {
    const difference = ((values[a] as number) - (values[b] as number)) * turn;
    if (difference !== 0) return difference < 0;
    const newer = (columns.createdAt[b] as number) - (columns.createdAt[a] as number);
    return newer === 0 ? (columns.seq[a] as number) > (columns.seq[b] as number) : newer < 0;
  });
}

/** Returns the tracks that fit about as well as the best one, in the order asked for. */
export function fittingInOrder(sums: Sums, ordering: Ordering, ordered?: Float64Array): Best[] {
  const { tally, count } = sums;
  const total = totalWeight(tally);
  const rough = roughScores(sums, total);
  addNames(rough, sums);
  let best = 0;
  const { slots } = tally.eligible;
  for (let i = 0; i < slots.length; i++) best = Math.max(best, rough[slots[i] as number] as number);
  if (best <= 0) return [];
  const fitting = slots.filter((slot) => (rough[slot] as number) >= best * FITTING);
  const chosen = inOrder(tally.shard, fitting, ordering, count, ordered);
  const place = new Map(chosen.map((slot, index) => [slot, index]));
  return exactly(sums, chosen, total).toSorted((a, b) => (place.get(a.slot) ?? 0) - (place.get(b.slot) ?? 0));
}

/**
 * Returns tracks for a brief that wants no sound: all that meet its conditions, in the order asked for, and without
 * those that have a tag it rules out.
 */
export function listed(
  tally: Tally,
  slots: Uint32Array,
  ordering: Ordering,
  count: number,
  ordered?: Float64Array,
): Best[] {
  const { shard, factors } = tally;
  const left = factors ? slots.filter((slot) => factors[slot] === 1) : slots;
  return inOrder(shard, left, ordering, count, ordered).map((slot) => ({
    slot,
    raw: 1,
    soundReasons: [],
    heard: 0,
  }));
}

/** Returns the eligible tracks with written tags of each kind in which the brief rules one out. */
export function taggedLike({ shard, eligible }: Tally, { unwanted }: Interpretation): Uint32Array {
  const bits = unwanted.reduce((sum, { tags: [tag] }) => sum | (tag ? categoryBit(tag.entry.id) : 0), 0);
  const { written } = shard.columns;
  return eligible.slots.filter((slot) => ((written[slot] as number) & bits) === bits);
}
