import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { distancesTo, type Sound } from "../../../library/sounds/service.ts";
import { bufferOf, type Shard, type SpaceOfShard } from "../index/shard.ts";
import { scanSpace } from "../index/vector-space.ts";
import type { Channel } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Rounding error of the int16 query, far smaller than that of the int8 vectors. */
const QUERY_ERROR = 0.001;
/** Lower similarity is not worth a reason: of vectors as they are, and of likeness as it was learnt. */
const [ALIKE, LEARNT_ALIKE] = [0.8, 0.55];

/** A direction to compare vectors of the same version with: float32, L2-normalised. `full` is the cosine that means 1. */
export type Target = Sound & { full?: number };

/** Similarity of sound to the nearest of one or several targets. */
export type SoundChannel = {
  channel: Channel & ("seeds" | "reference" | "sound");
  weight: number;
  targets: readonly Target[];
  /** The cosines that count as 0 and as 1. */
  range: readonly [none: number, full: number];
  reason: string;
  /** By the set of a track's tagged categories: the extra weight of this channel in place of missing tags. */
  extraWeights: Float32Array | undefined;
  /** By slot: the largest cosine of the quantised vectors; -2 without a vector. */
  cosines: Float32Array;
};

/** An impossible cosine, for a track without a vector to compare. */
export const NO_COSINE = -2;

/** Measures the similarity of every track of a shard. */
export function createSoundChannel(
  shard: Shard,
  { targets, ...rest }: Omit<SoundChannel, "cosines">,
): SoundChannel {
  const cosines = bufferOf(shard, rest.channel, NO_COSINE);
  for (const { version, unit, full = 1 } of targets) {
    const held = spaceOf(shard, version, unit.length);
    if (!held) continue;
    scanSpace(held.space, unit, (products, first) => {
      for (let i = 0; i < products.length; i++) {
        const slot = held.slotOfRow[first + i] as number;
        const cosine = (products[i] as number) / full;
        if (cosine > (cosines[slot] as number)) cosines[slot] = cosine;
      }
    });
  }
  return { ...rest, targets, cosines };
}

/** Returns the least score that is worth a reason. */
export function leastAlike({ targets }: SoundChannel): number {
  return targets.some(({ full }) => full !== undefined) ? LEARNT_ALIKE : ALIKE;
}

/** Returns the score of a cosine, 0 to 1. */
export function soundScore({ range: [none, full] }: SoundChannel, cosine: number): number {
  return Math.min(1, Math.max(0, (cosine - none) / (full - none)));
}

/** Returns how much the channel counts for a track. */
export function soundWeight(
  { weight, extraWeights }: SoundChannel,
  { columns }: Shard,
  slot: number,
): number {
  return extraWeights ? weight + (extraWeights[columns.written[slot] as number] as number) : weight;
}

/** Returns the largest error of a quantised score, 0 to 1. */
export function soundError(shard: Shard, { targets, range: [none, full] }: SoundChannel): number {
  const errors = targets.map((target) => {
    const worst = spaceOf(shard, target.version, target.unit.length)?.space.worstError ?? 0;
    return (worst + QUERY_ERROR) / (target.full ?? 1);
  });
  return Math.max(QUERY_ERROR, ...errors) / (full - none);
}

/** Returns, for each channel, the exact largest cosine of each track, measured by sqlite-vec on the stored vectors. */
export function exactCosines(
  db: Db,
  ownerId: LibraryId,
  sounds: readonly SoundChannel[],
  seqs: readonly number[],
): Map<number, number>[] {
  const targets = sounds.flatMap((sound) => sound.targets);
  const distances = distancesTo(db, ownerId, targets, seqs);
  return sounds.map((sound) => {
    const cosines = new Map<number, number>();
    for (const { full = 1 } of sound.targets)
      for (const [seq, distance] of distances.shift() ?? [])
        cosines.set(seq, Math.max((1 - distance) / full, cosines.get(seq) ?? NO_COSINE));
    return cosines;
  });
}

/** Returns the vectors of a shard that can be compared with a target of this version. */
export function spaceOf({ spaces }: Shard, version: string, dimensions: number): SpaceOfShard | undefined {
  return spaces.get(`${version} ${dimensions}`);
}

/**
 * Returns the mean direction of targets, or undefined when they cancel out. If versions differ, only the most frequent
 * one counts.
 */
export function centreOf(targets: readonly Target[]): Target | undefined {
  const groups = [...Map.groupBy(targets, ({ version, unit }) => `${version} ${unit.length}`)];
  const [largest] = groups.toSorted(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1));
  const first = largest?.[1][0];
  if (!largest || !first) return undefined;
  const sum = new Float64Array(first.unit.length);
  for (const { unit } of largest[1])
    for (let i = 0; i < unit.length; i++) sum[i] = (sum[i] as number) + (unit[i] as number);
  const unit = unitOf(sum);
  return unit && { version: first.version, unit };
}

/** Returns the unit vector; undefined for a vector without a direction. */
export function unitOf(vector: Float64Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length < 1e-9) return undefined;
  return Float32Array.from(vector, (value) => value / length);
}
