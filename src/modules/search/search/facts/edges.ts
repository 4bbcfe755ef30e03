import { TAXONOMY } from "../../../../../db/taxonomy.ts";
import type { FactPerson } from "../../../../brief/fact-wish.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import { placedNameOf, playingAtEdge } from "../../../library/analysis/service.ts";
import type { Library } from "../filters/library.ts";
import { tagNumber } from "../index/tag-numbers.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

type PlacedName = NonNullable<ReturnType<typeof placedNameOf>>;
/** The voices of any kind. */
const ANY_VOICE = "Lead Vocals";

/** Returns the tracks that begin or end with an instrument or with voices: where a tag says that there are any, by where they are heard. */
export function seqsAtEdge(
  { db, shard }: Library,
  fact: "beginsWith" | "endsWith",
  of: FactPerson,
): number[] {
  const named = new Map<number, Set<PlacedName>>();
  for (const { tag, name } of placedTags(of)) {
    const postings = shard.tags[tagNumber(tag.entry.id) ?? -1];
    for (let i = 0; i < (postings?.length ?? 0); i++) {
      const slot = postings?.slots[i] as number;
      if (shard.columns.isAlive[slot] !== 1) continue;
      const seq = shard.columns.seq[slot] as number;
      named.set(seq, (named.get(seq) ?? new Set()).add(name));
    }
  }
  return playingAtEdge(db, shard.ownerId, fact === "beginsWith" ? "beginning" : "end", named);
}

/** True for what the ears do not know, so that no track is known to begin with it. */
export const isUnplaced = (of: FactPerson): boolean => placedTags(of).length === 0;

/** Returns the tags that are meant, and narrower ones, each with what the ears know it as. */
function placedTags({ stored }: FactPerson): { tag: TaxonomyTag; name: PlacedName }[] {
  const meant = (["instruments", "vocalTypes"] as const).flatMap((category) => {
    const asked = TAXONOMY[category].filter(({ name }) => stored.includes(`${category} ${name}`));
    const isMeant = (entry: TaxonomyTag["entry"]) =>
      asked.some(({ code, name }) => entry.code === code || entry.parent === code || name === ANY_VOICE);
    return TAXONOMY[category].filter(isMeant).map((entry) => ({ category, entry }));
  });
  return meant.flatMap((tag) => {
    const name = placedNameOf({ category: tag.category, name: tag.entry.name });
    return name === undefined ? [] : [{ tag, name }];
  });
}
