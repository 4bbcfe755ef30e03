import { TAXONOMY, type TaxonomyCategory } from "../../../../../db/taxonomy.ts";
import type { Interpretation, Wish } from "../../../../brief/interpretation.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import { FULL_TRUST } from "../index/postings.ts";
import type { TrackRecord } from "../index/shard.ts";
import { TAG_IDS } from "../index/tag-numbers.ts";

const PLAIN_WEIGHT = 0.8;
/** A tag that this share of the seeds has is what they share: an artist's tracks are not all alike. */
const SHARE = 0.6;
/** Seeds with more tags than this say most with the first ones. */
const MOST_TAGS = 12;

const TAGS = new Map(
  Object.entries(TAXONOMY).flatMap(([category, entries]) =>
    // `Object.entries` loses the type of its keys.
    entries.map((entry) => [entry.id, { category: category as TaxonomyCategory, entry }] as const),
  ),
);

/** Returns the written tags that the tracks share, as wishes. */
export function sharedWishes(records: readonly Pick<TrackRecord, "tags">[]): Wish[] {
  const counts = new Map<number, number>();
  for (const { tags } of records)
    for (const { number, trust } of tags)
      if (trust === FULL_TRUST) counts.set(number, (counts.get(number) ?? 0) + 1);
  const least = records.length <= 2 ? records.length : records.length * SHARE;
  return [...counts]
    .filter(([, count]) => count >= least)
    .flatMap(([number]) => TAGS.get(TAG_IDS[number] ?? "") ?? [])
    .slice(0, MOST_TAGS)
    .map((tag) => ({ tags: [tag], weight: PLAIN_WEIGHT, source: "seed" }));
}

/** Moods and the like say the opposite of "calmer" or "happier". */
const MOVED: ReadonlySet<TaxonomyCategory> = new Set(["moods", "characters", "movements", "tempos"]);

/** Returns what the seeds share and the prose does not change: "like Harbour, but jazz" wants another genre. */
export function keptWishes(
  shared: readonly Wish[],
  { wanted, unwanted, moves, vocalPreference }: Interpretation,
): Wish[] {
  const named = new Set(wanted.flatMap(({ tags }) => tags.map(({ category }) => category)));
  const refused = new Set(unwanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.id)));
  const isKept = ({ category, entry }: TaxonomyTag) =>
    !named.has(category) &&
    !refused.has(entry.id) &&
    !(moves.length > 0 && MOVED.has(category)) &&
    !(vocalPreference !== null && category === "vocalTypes");
  return shared.filter(({ tags }) => tags.every(isKept));
}
