import type { Wish } from "../../../brief/interpretation.ts";
import type { Postings } from "../index/postings.ts";
import { FULL_TRUST } from "../index/postings.ts";
import { rowOf, type Shard, type SpaceOfShard } from "../index/shard.ts";
import { addRowTo } from "../index/vector-space.ts";
import { type Target, unitOf } from "./sound.ts";
import { exactTagNumbers } from "./tags.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Fewer tracks than this do not show what a tag sounds like. */
const MIN_CARRIERS = 4;
/** This many tracks show it as well as all of them. */
const SAMPLE = 400;
/** Knuth's multiplicative hash spreads the numbers of tracks over 32 bits, so the same tracks are drawn every time. */
const SPREAD = 2_654_435_761;

/** The sound of the wishes in this library. */
export type TaggedSound = {
  target: Target;
  /** The cosines of the library's average and of the average track with the wished tags. */
  range: readonly [none: number, full: number];
};

type Sum = { vector: Float64Array; count: number };

/**
 * Returns the direction in which the tracks with the wished tags differ from the whole library: the sound that an
 * untagged track should have. Undefined when too few tracks have the tags, or when they sound like all others.
 *
 * @see Rocchio 1971, relevance feedback: the mean of the relevant items minus the mean of the rest.
 */
export function taggedSound(
  shard: Shard,
  wishes: readonly { wish: Wish; weight: number }[],
): TaggedSound | undefined {
  const held = largestSpace(shard);
  if (!held) return undefined;
  const everything = averageOf(shard, held);
  if (!everything) return undefined;
  const direction = new Float64Array(held.space.dimensions);
  const carried = new Float64Array(held.space.dimensions);
  let weights = 0;
  for (const { wish, weight } of wishes) {
    const carriers = meanOf(sumOfCarriers(shard, held, wish));
    if (!carriers) continue;
    weights += weight;
    for (let i = 0; i < direction.length; i++) {
      direction[i] =
        (direction[i] as number) + weight * ((carriers[i] as number) - (everything[i] as number));
      carried[i] = (carried[i] as number) + weight * (carriers[i] as number);
    }
  }
  const unit = weights > 0 ? unitOf(direction) : undefined;
  if (!unit) return undefined;
  const none = dot(unit, everything);
  const full = dot(unit, carried) / weights;
  return full - none < MIN_DIFFERENCE
    ? undefined
    : { target: { version: held.space.version, unit }, range: [none, full] };
}

type Average = { length: number; alive: number; mean: Float64Array | undefined };
const averages = new WeakMap<SpaceOfShard, Average>();

/** Returns the average sound of a library, kept until the library changes. */
function averageOf(shard: Shard, held: SpaceOfShard): Float64Array | undefined {
  const { length, alive } = shard;
  const known = averages.get(held);
  if (known?.length === length && known.alive === alive) return known.mean;
  const mean = meanOf(sample(shard, held));
  averages.set(held, { length, alive, mean });
  return mean;
}

/** If tagged tracks differ from the library by less than this, they have no distinct sound. */
const MIN_DIFFERENCE = 0.05;

function sumOfCarriers(shard: Shard, held: SpaceOfShard, wish: Wish): Sum {
  const sum = { vector: new Float64Array(held.space.dimensions), count: 0 };
  for (const number of exactTagNumbers(wish)) {
    const postings = shard.tags[number];
    if (postings) addCarriers(sum, shard, held, postings);
  }
  return sum;
}

/** Adds tracks with the written tag; suggestions do not count, because they come from the sound itself. */
function addCarriers(sum: Sum, { columns }: Shard, held: SpaceOfShard, postings: Postings): void {
  const limit = drawLimit(postings.alive);
  for (let i = 0; i < postings.length; i++) {
    const slot = postings.slots[i] as number;
    if (postings.trusts[i] !== FULL_TRUST || columns.isAlive[slot] !== 1) continue;
    if (spread(columns.seq[slot] as number) >= limit) continue;
    addSlot(sum, held, slot);
  }
}

function sample({ columns, length, alive }: Shard, held: SpaceOfShard): Sum {
  const sum = { vector: new Float64Array(held.space.dimensions), count: 0 };
  const limit = drawLimit(alive);
  for (let slot = 0; slot < length; slot++)
    if (columns.isAlive[slot] === 1 && spread(columns.seq[slot] as number) < limit) addSlot(sum, held, slot);
  return sum;
}

function addSlot(sum: Sum, held: SpaceOfShard, slot: number): void {
  const row = rowOf(held, slot);
  if (row === -1) return;
  addRowTo(sum.vector, held.space, row);
  sum.count += 1;
}

function meanOf({ vector, count }: Sum): Float64Array | undefined {
  return count < MIN_CARRIERS ? undefined : vector.map((value) => value / count);
}

function largestSpace({ spaces }: Shard): SpaceOfShard | undefined {
  return [...spaces.values()].toSorted(
    (a, b) => b.alive - a.alive || (a.space.version < b.space.version ? -1 : 1),
  )[0];
}

/** Returns the hash limit that draws about {@link SAMPLE} of `count` tracks. */
const drawLimit = (count: number) =>
  count <= SAMPLE ? Number.POSITIVE_INFINITY : (SAMPLE / count) * 2 ** 32;

const spread = (seq: number) => Math.imul(seq, SPREAD) >>> 0;

function dot(unit: Float32Array, vector: Float64Array): number {
  return vector.reduce((sum, value, i) => sum + value * (unit[i] as number), 0);
}
