import { NO_FAMILY } from "../index/member.ts";
import type { Shard } from "../index/shard.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Scores by family number, kept from search to search, and the highest number among the first `length` slots. */
type Room = { best: Float32Array; most: number; length: number };
const rooms = new WeakMap<Shard, Room>();

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
  const { best, most } = roomFor(shard);
  if (most === NO_FAMILY) return slots;
  best.fill(Number.NEGATIVE_INFINITY, 0, most + 1);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const number = family[slot] as number;
    if ((scores[slot] as number) > (best[number] as number)) best[number] = scores[slot] as number;
  }
  const left = new Uint32Array(slots.length);
  let count = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const number = family[slot] as number;
    if (number === NO_FAMILY || (scores[slot] as number) >= (best[number] as number) - slack)
      left[count++] = slot;
  }
  return left.subarray(0, count);
}

/** No slot is written twice: only new ones are looked at. */
function roomFor(shard: Shard): Room {
  const { columns, length } = shard;
  const room = rooms.get(shard) ?? { best: new Float32Array(0), most: NO_FAMILY, length: 0 };
  for (; room.length < length; room.length++)
    room.most = Math.max(room.most, columns.family[room.length] as number);
  if (room.best.length <= room.most) room.best = new Float32Array(Math.ceil(room.most * 1.25) + 1);
  rooms.set(shard, room);
  return room;
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
