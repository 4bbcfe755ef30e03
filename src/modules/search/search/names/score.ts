import { splitArtists } from "../artists.ts";
import type { Line } from "./lines.ts";
import type { NamesRow } from "./lookup.ts";
import { isFiller, type QueryWord } from "./query.ts";
import { foldWord, nameWords, withoutExtension } from "./words.ts";

/** Who types an extension means a file. */
const [THIS_FILE, OTHER_FORMAT] = [1, 0.98];
const BESIDE_FILE = 0.95;

/** A kind of name, and how much it says about what was meant. */
export const FIELD_WEIGHTS = { title: 1, artist: 0.95, file: 0.9, album: 0.75, notes: 0.6 } as const;
export type FieldKind = keyof typeof FIELD_WEIGHTS;

/** A name of a track: a kind, what it says in reasons, and its words. */
export type NameField = {
  kind: FieldKind;
  noun: string;
  text: string;
  words: readonly string[];
  weight: number;
};

/** How a query fits one name. */
export type FieldMatch = {
  field: NameField;
  /** By word of the query: 0 to 1. */
  qualities: readonly number[];
  /** How much of the name the query says, 0 to 1. */
  complete: number;
  /** The query says every word of the name, perhaps with slips. */
  isWhole: boolean;
  /** The query says the whole name, word for word, in one place. */
  isExact: boolean;
};

/** How well a query fits the names of a track, 0 to 1. */
export type NameScore = { strength: number; matches: readonly FieldMatch[] };

/** What a track without the words of the name in their order keeps. */
const OUT_OF_ORDER = 0.96;
const FILLER_SHARE = 0.2;
/** The part of the strength that depends on how much of the name is said. */
const COMPLETE_SHARE = 0.3;
/** What a track keeps whose names have words of a description. */
const DESCRIBED = 0.6;

/** Returns the names of a track, with its lines. A phrase that names a file weighs the file's name most. */
export function fieldsOf(row: NamesRow, lines: readonly Line[], phrase: string): NameField[] {
  const { title, artist, name, album, composer } = row;
  const isFile = withoutExtension(phrase) !== phrase;
  const field = (kind: FieldKind, noun: string, text: string | null): NameField[] => {
    const words = text === null ? [] : nameWords(text).map((word) => word.text);
    if (text === null || words.length === 0) return [];
    return [{ kind, noun, text, words, weight: FIELD_WEIGHTS[kind] * (isFile ? BESIDE_FILE : 1) }];
  };
  const files = [name, ...(row.files?.split("\n") ?? [])].flatMap((each) =>
    field("file", "file name", withoutExtension(each)).map((file) =>
      isFile ? { ...file, weight: foldWord(each) === foldWord(phrase) ? THIS_FILE : OTHER_FORMAT } : file,
    ),
  );
  const artists = splitArtists(artist);
  return [
    ...field("title", "title", title),
    ...(artists.length > 1 ? [artist ?? "", ...artists] : artists).flatMap((one) =>
      field("artist", "artist", one),
    ),
    ...files,
    ...field("album", "album", album),
    ...field("notes", "composer", composer),
    ...lines.flatMap(({ kind, text }) =>
      (kind === "composer" ? text.split("\n") : [text]).flatMap((each) => field("notes", kind, each)),
    ),
  ];
}

/** Scores the names of a track. `unread`: the words that mean nothing else; without it, no word does. */
export function scoreNames(
  query: readonly QueryWord[],
  fields: readonly NameField[],
  unread: ReadonlySet<string> | undefined,
): NameScore {
  const matches = fields.map((field) => matchOf(query, field)).filter(({ complete }) => complete > 0);
  const strength = Math.max(wholeStrength(query, matches, unread), mentionStrength(query, matches, unread));
  return { strength, matches };
}

function matchOf(query: readonly QueryWord[], field: NameField): FieldMatch {
  const qualities = query.map(({ alternatives }) =>
    field.words.reduce((best, word) => Math.max(best, alternatives.get(word) ?? 0), 0),
  );
  const [said, all] = field.words.reduce(
    ([said, all], word) => {
      const weight = isFiller(word) ? FILLER_SHARE : 1;
      const quality = Math.max(0, ...query.map(({ alternatives }) => alternatives.get(word) ?? 0));
      return [said + weight * quality, all + weight];
    },
    [0, 0],
  );
  return {
    field,
    qualities,
    complete: said / all,
    isWhole: field.words.every((word) => query.some(({ alternatives }) => alternatives.has(word))),
    isExact: placeOf(query, field.words) !== undefined,
  };
}

