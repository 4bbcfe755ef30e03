import { createSlices } from "../../../kernel/breather.ts";
import {
  bitsIn,
  isLikely,
  LEAST_LETTERS,
  lettersOf,
  likeliness,
  slipsBetween,
} from "../../../kernel/slips.ts";
import type { Outline } from "./outline/outline.ts";

/** From so many letters on a word may have two slips. */
const LONG_LETTERS = 8;
/** So many words are tried for one that no name has. */
const MOST = 4;

/** The words of the names of a library with their letters, by their lengths. */
type Vocabulary = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** Only a query with a slip needs it. */
const vocabularies = new WeakMap<Outline, Vocabulary>();

/**
 * Returns what each word of a query may mean: itself where names have it, also as a beginning, otherwise the words of names that it is most likely a
 * slip of. A word that is neither means nothing: then the list is empty.
 */
export async function withSlips(
  outline: Outline,
  words: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const vocabulary = vocabularies.get(outline) ?? (await vocabularyOf(outline));
  vocabularies.set(outline, vocabulary);
  return words.map((word) => (isBeginning(vocabulary, word) ? [word] : slipsOf(vocabulary, word)));
}

async function vocabularyOf({ songs, albums, artists }: Outline): Promise<Vocabulary> {
  const { breathe } = createSlices();
  const found = new Map<number, Map<string, number>>();
  for (const { words } of [...songs, ...albums, ...artists]) {
    for (const word of words.split(" ")) {
      const ofLength = found.get(word.length) ?? new Map<string, number>();
      found.set(word.length, ofLength);
      if (!ofLength.has(word)) ofLength.set(word, lettersOf(word));
    }
    await breathe();
  }
  return found;
}

const isBeginning = (vocabulary: Vocabulary, word: string): boolean =>
  [...vocabulary].some(
    ([length, words]) => length >= word.length && words.keys().some((each) => each.startsWith(word)),
  );

function slipsOf(vocabulary: Vocabulary, word: string): string[] {
  if (word.length < LEAST_LETTERS) return [];
  const slipsIn = slipsFrom(word, word.length >= LONG_LETTERS ? 2 : 1);
  const near = [-2, -1, 0, 1, 2].flatMap((more) => slipsIn(vocabulary.get(word.length + more) ?? new Map()));
  return near
    .sort((a, b) => a.slips - b.slips || likeliness(word, b.each) - likeliness(word, a.each))
    .slice(0, MOST)
    .map(({ each }) => each);
}

/** Returns a function that finds the words that differ by at most so many slips. */
const slipsFrom = (word: string, most: number) => {
  const own = lettersOf(word);
  return (words: ReadonlyMap<string, number>) => {
    const near: { each: string; slips: number }[] = [];
    for (const [each, letters] of words) {
      // Each slip changes at most two letters of the set.
      if (bitsIn(own ^ letters) > 2 * most) continue;
      const slips = slipsBetween(word, each, most);
      if (slips <= most && isLikely(word, each)) near.push({ each, slips });
    }
    return near;
  };
};
