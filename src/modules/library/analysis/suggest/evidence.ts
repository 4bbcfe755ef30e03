import { findTag } from "../../../../../db/taxonomy.ts";
import { TAXONOMY_CATEGORY } from "../../tags/service.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";

/**
 * Returns how far `value` lies between `none` (no evidence, 0) and `full` (1), linearly. With `full` below `none`,
 * small values count as evidence.
 */
export function degree(value: number, none: number, full: number): number {
  return Math.max(0, Math.min(1, (value - none) / (full - none)));
}

/** Returns how far `value` is inside a band: 0 up to `low[0]` and above `high[1]`, 1 from `low[1]` to `high[0]`. */
export function within(
  value: number,
  low: readonly [none: number, full: number],
  high: readonly [full: number, none: number],
): number {
  return Math.min(degree(value, low[0], low[1]), degree(value, high[1], high[0]));
}

/** A rule: a taxonomy name, and the evidence that it needs, each 0 (not at all) to 1 (clearly). */
export type Rule = {
  name: string;
  /** Confidence when all evidence is clear; never 1, since a rule has not heard the music. */
  ceiling: number;
  evidence: readonly number[];
};

/**
 * Returns the confidence of each rule of a category, including 0: an unlikely tag is a starting point for learning too.
 * The weakest evidence limits a rule's confidence.
 *
 * @throws Error when a rule's name is not in the taxonomy.
 */
export function weigh(category: TagSuggestion["category"], rules: readonly Rule[]): TagSuggestion[] {
  return rules.map(({ name, ceiling, evidence }) =>
    suggestion(category, name, ceiling * Math.min(...evidence)),
  );
}

/**
 * Returns a suggestion of the taxonomy tag with that name.
 *
 * @throws Error when the name is not in the taxonomy.
 */
export function suggestion(
  category: TagSuggestion["category"],
  name: string,
  confidence: number,
): TagSuggestion {
  const tag = category === "tags" ? undefined : findTag(TAXONOMY_CATEGORY[category], name);
  if (!tag) throw new Error(`A rule suggests ${name}, which is not in the taxonomy`);
  return { category, id: tag.id, name: tag.name, confidence };
}
