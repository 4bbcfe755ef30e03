import type { Db } from "../../../../../db/client.ts";
import { bufferOf, type Shard } from "../index/shard.ts";
import { type ColumnKernel, columnKernel } from "../signals/column-kernel.ts";
import { blocksOf, take } from "../signals/columns.ts";
import type { Evidence } from "../signals/evidence.ts";
import {
  exactCosines,
  leastAlike,
  NO_COSINE,
  type SoundChannel,
  soundError,
  soundScore,
  soundWeight,
} from "../signals/sound.ts";
import { type Tally, totalWeight } from "../signals/tally.ts";
import { withoutLesser } from "./fold.ts";
import { type IsBefore, topOf } from "./top.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** A track with its exact raw score, 0 to 1, and the evidence of its sound. */
export type Best = {
  slot: number;
  raw: number;
  soundReasons: Evidence[];
  /** The best score of its sound, 0 to 1. */
  heard: number;
};

/** The input of {@link bestOf}. */
export type Sums = {
  db: Db;
  tally: Tally;
  /** The tally includes their weights. */
  sounds: readonly SoundChannel[];
  /** How many tracks to return. */
  count: number;
  /** By slot: how surely the query names the track, 0 to 1. */
  names: ReadonlyMap<number, number>;
  /** Whether only the best member of each family counts. */
  onePerFamily?: boolean;
};

/** What the other evidence is worth beside a certain name. */
const BESIDE_NAME = 0.5;

/**
 * Returns the function that puts names and the other evidence together. A named track comes before a described one,
 * and nothing that the query rules out lowers it: a track called "No Drums" may have drums.
 */
function withNames(names: ReadonlyMap<number, number>): (slot: number, raw: number) => number {
  const best = Math.max(0, ...names.values());
  const share = 1 - (1 - BESIDE_NAME) * best;
  return (slot, raw) => {
    const name = names.get(slot) ?? 0;
    return name + (1 - name) * share * raw;
  };
}

/** How many tracks are measured exactly at most. */
const MOST = 4096;

/**
 * Returns the best tracks by exact scores. The quantised vectors only choose which tracks to measure: first as many as are
 * wanted, then every other track that could still rank above the last of them, given the largest possible error.
 */
export function bestOf(sums: Sums): Best[] {
  const { tally, sounds, count } = sums;
  const { shard } = tally;
  const total = totalWeight(tally);
  const rough = roughScores(sums, total);
  addNames(rough, sums);
  const error = errorOf(sums, total);
  const every = tally.eligible.slots;
  const slots = sums.onePerFamily ? withoutLesser(shard, every, rough, 2 * error) : every;
  const order = orderBy(shard, (slot) => rough[slot] as number);
  if (sounds.length === 0)
    return topOf(slots, count, rough, order).map((slot) => ({
      slot,
      raw: rough[slot] as number,
      soundReasons: [],
      heard: 0,
    }));

  const chosen = topOf(slots, count, rough, order);
  const measured = exactly(sums, chosen, total);
  const near = slotsAtLeast(slots, rough, (measured[count - 1]?.raw ?? 0) - error);
  if (near.length <= chosen.length) return measured;
  const known = new Set(chosen);
  const nearest = near.length > MOST ? topOf(slots, MOST, rough, order) : near;
  const others = nearest.filter((slot) => !known.has(slot));
  return bestFirst(shard, [...measured, ...exactly(sums, others, total)]).slice(0, count);
}

/** Returns by how much a rough score may differ from the exact one at most. */
function errorOf({ tally, sounds }: Sums, total: number): number {
  if (sounds.length === 0) return 0;
  return sounds.reduce((sum, sound) => sum + mostWeight(sound) * soundError(tally.shard, sound), 0) / total;
}

/** Applies {@link withNames}; a search that names nothing costs nothing. */
export function addNames(rough: Float32Array, { tally, names }: Sums): void {
  if (names.size === 0) return;
  const combine = withNames(names);
  const { slots } = tally.eligible;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    rough[slot] = combine(slot, rough[slot] as number);
  }
}

