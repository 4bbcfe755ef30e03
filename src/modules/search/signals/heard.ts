import { directionOfTag, EARS_VERSION } from "../../../audio/ears/ears.ts";
import type { Wish } from "../../../brief/interpretation.ts";
import { meaningsOf } from "./tags.ts";

/**
 * Returns the direction in which vectors of a version sound more and more like what a wish asks for, whether or not
 * any track has the tag: that of the tag itself, otherwise those of its relatives, the nearest counting most. Undefined
 * when nothing was trained to hear it.
 */
export function heardDirection(wish: Wish, version: string): Float64Array | undefined {
  if (version !== EARS_VERSION) return undefined;
  const heard = meaningsOf(wish).flatMap(({ tag, strength }) => {
    const direction = directionOfTag(tag.category, tag.entry.name);
    return direction ? [{ direction, strength }] : [];
  });
  const best = Math.max(...heard.map(({ strength }) => strength));
  const nearest = heard.filter(({ strength }) => strength === best);
  return nearest[0]?.direction.map((_, i) =>
    nearest.reduce((sum, { direction }) => sum + (direction[i] ?? 0), 0),
  );
}
