import { findTag } from "../../../../db/taxonomy.ts";
import type { TagSuggestion } from "../../tags/model.ts";
import { TAXONOMY_CATEGORY } from "../../tags/service.ts";

/** Suggestions below this confidence are not made: nothing said is better than something wrong. */
const LEAST_CONFIDENCE = 0.4;

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
 * Returns what the rules of a category suggest, the surest first and at most `most`. A suggestion is as sure as the
 * weakest of its evidence lets it be.
 *
 * @throws Error when the taxonomy does not know a rule's name.
 */
export function weigh(
  category: TagSuggestion["category"],
  rules: readonly Rule[],
  most: number,
): TagSuggestion[] {
  return rules
    .map(({ name, ceiling, evidence }) => suggestion(category, name, ceiling * Math.min(...evidence)))
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, most);
}

/** Returns a suggestion of a tag by its name; two decimals of confidence are more than can be meant. */
export function suggestion(
  category: TagSuggestion["category"],
  name: string,
  confidence: number,
): TagSuggestion {
  const tag = findTag(TAXONOMY_CATEGORY[category], name);
  if (!tag) throw new Error(`A rule suggests ${name}, which the taxonomy does not know`);
  return { category, id: tag.id, name: tag.name, confidence: Math.round(confidence * 100) / 100 };
}
