import { findTag } from "../../../../db/taxonomy.ts";
import type { TagSuggestion } from "../../tags/model.ts";
import { TAXONOMY_CATEGORY } from "../../tags/service.ts";

/**
 * Returns how far `value` has come from `none`, where there is no evidence (0), to `full` (1); evenly between them.
 * `full` below `none` makes small values speak.
 */
export function degree(value: number, none: number, full: number): number {
  return Math.max(0, Math.min(1, (value - none) / (full - none)));
}

/** Returns how far `value` is inside a band: 0 up to `low[0]` and from `high[1]` on, 1 from `low[1]` to `high[0]`. */
export function within(
  value: number,
  low: readonly [none: number, full: number],
  high: readonly [full: number, none: number],
): number {
  return Math.min(degree(value, low[0], low[1]), degree(value, high[1], high[0]));
}

/** A rule: a name of the taxonomy, and what has to be so for it, each 0 (not at all) to 1 (clearly). */
export type Rule = {
  name: string;
  /** Confidence when all of it is clearly so; never 1, since a rule has not heard the music. */
  ceiling: number;
  evidence: readonly number[];
};

/**
 * Returns how sure each rule of a category is, those that are not sure at all included: what a rule holds for
 * unlikely is a starting point for learning too. A rule is as sure as the weakest of its evidence lets it be.
 *
 * @throws Error when the taxonomy does not know a rule's name.
 */
export function weigh(category: TagSuggestion["category"], rules: readonly Rule[]): TagSuggestion[] {
  return rules.map(({ name, ceiling, evidence }) =>
    suggestion(category, name, ceiling * Math.min(...evidence)),
  );
}

/**
 * Returns a suggestion of a tag of the taxonomy by its name.
 *
 * @throws Error when the taxonomy does not know the name.
 */
export function suggestion(
  category: TagSuggestion["category"],
  name: string,
  confidence: number,
): TagSuggestion {
  const tag = category === "tags" ? undefined : findTag(TAXONOMY_CATEGORY[category], name);
  if (!tag) throw new Error(`A rule suggests ${name}, which the taxonomy does not know`);
  return { category, id: tag.id, name: tag.name, confidence };
}
