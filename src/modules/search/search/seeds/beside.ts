import type { Db } from "../../../../../db/client.ts";
import { listCopies } from "../../../library/recordings/service.ts";
import type { Condition } from "../filters/eligibility.ts";
import { NO_FAMILY } from "../index/member.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import { selectOwn } from "../queries.ts";
import type { Seeds } from "./seeds.ts";

/**
 * Keeps the seeds out of the answer, and copies of their recordings with them. Where results are one per family, so is
 * what belongs to their families.
 */
export function besideSeeds(
  { db, mirror, shard }: { db: Db; mirror: Mirror; shard: Shard },
  { seqs, tracks }: Pick<Seeds, "seqs" | "tracks">,
  onePerFamily: boolean,
): Condition[] {
  const { ownerId, columns } = shard;
  const copies = tracks.flatMap((id) => listCopies(db, ownerId, id).map((copy) => copy.id));
  const own = [...seqs, ...selectOwn(db, ownerId, copies).map(({ seq }) => seq)];
  const slots = new Set(own.map((seq) => slotOf(mirror, shard, seq)));
  const apart: Condition = { passes: (slot) => !slots.has(slot) };
  if (!onePerFamily) return [apart];
  const families = new Set([...slots].map((slot) => columns.family[slot] ?? NO_FAMILY));
  families.delete(NO_FAMILY);
  if (families.size === 0) return [apart];
  return [apart, { passes: (slot) => !families.has(columns.family[slot] ?? NO_FAMILY) }];
}
