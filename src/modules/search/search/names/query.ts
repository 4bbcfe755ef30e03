import { headsOf } from "../../../../brief/phrases.ts";
import { likeliness } from "../../../../kernel/slips.ts";
import { hasLine } from "./lines.ts";
import { COMMON, type NameSearch, slotsWithWord } from "./lookup.ts";
import { longerWords, nearWords, spellingsOf, wordsAround } from "./vocabulary.ts";
import { type NameWord, nameWords, withoutExtension } from "./words.ts";

/** A word of a query, and the words of names that it may mean. */
export type QueryWord = NameWord & {
  /** By word of a name: how well it agrees, 0 to 1. */
  alternatives: ReadonlyMap<string, number>;
  /** Empty when no name has it. */
  spellings: readonly string[];
  /** Tracks whose names have it. */
  slots: readonly number[];
  /** How much it tells: rare words more, words of asking hardly anything. */
  weight: number;
  isFiller: boolean;
};

/** More words are prose, not a name with typing slips. */
const MAX_WORDS = 24;
const FEW_WORDS = 6;
/** Slips are looked for in a name and perhaps an artist; a longer query has enough other words. */
const WORDS_WITH_SLIPS = 4;
const PREFIX_LIMIT = 8;
const SLIPS_LIMIT = 4;
const SLIPS_TRIED = 12;
const LONG_LETTERS = 8;
const [PREFIX_QUALITY, PART_QUALITY] = [0.95, 0.85];
const [SLIP_COST, UNLIKELY_COST] = [0.15, 0.05];
const FILLER_WEIGHT = 0.1;
/** Scripts without blanks between words: a word of a query is part of a longer run. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const filler = headsOf("filler");

/** True for a word of asking: "play", "the", "by". */
export const isFiller = (word: string): boolean => filler.has(word);

/** Reads a query as words of names. With `mends`, words that names have may be slips of other words too. */
export function readQuery(search: NameSearch, phrase: string, mends: boolean): QueryWord[] {
  const typed = nameWords(withoutExtensions(phrase)).slice(0, MAX_WORDS);
  const count = typed.filter(({ text }) => !isFiller(text)).length;
  const [isShort, hasSlips] = [count <= FEW_WORDS, count <= WORDS_WITH_SLIPS];
  const words = isShort ? respaced(search, typed, mends) : typed;
  const allFiller = words.every(({ text }) => isFiller(text));
  return words.map((word, index) => {
    const isLast = index === words.length - 1;
    const isAsking = !allFiller && isFiller(word.text);
    const found: Found =
      isAsking && !isShort
        ? new Map()
        : alternativesOf(search, word.text, { isShort: isShort && !isAsking, hasSlips, isLast, mends });
    const slots = found.size === 0 ? [] : [...new Set([...found.values()].flatMap((each) => each.slots))];
    return {
      ...word,
      // Words of the files of other versions are not among those of the tracks.
      alternatives: new Map([
        [word.text, 1],
        ...Array.from(found, ([text, { quality }]) => [text, quality] as const),
      ]),
      spellings: [...found.keys()].flatMap((text) => spellingsOf(search.shard.vocabulary, text)),
      slots,
      weight: rarity(search.shard.alive, Math.min(slots.length, COMMON)) * (isAsking ? FILLER_WEIGHT : 1),
      isFiller: isAsking,
    };
  });
}

/** Returns how much it tells that a name has a word of so many tracks. */
function rarity(tracks: number, withWord: number): number {
  return Math.log(1 + (Math.max(0, tracks - withWord) + 0.5) / (withWord + 0.5));
}

type Found = Map<string, { quality: number; slots: readonly number[] }>;

type Place = { isShort: boolean; hasSlips: boolean; isLast: boolean; mends: boolean };