/** Returns the slots with such a score or a higher one, though of more than MOST not all. */
function slotsAtLeast(slots: Uint32Array, scores: Float32Array, least: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < slots.length && found.length <= MOST; i++)
    if ((scores[slots[i] as number] as number) >= least) found.push(slots[i] as number);
  return found;
}

const mostWeight = ({ weight, extraWeights = new Float32Array(1) }: SoundChannel) =>
  weight + Math.max(...extraWeights);

/** Returns approximate scores by slot, with the factors applied. */
export function roughScores({ tally, sounds }: Sums, total: number): Float32Array {
  const { totals, factors, eligible, shard } = tally;
  const rough = bufferOf(shard, "rough", 0);
  if (total === 0) return rough;
  const kernel = columnKernel();
  for (const slots of blocksOf(shard, eligible.slots)) {
    take(kernel.totals, totals, slots);
    for (const sound of sounds) addRough(kernel, shard, slots, sound);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      const sum = (kernel.totals[i] as number) / total;
      rough[slot] = factors ? sum * (factors[slot] as number) : sum;
    }
  }
  return rough;
}

/** Adds the `soundScore` of the quantised cosines. */
function addRough(kernel: ColumnKernel, { columns }: Shard, slots: Uint32Array, sound: SoundChannel): void {
  const { cosines, weight, extraWeights, range } = sound;
  const [from, low] = range;
  take(kernel.values, cosines, slots);
  kernel.scores.fill(0);
  kernel.raise(
    [{ from, low, high: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY, height: 1 }],
    slots.length,
  );
  if (extraWeights) {
    const { written } = columns;
    for (let i = 0; i < slots.length; i++)
      kernel.parts[i] = weight + (extraWeights[written[slots[i] as number] as number] as number);
  } else kernel.parts.fill(weight);
  kernel.add(slots.length);
}

/** Returns tracks with their exact scores, best first. */
export function exactly({ db, tally, sounds, names }: Sums, slots: readonly number[], total: number): Best[] {
  const { shard } = tally;
  const seqs = slots.map((slot) => shard.columns.seq[slot] as number);
  const exact = exactCosines(db, shard.ownerId, sounds, seqs);
  const measured = sounds.map((sound, index) => ({ sound, cosines: exact[index] }));
  const combine = withNames(names);
  const best = slots.map((slot, index) => {
    const heard = measured.map(({ sound, cosines }) => ({
      sound,
      score: soundScore(sound, cosines?.get(seqs[index] as number) ?? NO_COSINE),
    }));
    const sum = heard.reduce(
      (all, { sound, score }) => all + soundWeight(sound, shard, slot) * score,
      tally.totals[slot] as number,
    );
    const described = total === 0 ? 0 : (sum / total) * (tally.factors ? (tally.factors[slot] as number) : 1);
    return {
      slot,
      raw: combine(slot, described),
      soundReasons: heard.map(evidenceOf),
      heard: Math.max(0, ...heard.map(({ score }) => score)),
    };
  });
  return bestFirst(shard, best);
}

function bestFirst(shard: Shard, best: Best[]): Best[] {
  const scores = new Map(best.map(({ slot, raw }) => [slot, raw]));
  const isBefore = orderBy(shard, (slot) => scores.get(slot) ?? 0);
  return best.sort((a, b) => (isBefore(a.slot, b.slot) ? -1 : 1));
}

function evidenceOf({ sound, score }: { sound: SoundChannel; score: number }): Evidence {
  return {
    weight: sound.weight,
    scoreOf: () => score,
    explain: () => (score >= leastAlike(sound) ? sound.reason : undefined),
  };
}

/** Orders by score, then the newest, then the one added last. */
function orderBy({ columns }: Shard, scoreAt: (slot: number) => number): IsBefore {
  return (a, b) => {
    const difference = scoreAt(b) - scoreAt(a);
    if (difference !== 0) return difference < 0;
    const newer = (columns.createdAt[b] as number) - (columns.createdAt[a] as number);
    return newer === 0 ? (columns.seq[a] as number) > (columns.seq[b] as number) : newer < 0;
  };
}
