import type { TagSuggestion } from "../../tags/shapes.ts";
import { suggestion } from "../suggest/evidence.ts";
import { HEARD_WEIGHTS } from "./heard-weights.ts";

/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST_LOG_ODDS = -9;
/** Confidence below the threshold of a tag: too low to be suggested, yet a starting point for learning. */
export const MOST_UNSAID = 0.35;
export const MOST_CONFIDENCE = 0.9;

type Heard = ArrayLike<number>;
type Named = Pick<TagSuggestion, "category" | "name">;

/** True for the tags that the ears are asked about: where something was heard, nothing else suggests them. */
export function isForEars({ category, name }: Named): boolean {
  return HEARD_WEIGHTS.some((tag) => tag.category === category && tag.name === name);
}

/** Returns a tag that something else suggests, too unsure to be suggested where the ears have listened. */
export function unsaid(tag: TagSuggestion): TagSuggestion {
  return { ...tag, confidence: Math.min(MOST_UNSAID, tag.confidence) };
}

/**
 * Returns the tags that the ears know, with their calibrated probability; it is cut down where they are not sure.
 *
 * @param descriptors The result of `describe` in src/audio.
 */
export function tagsHeard(heard: Heard, descriptors: Heard): TagSuggestion[] {
  return HEARD_WEIGHTS.map(({ category, name, least, bias, weights, measured }) => {
    const ears = weights.reduce(
      (sum, weight, i) => sum + weight * Math.max(LEAST_LOG_ODDS, heard[i] ?? 0),
      bias as number,
    );
    const logOdds = measured.reduce((sum, weight, i) => sum + weight * (descriptors[i] ?? 0), ears);
    const probability = 1 / (1 + Math.exp(-logOdds));
    const most = probability >= least ? MOST_CONFIDENCE : MOST_UNSAID;
    return suggestion(category, name, Math.min(most, probability));
  });
}
