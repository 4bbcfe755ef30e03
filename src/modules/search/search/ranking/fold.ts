import { NO_FAMILY } from "../index/member.ts";
import type { Shard } from "../index/shard.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** By family number, the best score of its members; kept from search to search. */
const kept = new WeakMap<Shard, Float32Array>();

/**
 * Returns the slots without the members of families that cannot be their family's best: those whose score is more than
 * `slack` below the best one.
 *
 * @param scores By slot; right to within half of `slack`.
 */
export function withoutLesser(
  shard: Shard,
  slots: Uint32Array,
  scores: Float32Array,
  slack: number,
): Uint32Array {
  const { family } = shard.columns;
  let most = NO_FAMILY;
  for (let i = 0; i < slots.length; i++) most = Math.max(most, family[slots[i] as number] as number);
  if (most === NO_FAMILY) return slots;
  const best = bestScores(shard, most);
  for (let i = 0; i < slots.length; i++)
    best[family[slots[i] as number] as number] = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < slots.length; i++) {
    const number = family[slots[i] as number] as number;
    const score = scores[slots[i] as number] as number;
    if (score > (best[number] as number)) best[number] = score;
  }
  return slots.filter((slot) => {
    const number = family[slot] as number;
    return number === NO_FAMILY || (scores[slot] as number) >= (best[number] as number) - slack;
  });
}

function bestScores(shard: Shard, most: number): Float32Array {
  let best = kept.get(shard);
  if (!best || best.length <= most) {
    best = new Float32Array(Math.ceil(most * 1.25) + 1);
    kept.set(shard, best);
  }
  return best;
}

/** Returns the first result of each family, and those of no family. */
export function firstOfEach<Result extends { slot: number }>(
  { columns }: Shard,
  results: readonly Result[],
): Result[] {
  const seen = new Set<number>();
  return results.filter(({ slot }) => {
    const number = columns.family[slot] as number;
    if (number === NO_FAMILY) return true;
    const isFirst = !seen.has(number);
    seen.add(number);
    return isFirst;
  });
}
