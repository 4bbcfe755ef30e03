import type { Care, Meaning } from "./meaning.ts";
import { headsOf } from "./phrases.ts";
import type { Token } from "./text.ts";

/** The runs with a meaning directly before and after a run of words. */
export type Neighbours = { before: Run | undefined; after: Run | undefined };
type Run = { from: number; to: number; meaning: Meaning };

const words = headsOf("company");
const is = (type: string, word: string) => words.get(word)?.includes(type) ?? false;
const refusals = new Set(
  [...headsOf("negation")].filter(([, heads]) => heads.includes("cue")).map(([form]) => form),
);
const MOST_REFUSAL_WORDS = 3;

/** Returns true where the words before refuse what follows: "exclude metal", "tired of trap". */
function isRefused(tokens: readonly Token[], at: number): boolean {
  for (let count = 1; count <= MOST_REFUSAL_WORDS; count++) {
    const before = tokens.slice(Math.max(0, at - count), at).map(({ word }) => word);
    if (refusals.has(before.join(" "))) return true;
  }
  return false;
}

/** Returns true when an ordinary word refers to the music at this place. */
export function countsHere(tokens: readonly Token[], run: Run, near: Neighbours, care: Care): boolean {
  const previous = samePhrase(tokens[run.from - 1], tokens[run.from]);
  const next = samePhrase(tokens[run.to], tokens[run.to - 1]);
  if (care === "listed") return isJoint(previous) && isJoint(next);
  const { before, after } = meaningsBeside(run, near, previous, next);
  const isAmongMusic = care === "music" && (isMusical(after) || isMusical(before));
  const isDescribing = care !== "degree" && isDescription(after);
  if (isAmongMusic || isDescribing || is("music", next?.word ?? "")) return true;
  if (next && !is("after", next.word)) return false;
  return isOpen(previous, next, run.meaning, before) || isRefused(tokens, run.from);
}

/** Returns the meanings of the words directly before and after, if they belong to the same phrase. */
function meaningsBeside(run: Run, near: Neighbours, previous: Token | undefined, next: Token | undefined) {
  const before = previous && near.before?.to === run.from ? near.before.meaning : undefined;
  const after = next && near.after?.from === run.to ? near.after.meaning : undefined;
  return { before, after };
}

/** Returns true for the edge of a list item: a sign or a joining word. */
function isJoint(token: Token | undefined): boolean {
  return token === undefined || is("joint", token.word);
}

/**
 * Returns true when the word before allows a musical sense: "a dark, ..." describes music, "the house with" does not.
 */
function isOpen(
  previous: Token | undefined,
  next: Token | undefined,
  meaning: Meaning,
  before: Meaning | undefined,
): boolean {
  if (!previous || is("before", previous.word) || is("after", previous.word) || isMusical(before))
    return true;
  if (!is("determiner", previous.word)) return false;
  return isInstrument(meaning) || (isFeeling(meaning) && !next);
}

function samePhrase(token: Token | undefined, other: Token | undefined): Token | undefined {
  return token && other && token.phrase === other.phrase ? token : undefined;
}

function isMusical(meaning: Meaning | undefined): boolean {
  return meaning !== undefined && meaning.tags.length > 0;
}

const DESCRIPTIONS = new Set(["moods", "characters", "movements", "eras", "genres", "tempos"]);

function isInstrument(meaning: Meaning): boolean {
  return meaning.tags.some(({ category }) => category === "instruments");
}

function isFeeling(meaning: Meaning): boolean {
  return meaning.tags.some(
    ({ category }) => category === "moods" || category === "characters" || category === "movements",
  );
}

function isDescription(meaning: Meaning | undefined): boolean {
  return meaning?.tags.some(({ category }) => DESCRIPTIONS.has(category)) ?? false;
}
