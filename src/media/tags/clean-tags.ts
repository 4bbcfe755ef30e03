import type { ICommonTagsResult } from "music-metadata";
import type { MediaTags } from "./media-probe.ts";

const LINE_CHARACTERS = 500;
const COMMENT_CHARACTERS = 5_000;
const MAX_GENRES = 20;

/** Turns tags as read by a library into tags that can be stored and shown, but for the words, see `lyricsOfTags`. */
export function cleanTags(tags: ICommonTagsResult): MediaTags {
  const genres = (tags.genre ?? []).map(line).filter((genre) => genre !== undefined);
  return withoutUndefined({
    title: line(tags.title),
    artist: line(tags.artist),
    album: line(tags.album),
    albumArtist: line(tags.albumartist),
    composer: line(tags.composer?.join(", ")),
    year: between(tags.year, 1000, 9999),
    isrc: line(tags.isrc?.[0]),
    key: line(tags.key),
    bpm: between(tags.bpm, 1, 999),
    genres: genres.length > 0 ? [...new Set(genres)].slice(0, MAX_GENRES) : undefined,
    trackNumber: between(tags.track?.no, 1, 9999),
    discNumber: between(tags.disk?.no, 1, 9999),
    totalTracks: between(tags.track?.of, 1, 9999),
    totalDiscs: between(tags.disk?.of, 1, 9999),
    label: line(tags.label?.[0]),
    catalogueNumber: line(tags.catalognumber?.[0]),
    barcode: line(tags.barcode)?.replaceAll(/\D/g, "").slice(0, 14) || undefined,
    isCompilation: tags.compilation === true ? true : undefined,
    comment: prose(tags.comment?.find(({ text }) => text)?.text, COMMENT_CHARACTERS),
  });
}

/** Returns text on one line: without byte order marks, with control characters and line breaks as single spaces. */
export function line(text: string | undefined): string | undefined {
  return capped(text?.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "), LINE_CHARACTERS);
}

/** Returns text of several lines, cleaned in the same way. Line breaks are kept as `\n`. */
export function prose(text: string | undefined, maxCharacters: number): string | undefined {
  const lines = text?.replaceAll(/\r\n?/g, "\n");
  return capped(lines?.replaceAll(/[^\P{Cc}\n\t]/gu, ""), maxCharacters);
}

function capped(text: string | undefined, maxCharacters: number): string | undefined {
  const trimmed = text?.replaceAll(/[\ufeff\ufffe\uffff]/g, "").trim();
  if (!trimmed) return undefined;
  // A cut through a surrogate pair leaves half a character, which is dropped. Other lone halves are replaced.
  return trimmed
    .slice(0, maxCharacters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed()
    .trimEnd();
}

function between(value: number | null | undefined, lowest: number, highest: number): number | undefined {
  return value != null && value >= lowest && value <= highest ? value : undefined;
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(record: T): Defined<T> {
  // Object.fromEntries loses the types of the keys. The result is T without its undefined values.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
