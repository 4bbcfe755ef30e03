import { meaningOf } from "./lexicon.ts";
import { isCommon } from "./lower-names.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { spansOf } from "./reading.ts";
import type { FindNear, Seed } from "./seed.ts";
import { plainOf, type Span } from "./text.ts";

/** The longest name of a seed. */
export const MOST_CHARACTERS = 120;
const EXTENSION = /\.[a-z0-9]{2,5}$/i;

const fillers = headsOf("filler");
const tongues = headsOf("tongue");

/**
 * True unless the words are more likely words: "like this", "than 120", "like rain" where a track is called "Rain".
 * Quoted names do not come here.
 */
export function isName(phrase: string, isWeak: boolean): boolean {
  const words = plainOf(phrase).match(/[\p{L}\p{N}\p{M}']+/gu) ?? [];
  if (words.length === 0 || /^[\d\s.,:%]+$/.test(phrase)) return false;
  if (EXTENSION.test(phrase)) return true;
  const isCapital = /\p{Lu}/u.test(phrase);
  if (words.every((word) => fillers.has(word) || tongues.has(word))) return isCapital && !isWeak;
  if (words.length > 1 || isCapital || !isWeak) return true;
  return meaningOf(phrase) === undefined;
}

/** Returns a name with slips, or the name of a file in other signs. A word that English has is not a slip of a name. */
export function nearName(
  { query, reading, findNear }: { query: string; reading: Reading; findNear: FindNear | undefined },
  at: number,
): { seed: Seed; span: Span } | undefined {
  const clause = /^[^,;:!?\n]*/.exec(query.slice(at, at + MOST_CHARACTERS))?.[0] ?? "";
  const turn = spansOf(reading, "seed.turn after").find(({ start }) => start > at)?.start ?? query.length;
  const rest = clause.slice(0, turn - at);
  const near = rest.trim() === "" ? undefined : findNear?.(rest);
  if (!near || !isName(rest.slice(0, near.end), true)) return undefined;
  const isSlip = (word: string) => !isCommon(word) && meaningOf(word) === undefined;
  return near.slips.every(isSlip) ? { seed: near.seed, span: { start: at, end: at + near.end } } : undefined;
}
