import { ORDINARY_WORDS } from "../../db/lexicon.ts";
import {
  bitsIn,
  isLikely,
  LEAST_LETTERS,
  lettersIn,
  likeliness,
  slipsBetween,
  sounded,
} from "../kernel/slips.ts";
import { opensName } from "./artists.ts";
import { meaningOf } from "./lexicon.ts";
import { singleWords, wordsInForms } from "./lexicon-build.ts";
import { lowerNames } from "./lower-names.ts";
import { foreignWords, headsOf } from "./phrases.ts";
import { readingOf } from "./reading.ts";
import { isWithin, plainOf, type Span } from "./text.ts";

/** From this length on, two typos are allowed. */
const LONG_LETTERS = 8;
/** The most corrections for one text, which bounds the work of a hostile text. */
const MOST_LOOKUPS = 120;

/** A word with the set of its letters, one bit each. */
type Indexed = { word: string; letters: number };

let index: ReadonlyMap<string, readonly Indexed[]> | undefined;
let ordinary: ReadonlySet<string> | undefined;

/**
 * Corrects typos in words about music: "melancoly paino" becomes "melancholy piano". What the library calls by that name
 * is not a typo.
 */
export function correctTypos(text: string, isName: (word: string) => boolean = () => false): string {
  const corrections = new Map<string, string>();
  let names: readonly Span[] | undefined;
  const isNamePlace = (at: number) => {
    names ??= lowerNames(text, readingOf(plainOf(text)));
    return isWithin(names, at);
  };
  return text.replace(/\p{L}+(?:'\p{L}+)?/gu, (word, at: number) => {
    const lower = word.toLowerCase();
    const known = corrections.get(lower);
    if (!isSuspect(word, lower, text, at)) return word;
    if (known !== undefined || corrections.size >= MOST_LOOKUPS) return known ?? word;
    const nearest = correctionOf(lower);
    const correction = nearest === undefined || isName(lower) || isNamePlace(at) ? word : nearest;
    corrections.set(lower, correction);
    return correction;
  });
}

/** Returns true for a word to correct. Names keep their spelling: a capital inside a sentence or within a word. */
function isSuspect(word: string, lower: string, text: string, at: number): boolean {
  if (word.length < LEAST_LETTERS || !/^[a-z]+$/.test(lower)) return false;
  const isUpper = word === word.toUpperCase();
  const isCapital = !isUpper && word !== lower;
  if (isCapital && opensName(word)) return false;
  if (isCapital && !/(?:^|[.!?:\n])\s*$/.test(text.slice(Math.max(0, at - 4), at))) return false;
  ordinary ??= new Set(ORDINARY_WORDS.flatMap(({ forms }) => [...forms]));
  return !ordinary.has(lower) && !known().has(lower) && !parts().has(lower) && meaningOf(lower) === undefined;
}

/** Returns the nearest word about music, or undefined when no word is near enough. */
export function correctionOf(word: string): string | undefined {
  const allowed = word.length >= LONG_LETTERS ? 2 : 1;
  const heard = bySound().get(sounded(word));
  if (heard !== undefined) return heard;
  let best: { word: string; cost: number } | undefined;
  for (const candidate of nearby(word, allowed)) {
    const slips = slipsBetween(word, candidate, allowed);
    if (slips > allowed) continue;
    const cost = slips - likeliness(word, candidate);
    if (cost < (best?.cost ?? allowed + 1)) best = { word: candidate, cost };
  }
  return best?.word;
}

/** Yields words with the same first letter, about the same length, and about the same letters. */
function* nearby(word: string, allowed: number): Generator<string> {
  const mask = lettersIn(word);
  for (let length = word.length - allowed; length <= word.length + allowed; length++)
    for (const candidate of indexed().get(`${word[0]}${length}`) ?? []) {
      // Each typo changes at most two of a word's letters.
      const isNear = bitsIn(candidate.letters ^ mask) <= 2 * allowed;
      if (isNear && isLikely(word, candidate.word)) yield candidate.word;
    }
}

let partWords: ReadonlySet<string> | undefined;

/** Returns words that occur only in longer forms: correct as they are, but not targets of a correction. */
function parts(): ReadonlySet<string> {
  partWords ??= new Set([...wordsInForms(), ...foreignWords(), ...headsOf("negation").keys()]);
  return partWords;
}

let knownWords: ReadonlySet<string> | undefined;

function known(): ReadonlySet<string> {
  knownWords ??= new Set([...headsOf("spelling").keys(), ...singleWords()]);
  return knownWords;
}

let heardWords: ReadonlyMap<string, string> | undefined;

/** Returns the known words by their sound, of those that sound the same the first one. */
function bySound(): ReadonlyMap<string, string> {
  heardWords ??= new Map(
    [...known()]
      .filter((word) => word.length >= LEAST_LETTERS)
      .map((word) => [sounded(word), word] as const)
      .toReversed(),
  );
  return heardWords;
}

/** Indexes the known words by first letter and length. */
function indexed(): ReadonlyMap<string, readonly Indexed[]> {
  if (index) return index;
  const built = new Map<string, Indexed[]>();
  for (const word of known()) {
    const key = `${word[0]}${word.length}`;
    const bucket = built.get(key);
    const entry = { word, letters: lettersIn(word) };
    if (bucket) bucket.push(entry);
    else built.set(key, [entry]);
  }
  index = built;
  return built;
}
