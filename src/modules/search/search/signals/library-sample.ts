import { rowOf, type Shard, type SpaceOfShard } from "../index/shard.ts";
import { addRowsTo } from "../index/vector-space.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** This many tracks stand for a library. */
const SAMPLE = 400;
/** Knuth's multiplicative hash spreads the numbers of tracks over 32 bits, so the same tracks are drawn every time. */
const SPREAD = 2_654_435_761;

/** Vectors drawn evenly from a library, one after the other, and their mean. */
export type Sample = { rows: Float32Array; count: number; mean: Float64Array };

type Kept = { length: number; alive: number; sample: Sample };
const samples = new WeakMap<SpaceOfShard, Kept>();

/** Returns a sample of the sounds of a library, kept until the library changes. */
export function librarySample(shard: Shard, held: SpaceOfShard): Sample {
  const { length, alive } = shard;
  const known = samples.get(held);
  if (known?.length === length && known.alive === alive) return known.sample;
  const sample = draw(shard, held);
  samples.set(held, { length, alive, sample });
  return sample;
}

/** Returns how far the vectors of a sample differ along a direction: the standard deviation of the products. */
export function spreadAlong(sample: Sample, direction: ArrayLike<number>): number {
  const middle = dot(sample.mean, direction);
  const squares = productsAlong(sample, direction).reduce((sum, product) => sum + (product - middle) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, sample.count));
}

/** Returns the product of each vector of a sample with a direction. */
export function productsAlong({ rows, count, mean }: Sample, direction: ArrayLike<number>): Float64Array {
  // One type of array in the loop is three times as fast as any.
  const along = Float64Array.from(direction);
  const products = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const from = row * mean.length;
    let sum = 0;
    for (let i = 0; i < along.length; i++) sum += (rows[from + i] as number) * (along[i] as number);
    products[row] = sum;
  }
  return products;
}

/** Returns a track's place between 0 and 2^32, the same for each search. */
export const spread = (seq: number): number => Math.imul(seq, SPREAD) >>> 0;

export function dot(vector: ArrayLike<number>, direction: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (direction[i] as number);
  return sum;
}

function draw({ columns, length, alive }: Shard, held: SpaceOfShard): Sample {
  const limit = alive <= SAMPLE ? Number.POSITIVE_INFINITY : (SAMPLE / alive) * 2 ** 32;
  const vectors: Float64Array[] = [];
  for (let slot = 0; slot < length; slot++) {
    if (columns.isAlive[slot] !== 1 || spread(columns.seq[slot] as number) >= limit) continue;
    const row = rowOf(held, slot);
    if (row === -1) continue;
    const vector = new Float64Array(held.space.dimensions);
    addRowsTo(vector, held.space, [row]);
    vectors.push(vector);
  }
  const rows = new Float32Array(vectors.length * held.space.dimensions);
  const mean = new Float64Array(held.space.dimensions);
  for (const [index, vector] of vectors.entries()) {
    rows.set(vector, index * held.space.dimensions);
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + (vector[i] as number) / vectors.length;
  }
  return { rows, count: vectors.length, mean };
}
