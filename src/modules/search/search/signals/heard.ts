import { TAXONOMY } from "../../../../../db/taxonomy.ts";
import type { Wish } from "../../../../brief/interpretation.ts";
import { SOUND_VERSION } from "../../../library/sounds/service.ts";
import { soundOfTag } from "../heard/direction-of-tag.ts";
import { type Meaning, meaningsOf } from "./tags.ts";

/** Relatives help a poor ear and must not drown a good one. */
const NEARNESS = 2;

/**
 * Returns the direction in which vectors of a version sound more and more like what a wish asks for, whether or not
 * any track has the tag: that of the tag itself and those of its relatives. Undefined when nothing was trained to hear
 * any of them.
 */
export function heardDirection(wish: Wish, version: string): Float64Array | undefined {
  if (version !== SOUND_VERSION) return undefined;
  return directionOf(meaningsOf(wish)) ?? directionOf(broaderMeanings(wish));
}

/** Returns the parents of a wish's tags with their relatives, for tags of which no relative can be heard. */
function broaderMeanings({ tags, ...wish }: Wish): Meaning[] {
  const parents = tags.flatMap(({ category, entry }) => {
    const parent = TAXONOMY[category].find(({ code }) => code === entry.parent);
    return parent ? [{ category, entry: parent }] : [];
  });
  return meaningsOf({ ...wish, tags: parents });
}

/**
 * Adds the directions of the meanings that can be heard: the nearer a meaning, the more it counts. Those beside the best
 * ones count together as much as one.
 */
function directionOf(meanings: readonly Meaning[]): Float64Array | undefined {
  const best = Math.max(...meanings.map(({ strength }) => strength));
  const heard = meanings.flatMap(({ tag, strength }) => {
    const direction = soundOfTag(tag.category, tag.entry.name);
    return direction ? [{ direction, strength }] : [];
  });
  const others = heard.filter(({ strength }) => strength < best).length;
  let sum: Float64Array | undefined;
  for (const { direction, strength } of heard) {
    const weight = strength ** NEARNESS / (strength < best ? others : 1);
    sum = direction.map((value, i) => (sum?.[i] ?? 0) + value * weight);
  }
  return sum;
}
