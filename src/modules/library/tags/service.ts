import type { Db } from "../../../../db/client.ts";
import { CATEGORIES, TAXONOMY } from "../../../../db/taxonomy.ts";
import { selectTags } from "./queries.ts";
import type { CategorizedTag, TaxonomyQuery } from "./shapes.ts";

export { TAXONOMY_VERSION } from "../../../../db/taxonomy.ts";
export {
  type AmendedCategory,
  amendTags,
  readAmendment,
  type TagAmendment,
  undoAmendment,
} from "./amend.ts";
export { outdateModelsOf, storeModel } from "./models.ts";
export { codesOf, resolveTagNames, TAXONOMY_CATEGORY, type TagNames } from "./names.ts";
export { nearestToUnknown, withNearest } from "./nearest.ts";
export { patchTags } from "./patch.ts";
export {
  clearSuggestions,
  deleteSuggestions,
  replaceSuggestions,
  selectSuggestedOf,
  selectSuggestions,
  wireName,
} from "./queries.ts";
export { transferTags } from "./transfer.ts";
export { unlearnRows } from "./unlearn.ts";
export { LEARN_JOB, requestLearning } from "./verdicts.ts";
export { decideTags, writeTags } from "./write.ts";

/**
 * Returns the tags of each track, in the order written within a category. A track without tags is not in the map.
 * The caller must be allowed to see every track in `trackIds`.
 */
export function tagsOfTracks(db: Db, trackIds: readonly string[]): Map<string, CategorizedTag[]> {
  const byTrack = new Map<string, CategorizedTag[]>();
  for (const { trackId, ...tag } of selectTags(db, trackIds)) {
    const tags = byTrack.get(trackId);
    if (tags) tags.push(tag);
    else byTrack.set(trackId, [tag]);
  }
  return byTrack;
}

type WireEntry = { id: string; name: string; code: string; order: number };

const WIRE_TAXONOMY = Object.fromEntries(
  CATEGORIES.map((category) => [
    category,
    TAXONOMY[category].map(({ id, name, code, order }): WireEntry => ({ id, name, code, order })),
  ]),
);

/**
 * Returns the taxonomy as the API sends it, each category in display order (decision 4.48): all of it, or one category, and
 * the others empty.
 */
export function listTaxonomy({
  category: only,
}: TaxonomyQuery): Readonly<Record<string, readonly WireEntry[]>> {
  if (only === undefined) return WIRE_TAXONOMY;
  return Object.fromEntries(
    Object.entries(WIRE_TAXONOMY).map(([category, entries]) => [category, category === only ? entries : []]),
  );
}
