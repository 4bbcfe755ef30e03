import { fold } from "../../../../kernel/text.ts";
import { kindOf, type WordKind } from "./lexicon.ts";
import { readName } from "./read-name.ts";

/** Names that programs give by themselves. Files with such a name are not versions of one piece. */
const GENERIC: ReadonlySet<string> = new Set(
  "a and audio beat bounce demo export file final idea loop master memo mix new of project recording render rough session song sound stem take test the track unknown untitled voice".split(
    " ",
  ),
);
/** `01 `, `1. ` or `1 - ` in front of a name. */
const PLACE = /^(0\d[\s_.-]+|\d{1,3}(\.\s*|\s*-\s+))(?=\D)/;

/** What a name says of a piece: its words, and the artist where the name says who it is. */
export type NameKey = {
  title: string;
  /** The title as the index of words has it: with the marks of its letters. */
  words: string;
  artist?: string;
};

/**
 * Returns what a name keeps when everything is left out that only says which version it is: `Night Bus (final mix 3)`,
 * `night_bus_v7.wav` and `2026-11-22 Night Bus bounce` are all `night bus`. `Mara - Night Bus` is that, and `night bus` by
 * Mara. Names that could be anything's have no key.
 */
export const nameKeys = (name: string): NameKey[] => songKeys(readName(name).song);

/** Returns the keys of a song's name, which has no marks. `GlassHarbour` has those of `Glass Harbour` too. */
export function songKeys(song: string): NameKey[] {
  const spaced = song.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  return [...keysOf(song), ...(spaced === song ? [] : keysOf(spaced))];
}

function keysOf(song: string): NameKey[] {
  const bare = titleIn(song);
  const [, artist, rest] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(bare) ?? [];
  const [whole, title] = [titleKey(bare), rest === undefined ? undefined : titleKey(rest)];
  return [
    ...(whole === undefined ? [] : [{ title: whole, words: phraseOf(bare) }]),
    ...(artist === undefined || title === undefined
      ? []
      : [{ title, words: phraseOf(rest ?? ""), artist: artistKey(artist) }]),
  ];
}

/** Returns a song's name without its place on a record. */
export const titleIn = (song: string): string => song.replace(PLACE, "");

/** Returns an artist's name as {@link nameKeys} writes it. */
export const artistKey = (artist: string): string => wordsOf(artist).join(" ");

/** True for a name that says nothing of a piece: `Audio 3`, `Bounces`. */
export const isGeneric = (name: string): boolean => wordsOf(name).every((word) => isGenericWord(word));

const isGenericWord = (word: string) =>
  /^(0\d*|\d{1,2})$/.test(word) ||
  [word, word.replace(/s$/, ""), word.replace(/es$/, "")].some(
    (each) => GENERIC.has(each) || isMark(kindOf(each)),
  );

const MARKS: ReadonlySet<WordKind> = new Set(["stage", "counted", "beside", "copy", "technical"]);
const isMark = (kind: WordKind | undefined) => kind !== undefined && MARKS.has(kind);

function titleKey(text: string): string | undefined {
  const title = wordsOf(text).join(" ");
  return title === "" || isGeneric(title) ? undefined : title;
}

const phraseOf = (text: string): string =>
  text
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .join(" ")
    .trim();

const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