/** Returns the words of names that a word may mean: itself, then as a beginning, then after a slip or two. */
function alternativesOf(
  search: NameSearch,
  word: string,
  { isShort, hasSlips, isLast, mends }: Place,
): Found {
  const found: Found = new Map();
  const note = (text: string, quality: number): boolean => {
    const spellings = spellingsOf(search.shard.vocabulary, text);
    if (spellings.length === 0 || found.has(text)) return false;
    const slots = slotsWithWord(search, spellings);
    const isKnown = slots.length > 0 || hasLine(search, spellings);
    if (isKnown) found.set(text, { quality, slots });
    return isKnown;
  };
  const isKnown = note(word, 1);
  if (!isShort) return found;
  if (isLast || !isKnown) for (const { longer, quality } of longerOf(search, word)) note(longer, quality);
  if (hasSlips && (!isKnown || mends)) noteSlips(search, word, note);
  return found;
}

function noteSlips(search: NameSearch, word: string, note: (text: string, quality: number) => boolean): void {
  let count = 0;
  for (const { near, quality } of likelySlips(search, word)) {
    if (note(near, quality)) count += 1;
    if (count === SLIPS_LIMIT) return;
  }
}

/** Returns words that begin with the word; in a script without blanks, those that contain it too. */
function longerOf({ shard }: NameSearch, word: string): { longer: string; quality: number }[] {
  const { vocabulary } = shard;
  const prefixed = word.length > 1 ? longerWords(vocabulary, word, PREFIX_LIMIT) : [];
  const around = UNSPACED.test(word) ? wordsAround(vocabulary, word, PREFIX_LIMIT) : [];
  return [
    ...prefixed.map((longer) => ({
      longer,
      quality: PREFIX_QUALITY * (0.9 + (0.1 * word.length) / longer.length),
    })),
    ...around.map((longer) => ({ longer, quality: PART_QUALITY })),
  ];
}

/** Returns words that the word may be a slip of, the likeliest first. */
function likelySlips({ shard }: NameSearch, word: string): { near: string; quality: number }[] {
  const most = word.length >= LONG_LETTERS ? 2 : word.length > 1 ? 1 : 0;
  return nearWords(shard.vocabulary, word, most)
    .map(({ word: near, slips }) => ({
      near,
      quality: 1 - SLIP_COST * slips - (1 - likeliness(word, near)) * UNLIKELY_COST,
    }))
    .sort((a, b) => b.quality - a.quality)
    .slice(0, SLIPS_TRIED);
}

/** Blanks the extensions of files, so that they are no words. Offsets stay as they are. */
function withoutExtensions(phrase: string): string {
  return phrase.replace(/\S+/g, (piece) => withoutExtension(piece).padEnd(piece.length));
}

/** Joins and splits words as the names of the library have them: "nightferry" is "night ferry", and the reverse. */
function respaced(search: NameSearch, words: readonly NameWord[], mends: boolean): NameWord[] {
  const isKnown = (text: string) => {
    const spellings = spellingsOf(search.shard.vocabulary, text);
    return (
      spellings.length > 0 && (slotsWithWord(search, spellings).length > 0 || hasLine(search, spellings))
    );
  };
  const result: NameWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as NameWord;
    const next = words[at + 1];
    const isNew = spellingsOf(search.shard.vocabulary, word.text).length === 0;
    const joined = next && { ...word, text: word.text + next.text, end: next.end };
    if (joined && (isNew || mends) && isKnown(joined.text)) {
      result.push({ ...joined, spelling: joined.text });
      at += 1;
    } else result.push(...(isNew ? split(word, isKnown) : [word]));
  }
  return result;
}

const LEAST_PART = 2;

function split(word: NameWord, isKnown: (text: string) => boolean): NameWord[] {
  const { text } = word;
  for (let middle = Math.ceil(text.length / 2), step = 0; step < text.length; step++) {
    const at = middle + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    if (at < LEAST_PART || text.length - at < LEAST_PART) continue;
    const [left, right] = [text.slice(0, at), text.slice(at)];
    if (isKnown(left) && isKnown(right))
      return [
        { ...word, text: left, spelling: left },
        { ...word, text: right, spelling: right },
      ];
  }
  return [word];
}
