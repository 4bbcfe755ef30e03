import type { TaxonomyCategory, TaxonomyEntry } from "../../db/taxonomy.ts";

/** An entry of the taxonomy with its category. */
export type TaxonomyTag = { category: TaxonomyCategory; entry: TaxonomyEntry };

/** The meaning of a form. */
export type Meaning = {
  tags: readonly TaxonomyTag[];
  /** The tags that a scene suggests, if the form names a scene. */
  suggests: readonly TaxonomyTag[];
  /** The company in which an ordinary word counts; undefined when it always counts. */
  care: Care | undefined;
};

/**
 * `alone`: only when it describes the music itself. `degree`: as `alone`, but not before a description. `music`: also beside any other word about music. `listed`: only as
 * an item of a list.
 */
export type Care = "alone" | "degree" | "music" | "listed";
