import type { Follows } from "../signals/moves.ts";
import { NO_COSINE, type SoundChannel } from "../signals/sound.ts";
import { factorsOf, type Tally } from "../signals/tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** With this many tracks that follow every move, or a page of them, no others are results. */
const ENOUGH = 10;
/** The share of the tracks that is near the seeds. */
const NEAR = 1 / 3;
/** What tracks keep of their score that are farther away. */
const FAR_FACTOR = 0.5;
/** What they keep by how they follow a move. */
const FACTORS: Readonly<Record<ReturnType<Follows>, number>> = { asked: 1, aside: 0.3, missed: 0.15 };

/** The sums over the tracks that may be results, and how many there are that follow every move. */
export type Steered = { tally: Tally; following: number; isEnough: boolean };

/**
 * Keeps to the tracks that follow the moves of a brief, those among the nearest third of the seeds before others. Where
 * too few follow all of them, the others come behind.
 */
export function steered(
  tally: Tally,
  sounds: readonly SoundChannel[],
  follows: readonly Follows[],
  limit: number,
): Steered {
  const { slots, marks } = tally.eligible;
  const near = sounds.find(({ channel }) => channel === "seeds" || channel === "reference");
  const least = near ? leastNear(slots, near.cosines) : NO_COSINE;
  const factors = factorsOf(tally);
  const following = new Uint32Array(slots.length);
  let count = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const factor = factorOf(slot, follows);
    const isFar = near !== undefined && (near.cosines[slot] as number) < least;
    factors[slot] = (factors[slot] as number) * Math.abs(factor) * (isFar ? FAR_FACTOR : 1);
    if (factor > 0) following[count++] = slot;
  }
  const isEnough = count >= Math.min(limit, ENOUGH);
  return {
    tally: isEnough ? { ...tally, eligible: { slots: following.slice(0, count), marks } } : tally,
    following: count,
    isEnough,
  };
}

/** Returns what a track keeps of its score; below 0 where it misses a move. */
function factorOf(slot: number, follows: readonly Follows[]): number {
  let factor = 1;
  let sign = 1;
  for (let i = 0; i < follows.length; i++) {
    const way = (follows[i] as Follows)(slot);
    if (way === "missed") sign = -1;
    factor *= FACTORS[way];
  }
  return sign * factor;
}

/** Cosines are counted in steps of a thousandth. */
const STEPS = 2000;

/** Returns the cosine from which on tracks are the nearest third. */
function leastNear(slots: Uint32Array, cosines: Float32Array): number {
  const counts = new Uint32Array(STEPS + 1);
  let all = 0;
  for (let i = 0; i < slots.length; i++) {
    const cosine = cosines[slots[i] as number] as number;
    if (cosine === NO_COSINE) continue;
    const step = Math.max(0, Math.min(STEPS, Math.floor(((cosine + 1) * STEPS) / 2)));
    counts[step] = (counts[step] as number) + 1;
    all++;
  }
  let step = STEPS;
  for (let left = all * NEAR - (counts[step] as number); step > 0; step--) {
    left -= counts[step - 1] as number;
    if (left < 0) break;
  }
  return (step * 2) / STEPS - 1;
}
