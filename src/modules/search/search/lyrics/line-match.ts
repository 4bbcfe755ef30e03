import { foldWord } from "../names/words.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** A word of a line, folded, and where it ends in the text. */
export type LineWord = { text: string; end: number };

/** How well a line is remembered. */
export type LineMatch = {
  /** The line of the lyrics, or the lines beside each other, as they are written. */
  line: string;
  /** The share of the remembered words that it has in their order, 0 to 1; short words count half. */
  share: number;
  /** How many of them. */
  count: number;
  /** How far the remembered text was used, in characters. */
  length: number;
};

const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]|[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{N}\p{M}]+)*/gu;
/** A remembered line may go over so many lines of the lyrics. */
const MOST_LINES = 3;
/** A line may have so many words for each that is remembered. */
const MOST_LONGER = 3;
const SHORT_LETTERS = 3;
const SHORT_WEIGHT = 0.5;
/** Words with a slip, or with another ending, from so many letters on. */
const LEAST_SIMILAR = 5;
const SIMILAR = 0.8;
/** What a word that is remembered wrongly takes off, so that what follows the line is not taken for a part of it. */
const WRONG = 0.5;

/** Returns the words of a text; each sign of Chinese and Japanese is one. */
export const lineWords = (text: string): LineWord[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ text: foldWord(word), end: index + word.length }));

/**
 * Returns the line of the lyrics that is closest to what somebody remembers, or undefined when none has a word of it.
 *
 * @param isWhole Whether all words belong to the line, or it may end before the last of them.
 */
export function closestLine(
  lyrics: string,
  words: readonly LineWord[],
  isWhole: boolean,
): LineMatch | undefined {
  const lines = lyrics
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const wordsOf = lines.map((line) => lineWords(line).map(({ text }) => text));
  let best: LineMatch | undefined;
  // Fewer lines come first: more of them must add something.
  for (let size = 1; size <= MOST_LINES; size++)
    for (let from = 0; from + size <= lines.length; from++) {
      const sung = wordsOf.slice(from, from + size).flat();
      if (size > 1 && sung.length > words.length * MOST_LONGER) continue;
      const match = matchOf(words, sung, isWhole);
      if (!match || (best && match.share * match.count <= best.share * best.count)) continue;
      best = { ...match, line: lines.slice(from, from + size).join(" / ") };
    }
  return best;
}

const weightOf = (word: string): number => (word.length <= SHORT_LETTERS && !isSign(word) ? SHORT_WEIGHT : 1);

const isSign = (word: string): boolean => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]$/u.test(word);

/** Aligns the remembered words with those that are sung, in order. */
function matchOf(
  words: readonly LineWord[],
  sung: readonly string[],
  isWhole: boolean,
): Omit<LineMatch, "line"> | undefined {
  // By sung words: the weight, and the number, of the words up to here that are sung in their order.
  let row = sung.map(() => ({ weight: 0, count: 0 }));
  let [all, best] = [0, undefined as (Omit<LineMatch, "line"> & { gain: number }) | undefined];
  for (const { text, end } of words) {
    const own = weightOf(text);
    all += own;
    let [left, diagonal] = [NONE, NONE];
    row = sung.map((other, at) => {
      const above = row[at] ?? NONE;
      const likeness = likenessOf(text, other);
      const taken = { weight: diagonal.weight + own * likeness, count: diagonal.count + 1 };
      const skipped = above.weight >= left.weight ? above : left;
      diagonal = above;
      left = likeness > 0 && taken.weight > skipped.weight ? taken : skipped;
      return left;
    });
    const gain = left.weight - WRONG * (all - left.weight);
    const match = { share: left.weight / all, count: left.count, length: end, gain };
    if (isWhole || !best || gain > best.gain) best = match;
  }
  if (!best || best.count === 0) return undefined;
  return { share: best.share, count: best.count, length: best.length };
}

const NONE = { weight: 0, count: 0 };

function likenessOf(a: string, b: string): number {
  if (a === b) return 1;
  if (Math.min(a.length, b.length) < LEAST_SIMILAR - 1 || Math.max(a.length, b.length) < LEAST_SIMILAR)
    return 0;
  return isOneSlip(a, b) || hasOtherEnding(a, b) ? SIMILAR : 0;
}

/** "breathe" and "breathing": the same beginning, and endings of three letters at most. */
function hasOtherEnding(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return same >= LEAST_SIMILAR - 1 && a.length - same <= 3 && b.length - same <= 3;
}

/** True where one letter is missing, added or another one. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
