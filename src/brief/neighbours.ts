import type { Care, Meaning } from "./lexicon.ts";
import { headsOf } from "./phrases.ts";
import type { Token } from "./text.ts";

/** What stands for meaning beside a run of words. */
export type Neighbours = { before: Run | undefined; after: Run | undefined };
type Run = { from: number; to: number; meaning: Meaning };

const words = headsOf("company");
const is = (type: string, word: string) => words.get(word)?.includes(type) ?? false;

/** True when an ordinary word means music at this place. */
export function countsHere(tokens: readonly Token[], run: Run, near: Neighbours, care: Care): boolean {
  const previous = samePhrase(tokens[run.from - 1], tokens[run.from]);
  const next = samePhrase(tokens[run.to], tokens[run.to - 1]);
  if (care === "listed") return isJoint(previous) && isJoint(next);
  const { before, after } = meaningsBeside(run, near, previous, next);
  const isAmongMusic = care === "music" && (isMusical(after) || isMusical(before));
  if (isAmongMusic || isDescription(after) || is("music", next?.word ?? "")) return true;
  return (!next || is("after", next.word)) && isOpen(previous, next, run.meaning, before);
}

/** What the words directly before and after mean, where they are of the same phrase. */
function meaningsBeside(run: Run, near: Neighbours, previous: Token | undefined, next: Token | undefined) {
  const before = previous && near.before?.to === run.from ? near.before.meaning : undefined;
  const after = next && near.after?.from === run.to ? near.after.meaning : undefined;
  return { before, after };
}

/** An item of a list stands between signs, or words that join. */
function isJoint(token: Token | undefined): boolean {
  return token === undefined || is("joint", token.word);
}

/** True when nothing before the word makes it an ordinary one: "a dark, ..." describes, "the house with" does not. */
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
