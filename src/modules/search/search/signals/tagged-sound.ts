import type { Wish } from "../../../../brief/interpretation.ts";
import type { Postings } from "../index/postings.ts";
import { FULL_TRUST } from "../index/postings.ts";
import { rowOf, type Shard, type SpaceOfShard } from "../index/shard.ts";
import { addRowsTo } from "../index/vector-space.ts";
import { heardDirection } from "./heard.ts";
import { dot, librarySample, productsAlong, type Sample, spread, spreadAlong } from "./library-sample.ts";
import { type Target, unitOf } from "./sound.ts";
import { exactTagNumbers } from "./tags.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Fewer tracks than this do not show what a tag sounds like. */
const MIN_CARRIERS = 4;
/** This many tracks show it as well as all of them. */
const SAMPLE = 400;
/** The trained ears count as much as this many tracks with the tag: the more carriers, the less they say. */
const EARS_AS_CARRIERS = 4;
/** The weight of the second round, which starts from what the first one found. */
const SECOND_ROUND = 0.5;
/** The share of a library that the first round finds, and the fewest tracks. */
const FOUND_SHARE = 0.05;
const FOUND_LEAST = 6;
/** If tagged tracks differ from the library by less than this, they have no distinct sound. */
const MIN_DIFFERENCE = 0.05;

/** The sound of the wishes in this library. */
export type TaggedSound = {
  target: Target;
  /** The cosines of the library's average and of the average track with the wished sound. */
  range: readonly [none: number, full: number];
  /** True when every wish has enough tracks with its tag here, so that the ears are not alone with any of them. */
  isCarried: boolean;
};

type Sum = { vector: Float64Array; count: number };
type WeightedWish = { wish: Wish; weight: number };

/**
 * Returns the direction in which tracks sound more and more like the wishes: that in which the tracks with the tags
 * differ from the whole library, and that of the ears trained for the tags. A second round adds what the tracks found so
 * far have in common. Undefined when nothing is known about the sound, or when it is that of all tracks.
 *
 * @see Rocchio 1971, relevance feedback: the mean of the relevant items minus the mean of the rest.
 */
export function taggedSound(shard: Shard, wishes: readonly WeightedWish[]): TaggedSound | undefined {
  const held = largestSpace(shard);
  const library = held && librarySample(shard, held);
  if (!held || !library || library.count < MIN_CARRIERS) return undefined;
  const sounds = wishes.flatMap(({ wish, weight }) => {
    const sound = soundOfWish(shard, held, library, wish);
    return sound ? [{ ...sound, weight }] : [];
  });
  const first = unitOf(weightedSum(held.space.dimensions, sounds));
  if (!first) return undefined;
  const isCarried = sounds.every(({ carriers }) => carriers !== undefined);
  if (isCarried) return rangeOf(held, library, first, sounds);
  return secondRound(held, library, first);
}

type WishSound = { direction: Float64Array; carriers: Float64Array | undefined };

/** The sounds of wishes by their tags, until the library changes: then it has another sample. */
const known = new WeakMap<Sample, Map<string, WishSound | undefined>>();
/** A sound takes three kilobytes. */
const MOST_KNOWN = 300;

/** Returns the direction of one wish, in units of how far the library's tracks differ along it. */
function soundOfWish(shard: Shard, held: SpaceOfShard, library: Sample, wish: Wish): WishSound | undefined {
  const sounds = known.get(library) ?? new Map<string, WishSound | undefined>();
  known.set(library, sounds);
  const key = wish.tags.map(({ entry }) => entry.id).join(" ");
  if (sounds.has(key)) return sounds.get(key);
  if (sounds.size >= MOST_KNOWN) sounds.clear();
  const sound = findSound(shard, held, library, wish);
  sounds.set(key, sound);
  return sound;
}

function findSound(shard: Shard, held: SpaceOfShard, library: Sample, wish: Wish): WishSound | undefined {
  const sum = sumOfCarriers(shard, held, wish);
  const carriers = meanOf(sum);
  const written = carriers?.map((value, i) => value - (library.mean[i] as number));
  const heard = heardDirection(wish, held.space.version);
  const share = sum.count / (sum.count + EARS_AS_CARRIERS);
  if (written && heard)
    return {
      carriers,
      direction: weightedSum(held.space.dimensions, [
        { direction: inSpreads(library, written), weight: share },
        { direction: inSpreads(library, heard), weight: 1 - share },
      ]),
    };
  const direction = written ?? heard;
  return direction && { carriers, direction: inSpreads(library, direction) };
}

