import { COMMON_WORDS, ORDINARY_WORDS, TYPED_WORDS } from "../../db/lexicon.ts";
import { stemsOf } from "./inflection.ts";
import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { begins, endsAt, spansOf } from "./reading.ts";
import type { Span } from "./text.ts";

const MOST_WORDS = 4;
const LONGEST = 3;
const LEAST_LETTERS = 3;

const topics = headsOf("reference");
const common = new Set([
  ...[...COMMON_WORDS, ...ORDINARY_WORDS].flatMap(({ forms }) => [...forms]),
  ...Object.values(TYPED_WORDS.english).flatMap((lines) => lines.flatMap(({ forms }) => [...forms])),
]);
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.&-]*/uy;

/** Finds names in lower case after the leads that ask for a name: "sounds like", "something like". */
export function lowerNames(text: string, reading: Reading): Span[] {
  return spansOf(reading, "reference.name after")
    .filter(({ start }) => asksForName(reading, start))
    .flatMap(({ end: start }) => {
      const end = lowerNameEnd(text, start);
      return end === undefined ? [] : [{ start, end }];
    });
}

/** Returns true for a lead that only a name follows; "like" needs "something" or "songs" before it. */
export function asksForName(reading: Reading, start: number): boolean {
  return !begins(reading, "reference.weak", start) || endsAt(reading, "reference.asked before", start);
}

/**
 * Returns the end of a name in lower case that begins at a place: "sounds like lumen vale but slower". One of its words is
 * not a common English word, and none of them names a tag.
 */
export function lowerNameEnd(text: string, start: number): number | undefined {
  const words = wordsFrom(text, start);
  if (isOf("no name", words[0]?.word ?? "")) return undefined;
  const stop = words.findIndex(({ word }) => isOf("ends name", word) || isTag(word));
  const run = stop === -1 ? words : words.slice(0, stop);
  const own = run.findLastIndex(({ word }) => !isCommon(word));
  // "in the style of balinese gamelan": a word right before a tag describes it.
  const isDescription = own === 0 && stop === 1 && isTag(words[1]?.word ?? "");
  const hasCapital = /\p{Lu}/u.test(text.slice(start, run.at(-1)?.end));
  if (own === -1 || isDescription || hasCapital) return undefined;
  // A name may end with a common word, but a sentence that goes on does not belong to it.
  return run.length > LONGEST ? run[own]?.end : run.at(-1)?.end;
}

type Word = { word: string; end: number };

function wordsFrom(text: string, start: number): Word[] {
  const words: Word[] = [];
  for (let at = start; words.length <= MOST_WORDS; at++) {
    WORD.lastIndex = at;
    const found = WORD.exec(text)?.[0].replace(/[.'’&-]+$/, "");
    if (!found) break;
    at += found.length;
    words.push({ word: found.toLowerCase(), end: at });
    if (text[at] !== " ") break;
  }
  return words;
}

function isOf(type: string, word: string): boolean {
  return topics.get(word)?.includes(type) ?? false;
}

function isTag(word: string): boolean {
  const meaning = meaningOf(word);
  return meaning !== undefined && meaning.tags.length + meaning.suggests.length > 0;
}

/** True for a word that English has too often for it to be a name. */
export function isCommon(word: string): boolean {
  if (word.length < LEAST_LETTERS || /^\d/.test(word)) return true;
  return [word, ...stemsOf(word), ...verbsOf(word)].some((stem) => common.has(stem));
}

/** Returns the verbs that a word may be a form of: "chasing" of "chase", "planned" of "plan". */
function verbsOf(word: string): string[] {
  const stem = /^(\p{L}{2,}?)(?:ing|ed)$/u.exec(word)?.[1];
  return stem === undefined ? [] : [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
}
