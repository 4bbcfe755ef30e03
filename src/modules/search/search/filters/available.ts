import type { FamilyKind } from "../../../../../db/schema.ts";
import type { Available } from "../../../../brief/available.ts";
import type { AvailableAs } from "../../../../kernel/available-as.ts";
import { editOf, isOfKind, NO_FAMILY } from "../index/member.ts";
import type { Shard } from "../index/shard.ts";
import type { Filter } from "./constraints.ts";
import type { Condition } from "./eligibility.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

const KINDS: Readonly<Record<AvailableAs, FamilyKind>> = {
  instrumental: "instrumental",
  acapella: "acapella",
  clean: "clean",
  tv: "tv",
  stems: "stem",
};

/**
 * Returns what must be there of a song as conditions: a track passes when it, or a member of its family, is what is asked
 * for, each of it. The prose and the constraints ask together.
 *
 * @param waiting Slots of tracks that are not in the library yet.
 */
export function availableConditions(
  shard: Shard,
  filter: Filter,
  filters: Available,
  waiting: ReadonlySet<number>,
): Condition[] {
  const kinds = new Set([...(filter.availableAs ?? []), ...(filters.availableAs ?? [])]);
  const edits = [...(filter.editSec ? [filter.editSec] : []), ...(filters.edits ?? [])];
  const having = (isIt: (code: number) => boolean) => familiesWith(shard, waiting, isIt);
  const asked = {
    availableAs: Array.from(kinds, (kind) => having((code) => isOfKind(code, KINDS[kind]))),
    editSec: edits.map(([least, most]) => having((code) => editOf(code) >= least && editOf(code) <= most)),
  };
  const { family } = shard.columns;
  return Object.entries(asked)
    .filter(([, sets]) => sets.length > 0)
    .map(([name, sets]) => ({
      name,
      passes: (slot) => sets.every((families) => families.has(family[slot] as number)),
    }));
}

/** Returns the numbers of the families that have a member whose code is right. */
function familiesWith(
  { columns: { family, member, isAlive }, length }: Shard,
  waiting: ReadonlySet<number>,
  isIt: (code: number) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let slot = 0; slot < length; slot++) {
    const number = family[slot] as number;
    if (number === NO_FAMILY || isAlive[slot] !== 1 || !isIt(member[slot] as number)) continue;
    if (!waiting.has(slot)) found.add(number);
  }
  return found;
}