function inSpreads(library: Sample, direction: Float64Array): Float64Array {
  const width = spreadAlong(library, direction);
  return width > 0 ? direction.map((value) => value / width) : direction;
}

/** Adds what the tracks that sound most like a direction have in common. Needs no search of the whole library. */
function secondRound(held: SpaceOfShard, library: Sample, first: Float32Array): TaggedSound | undefined {
  const found = foundAlong(library, first);
  const common = found.mean.map((value, i) => value - (library.mean[i] as number));
  const target = unitOf(
    weightedSum(held.space.dimensions, [
      { direction: inSpreads(library, Float64Array.from(first)), weight: 1 },
      { direction: inSpreads(library, common), weight: SECOND_ROUND },
    ]),
  );
  if (!target) return undefined;
  const [none, full] = [dot(library.mean, target), farthestAlong(library, target)];
  return full > none
    ? { target: { version: held.space.version, unit: target }, range: [none, full], isCarried: false }
    : undefined;
}

/** Returns the mean of the sampled tracks that lie farthest along a direction. */
function foundAlong(sample: Sample, direction: Float32Array): { mean: Float64Array } {
  const { rows, count, mean } = sample;
  const width = mean.length;
  const products = productsAlong(sample, direction);
  const most = Math.min(count, Math.max(FOUND_LEAST, Math.round(count * FOUND_SHARE)));
  const order = Array.from(products.keys()).sort((a, b) => (products[b] as number) - (products[a] as number));
  const sum = new Float64Array(width);
  for (const row of order.slice(0, most))
    for (let i = 0; i < width; i++) sum[i] = (sum[i] as number) + (rows[row * width + i] as number) / most;
  return { mean: sum };
}

/** Returns the product of the sampled track that lies farthest along a direction: a smaller one would tie the best. */
const farthestAlong = (sample: Sample, direction: Float32Array) =>
  Math.max(...productsAlong(sample, direction));

/** Returns the range between the library's average and the average of the tracks with the tags. */
function rangeOf(
  held: SpaceOfShard,
  library: Sample,
  unit: Float32Array,
  sounds: readonly (WishSound & { weight: number })[],
): TaggedSound | undefined {
  const weights = sounds.reduce((sum, { weight }) => sum + weight, 0);
  const none = dot(library.mean, unit);
  const full =
    sounds.reduce((sum, { carriers, weight }) => sum + weight * dot(carriers ?? library.mean, unit), 0) /
    weights;
  return full - none < MIN_DIFFERENCE
    ? undefined
    : { target: { version: held.space.version, unit }, range: [none, full], isCarried: true };
}

function weightedSum(
  dimensions: number,
  parts: readonly { direction: ArrayLike<number>; weight: number }[],
): Float64Array {
  const sum = new Float64Array(dimensions);
  for (const { direction, weight } of parts)
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + weight * (direction[i] as number);
  return sum;
}

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
  const limit = postings.alive <= SAMPLE ? Number.POSITIVE_INFINITY : (SAMPLE / postings.alive) * 2 ** 32;
  const rows: number[] = [];
  for (let i = 0; i < postings.length; i++) {
    const slot = postings.slots[i] as number;
    if (postings.trusts[i] !== FULL_TRUST || columns.isAlive[slot] !== 1) continue;
    if (spread(columns.seq[slot] as number) >= limit) continue;
    const row = rowOf(held, slot);
    if (row !== -1) rows.push(row);
  }
  addRowsTo(sum.vector, held.space, rows);
  sum.count += rows.length;
}

function meanOf({ vector, count }: Sum): Float64Array | undefined {
  return count < MIN_CARRIERS ? undefined : vector.map((value) => value / count);
}

function largestSpace({ spaces }: Shard): SpaceOfShard | undefined {
  return [...spaces.values()].toSorted(
    (a, b) => b.alive - a.alive || (a.space.version < b.space.version ? -1 : 1),
  )[0];
}
