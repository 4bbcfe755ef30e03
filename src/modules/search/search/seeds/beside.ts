import type { Condition } from "../filters/eligibility.ts";
import { NO_FAMILY } from "../index/member.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import type { Seeds } from "./seeds.ts";

/** Keeps the seeds out of the answer. Where results are one per family, so is what belongs to their families. */
export function besideSeeds(
  { mirror, shard }: { mirror: Mirror; shard: Shard },
  { seqs }: Pick<Seeds, "seqs">,
  onePerFamily: boolean,
): Condition[] {
  const { columns } = shard;
  const slots = new Set(seqs.map((seq) => slotOf(mirror, shard, seq)));
  const apart: Condition = { without: slots };
  if (!onePerFamily) return [apart];
  const families = new Set([...slots].map((slot) => columns.family[slot] ?? NO_FAMILY));
  families.delete(NO_FAMILY);
  if (families.size === 0) return [apart];
  return [apart, { passes: (slot) => !families.has(columns.family[slot] ?? NO_FAMILY) }];
}
