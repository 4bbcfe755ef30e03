import { bitsIn, lettersOf, slipsBetween } from "../../../../kernel/slips.ts";
import { type NameWord, nameWords } from "./words.ts";

/**
 * The words of an account's names: what a mistyped word may have meant. Words are only added, so some belong to no track
 * any more; callers check in the text index whether a track has a word.
 */
export type Vocabulary = {
  /** One entry a line: the folded word, and after a tab a spelling that differs from it. */
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
  /** Made from the bytes when first needed. */
  index: VocabularyIndex | undefined;
};

type VocabularyIndex = {
  /** Every folded word, with its other spellings. */
  spellings: Map<string, readonly string[]>;
  /** By number of letters. */
  byLength: Map<number, Bucket>;
};
/** Words, and the set of letters of each. They are in order from the first search for a beginning on. */
type Bucket = { words: string[]; letters: number[]; isOrdered: boolean };
type Near = { word: string; slips: number };

const FIRST_CAPACITY = 256;
const NO_OTHERS: readonly string[] = [];
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** Returns a vocabulary with room for so many bytes; the caller may fill them. */
export function createVocabulary(capacity = FIRST_CAPACITY): Vocabulary {
  return { bytes: new Uint8Array(capacity), length: 0, index: undefined };
}

/** Adds the words of a track's names. */
export function addNames(vocabulary: Vocabulary, names: string): void {
  const index = indexOf(vocabulary);
  for (const word of nameWords(names)) {
    const known = index.spellings.get(word.text);
    if (known && (word.spelling === word.text || known.includes(word.spelling))) continue;
    append(vocabulary, word);
    addToIndex(index, word);
  }
}

/** Returns the spellings of a word as the text index may have them; empty when no name had the word. */
export function spellingsOf(vocabulary: Vocabulary, word: string): readonly string[] {
  const others = indexOf(vocabulary).spellings.get(word);
  return others ? [word, ...others] : [];
}

/** True when names have each of these words; then they may still be in different names. */
export function hasWords(vocabulary: Vocabulary, text: string): boolean {
  const { spellings } = indexOf(vocabulary);
  return nameWords(text).every((word) => spellings.has(word.text));
}

/** Returns the words that differ by at most so many slips, with how many; not the word itself. */
export function nearWords(vocabulary: Vocabulary, word: string, most: number): Near[] {
  const found: Near[] = [];
  for (let length = Math.max(1, word.length - most); length <= word.length + most; length++)
    addNear(found, indexOf(vocabulary).byLength.get(length), word, most);
  return found.sort((a, b) => a.slips - b.slips || (a.word < b.word ? -1 : 1));
}

function addNear(found: Near[], bucket: Bucket | undefined, word: string, most: number): void {
  if (!bucket) return;
  const { words, letters } = bucket;
  const mask = lettersOf(word);
  for (let at = 0; at < words.length; at++) {
    // Each slip changes at most two letters of the set.
    if (bitsIn((letters[at] ?? 0) ^ mask) > 2 * most) continue;
    const slips = slipsBetween(word, words[at] ?? "", most);
    if (slips > 0 && slips <= most) found.push({ word: words[at] ?? "", slips });
  }
}

/** Returns the longer words that begin with a word, the shortest first, to a limit. */
export function longerWords(vocabulary: Vocabulary, word: string, limit: number): string[] {
  return shortestFirst(vocabulary, word, limit, (bucket) => {
    const { words } = inOrder(bucket);
    const first = placeOf(words, word);
    let end = first;
    while (end - first < limit && words[end]?.startsWith(word)) end++;
    return words.slice(first, end);
  });
}

/** Returns the longer words that contain a word, the shortest first, to a limit. */
export function wordsAround(vocabulary: Vocabulary, word: string, limit: number): string[] {
  return shortestFirst(vocabulary, word, limit, ({ words }) =>
    words.filter((each) => each.includes(word)).sort(),
  );
}

function shortestFirst(
  vocabulary: Vocabulary,
  { length }: string,
  limit: number,
  wordsIn: (bucket: Bucket) => string[],
): string[] {
  const found: string[] = [];
  const { byLength } = indexOf(vocabulary);
  for (const each of [...byLength.keys()].filter((one) => one > length).sort((a, b) => a - b)) {
    const bucket = byLength.get(each);
    if (bucket) found.push(...wordsIn(bucket));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

function inOrder(bucket: Bucket): Bucket {
  if (bucket.isOrdered) return bucket;
  bucket.words.sort();
  bucket.letters = bucket.words.map(lettersOf);
  bucket.isOrdered = true;
  return bucket;
}

/** Returns the place of the first word that does not come before a text. */
function placeOf(words: readonly string[], text: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexOf(vocabulary: Vocabulary): VocabularyIndex {
  if (vocabulary.index) return vocabulary.index;
  const index: VocabularyIndex = { spellings: new Map(), byLength: new Map() };
  const lines = decoder.decode(vocabulary.bytes.subarray(0, vocabulary.length)).split("\n");
  for (const line of lines) {
    const [text = "", spelling = text] = line.split("\t");
    if (text !== "") addToIndex(index, { text, spelling });
  }
  vocabulary.index = index;
  return index;
}

function addToIndex(
  { spellings, byLength }: VocabularyIndex,
  { text, spelling }: Pick<NameWord, "text" | "spelling">,
) {
  const known = spellings.get(text);
  spellings.set(text, spelling === text ? (known ?? NO_OTHERS) : [...(known ?? NO_OTHERS), spelling]);
  if (known) return;
  const bucket = byLength.get(text.length) ?? { words: [], letters: [], isOrdered: false };
  byLength.set(text.length, bucket);
  const { words, letters, isOrdered } = bucket;
  const place = isOrdered ? placeOf(words, text) : words.length;
  words.splice(place, 0, text);
  letters.splice(place, 0, lettersOf(text));
}

function append(vocabulary: Vocabulary, { text, spelling }: NameWord): void {
  const entry = encoder.encode(spelling === text ? `${text}\n` : `${text}\t${spelling}\n`);
  const end = vocabulary.length + entry.length;
  if (end > vocabulary.bytes.length) {
    const next = new Uint8Array(Math.ceil(end * 1.5));
    next.set(vocabulary.bytes.subarray(0, vocabulary.length));
    vocabulary.bytes = next;
  }
  vocabulary.bytes.set(entry, vocabulary.length);
  vocabulary.length = end;
}
