import type { Wish } from "../../../../brief/interpretation.ts";
import { suggestionTrust } from "../index/load.ts";
import type { Shard } from "../index/shard.ts";
import { tagNumber } from "../index/tag-numbers.ts";
import { isSameKind, meaningsOf } from "../signals/tags.ts";
import type { Condition } from "./eligibility.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What a tagger heard as surely as this counts as known. */
const SURE = suggestionTrust(0.8);
/** A wish ruled out with "ideally" only lowers. */
const PLAIN_WEIGHT = 0.8;

/**
 * Beside a seed, what sounds like it comes first, whatever its instruments: what the brief rules out plainly is left out
 * where it is known.
 */
export function refusedConditions({ tags, length }: Shard, unwanted: readonly Wish[]): Condition[] {
  const refused = unwanted.filter(({ weight }) => weight >= PLAIN_WEIGHT).flatMap(meaningsOf);
  const marks = new Uint8Array(length);
  for (const { tag } of refused.filter(isSameKind)) {
    const postings = tags[tagNumber(tag.entry.id) ?? -1];
    for (let i = 0; i < (postings?.length ?? 0); i++)
      if ((postings?.trusts[i] as number) >= SURE) marks[postings?.slots[i] as number] = 1;
  }
  return refused.length > 0 ? [{ name: "excluded", passes: (slot) => marks[slot] === 0 }] : [];
}