/** Returns where the query says these words, one after the other. */
function placeOf(query: readonly QueryWord[], words: readonly string[]): number | undefined {
  for (let from = 0; from + words.length <= query.length; from++)
    if (words.every((word, index) => query[from + index]?.text === word)) return from;
  return undefined;
}

/** How well the whole query is a name, or several names of one track. */
function wholeStrength(
  query: readonly QueryWord[],
  matches: readonly FieldMatch[],
  unread: ReadonlySet<string> | undefined,
): number {
  let [said, all] = [0, 0];
  for (const [index, { weight }] of query.entries()) {
    all += weight;
    said += weight * bestAt(matches, index);
  }
  if (said === 0) return 0;
  const covered = said / all;
  const complete = Math.max(0, ...matches.map((match) => match.complete));
  const isInOrder =
    matches.some(({ isExact }) => isExact) || matches.some((match) => isOrdered(query, match));
  const strength =
    covered ** 2 * (1 - COMPLETE_SHARE + COMPLETE_SHARE * complete) * (isInOrder ? 1 : OUT_OF_ORDER);
  return isOnlyDescription(query, matches, unread) ? strength * DESCRIBED : strength;
}

/** "matter" in a brief is no reason for "Dark Matter", where "dark" or "dark mat" may be the beginning of its name. */
function isOnlyDescription(
  query: readonly QueryWord[],
  matches: readonly FieldMatch[],
  unread: ReadonlySet<string> | undefined,
): boolean {
  if (!unread || query.some(({ text }) => unread.has(text))) return false;
  return !matches.some(
    (match) =>
      match.isWhole || query.every(({ alternatives }, at) => alternatives.has(match.field.words[at] ?? "")),
  );
}

function bestAt(matches: readonly FieldMatch[], index: number): number {
  return matches.reduce(
    (best, { field, qualities }) => Math.max(best, (qualities[index] ?? 0) * field.weight),
    0,
  );
}

/** True when the words of the name come in the order of the query. */
function isOrdered(query: readonly QueryWord[], { field }: FieldMatch): boolean {
  let at = 0;
  for (const { alternatives } of query) {
    const next = field.words.findIndex((word, index) => index >= at && alternatives.has(word));
    if (next !== -1) at = next + 1;
    else if (field.words.some((word) => alternatives.has(word))) return false;
  }
  return true;
}

/** Lists count as people: who types all of their name means them. */
const isPerson = ({ kind }: NameField) => kind === "artist" || kind === "notes";

/** How surely a longer query names the track in passing: "dark techno by paniq". */
function mentionStrength(
  query: readonly QueryWord[],
  matches: readonly FieldMatch[],
  unread: ReadonlySet<string> | undefined,
): number {
  const named = matches.filter(({ isExact }) => isExact);
  if (named.length === 0) return 0;
  const said = new Set<number>();
  for (const { field } of named) {
    const from = placeOf(query, field.words) ?? 0;
    for (let at = from; at < from + field.words.length; at++) said.add(at);
  }
  const isUnread = ({ text }: QueryWord) => unread === undefined || unread.has(text);
  const content = query.map((word, index) => ({ word, index })).filter(({ word }) => !word.isFiller);
  const weigh = (words: typeof content) => words.reduce((sum, { word }) => sum + word.weight, 0);
  const ofQuery = weigh(content.filter(({ index }) => said.has(index))) / weigh(content);
  const left = content.filter(({ word }) => isUnread(word));
  const ofUnread = left.length === 0 ? 0 : weigh(left.filter(({ index }) => said.has(index))) / weigh(left);
  const weight = Math.max(...named.map(({ field }) => field.weight));
  // A single ordinary word in a sentence is seldom a title; an artist's name usually is one.
  const isName =
    content.filter(({ index }) => said.has(index)).length > 1 || named.some(({ field }) => isPerson(field));
  const sure = ofUnread > 0 && isName ? 0.5 + 0.5 * ofUnread : 0;
  return weight * Math.max(sure, ofQuery ** 2);
}
