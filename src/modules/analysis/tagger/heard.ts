import { HEARD_TAGS } from "../../../ears/tags.ts";
import type { TagSuggestion } from "../../tags/model.ts";
import { suggestion } from "../suggest/evidence.ts";
import { HEARD_WEIGHTS } from "./heard-weights.ts";

/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST_LOG_ODDS = -9;
/** Confidence below the threshold of a tag: too low to be suggested, yet a starting point for learning. */
const MOST_UNSAID = 0.35;
const MOST_CONFIDENCE = 0.9;

/** With less than this mean log-odds of them, there are no bowed strings. */
const LEAST_STRINGS = -4.2;
const BOWED = ["strings", "violin", "cello"].map((name) => HEARD_TAGS.indexOf(name));
const NEEDS_STRINGS = ["Orchestral", "Strings"];

type Heard = ArrayLike<number>;
type Named = Pick<TagSuggestion, "category" | "name">;

/** True for the tags that the ears are asked about: where something was heard, nothing else suggests them. */
export function isForEars({ category, name }: Named): boolean {
  return HEARD_WEIGHTS.some((tag) => tag.category === category && tag.name === name);
}

/** True when what was heard excludes a tag that something else suggests: no orchestra without strings. */
export function isUnheard({ name }: Named, heard: Heard): boolean {
  if (!NEEDS_STRINGS.includes(name)) return false;
  return BOWED.reduce((sum, index) => sum + (heard[index] ?? 0), 0) / BOWED.length < LEAST_STRINGS;
}

/** Returns the tags that the ears know, with their calibrated probability; it is cut down where they are not sure. */
export function tagsHeard(heard: Heard): TagSuggestion[] {
  return HEARD_WEIGHTS.map(({ category, name, least, bias, weights }) => {
    const logOdds = weights.reduce(
      (sum, weight, i) => sum + weight * Math.max(LEAST_LOG_ODDS, heard[i] ?? 0),
      bias as number,
    );
    const probability = 1 / (1 + Math.exp(-logOdds));
    const most = probability >= least ? MOST_CONFIDENCE : MOST_UNSAID;
    return suggestion(category, name, Math.min(most, probability));
  });
}
