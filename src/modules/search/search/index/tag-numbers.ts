import { CATEGORIES, TAXONOMY } from "../../../../../db/taxonomy.ts";

/** Ids of all tags of the taxonomy; a tag's number is its place here, valid only for this run of the program. */
export const TAG_IDS: readonly string[] = CATEGORIES.flatMap((category) =>
  TAXONOMY[category].map(({ id }) => id),
);

const NUMBERS = new Map(TAG_IDS.map((id, number) => [id, number]));

/** Returns the number of a tag of the taxonomy; undefined for free text. */
export function tagNumber(id: string): number | undefined {
  return NUMBERS.get(id);
}

const CATEGORY_BITS = new Map(
  CATEGORIES.flatMap((category, place) => TAXONOMY[category].map(({ id }) => [id, 1 << place])),
);
/** One more than the largest sum of category bits. */
export const CATEGORY_SETS = 1 << CATEGORIES.length;

/** Returns the bit of a taxonomy tag's category; 0 for free text. */
export function categoryBit(tagId: string): number {
  return CATEGORY_BITS.get(tagId) ?? 0;
}
