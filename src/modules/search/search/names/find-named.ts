import { fold } from "../../../../kernel/text.ts";
import { linesNamed } from "./lines.ts";
import {
  COMMON,
  type NameSearch,
  selectNames,
  slotsNamed,
  slotsOf,
  slotsWithAll,
  tracksWithFile,
} from "./lookup.ts";
import { type QueryWord, readQuery } from "./query.ts";
import { type FieldMatch, fieldsOf, scoreNames } from "./score.ts";
import { withoutExtension } from "./words.ts";

/** A track that a phrase names, and how surely: 1 for its whole title. */
export type NamedTrack = { seq: number; slot: number; strength: number; matches: readonly FieldMatch[] };

/** What a phrase names, best first. */
export type Named = {
  tracks: readonly NamedTrack[];
  /** The phrase as words of names. */
  query: readonly QueryWord[];
  /** Folded words of the phrase that are words of the names found. */
  words: ReadonlySet<string>;
};

/** Weaker matches say nothing. */
const LEAST_STRENGTH = 0.05;
/** A match this strong is meant; no slip is looked for in words that names have. */
const GOOD = 0.7;
const MOST_CANDIDATES = 120;
/** Tracks with a smaller part of what the query says are no candidates. */
const LEAST_PART = 0.25;
/** Other words are tried when names have this much of the query. */
const NEARLY_ALL = 0.6;
const MOST_EXACT = 100;
/** The longest title in words that is found inside a sentence. */
const LONGEST_RUN = 10;

/**
 * Finds the tracks that a phrase names, also by a playlist or a comment: exactly, by a prefix, or with a slip or two. Only names of the account count. Call it in the read transaction of the search.
 *
 * @param unread The words of the phrase that mean nothing else; without it, no word does.
 */
export function findNamed(
  library: Omit<NameSearch, "known">,
  phrase: string,
  unread?: ReadonlySet<string>,
): Named {
  const search: NameSearch = { ...library, known: new Map() };
  const query = search.shard.alive === 0 ? [] : readQuery(search, phrase, false);
  if (query.length === 0) return NOTHING_NAMED;
  const found = named(search, phrase, query, unread);
  if ((found[0]?.strength ?? 0) >= GOOD || knownPart(query) < NEARLY_ALL) return resultOf(query, found);
  // Every word may be right in other names and wrong here.
  const mended = readQuery(search, phrase, true);
  const again = named(search, phrase, mended, unread);
  const isBetter = (again[0]?.strength ?? 0) > (found[0]?.strength ?? 0);
  return isBetter ? resultOf(mended, again) : resultOf(query, found);
}

/** Returns how much of a query names have, in words. */
function knownPart(query: readonly QueryWord[]): number {
  const content = query.filter(({ isFiller }) => !isFiller);
  return content.filter(({ spellings }) => spellings.length > 0).length / content.length;
}

/** The answer to a phrase without a name. */
export const NOTHING_NAMED: Named = { tracks: [], query: [], words: new Set() };

function resultOf(query: readonly QueryWord[], tracks: readonly NamedTrack[]): Named {
  const words = new Set<string>();
  for (const { matches } of tracks)
    for (const { qualities } of matches)
      for (const [index, quality] of qualities.entries())
        if (quality > 0) words.add(query[index]?.text ?? "");
  return { tracks, query, words };
}

function named(
  search: NameSearch,
  phrase: string,
  query: readonly QueryWord[],
  unread: ReadonlySet<string> | undefined,
): NamedTrack[] {
  const { columns } = search.shard;
  const lines = linesNamed(search, query);
  const slots = candidates(search, phrase, query, [...lines.keys()]);
  const slotOfSeq = new Map(slots.map((slot) => [columns.seq[slot] ?? 0, slot]));
  return selectNames(search, [...slotOfSeq.keys()])
    .map((row) => ({
      seq: row.seq,
      slot: slotOfSeq.get(row.seq) ?? -1,
      ...scoreNames(query, fieldsOf(row, lines.get(row.seq) ?? [], phrase.trim()), unread),
    }))
    .filter(({ strength }) => strength >= LEAST_STRENGTH)
    .sort((a, b) => b.strength - a.strength || b.seq - a.seq);
}

/** Returns the tracks worth a closer look. */
function candidates(
  search: NameSearch,
  phrase: string,
  query: readonly QueryWord[],
  inLines: readonly number[],
): number[] {
  const sums = new Map<number, number>();
  for (const { slots, weight } of query)
    for (const slot of slots) sums.set(slot, (sums.get(slot) ?? 0) + weight);
  const least = LEAST_PART * query.reduce((sum, { weight }) => sum + weight, 0);
  const best = [...sums]
    .filter(([, sum]) => sum >= least)
    .sort(([a, x], [b, y]) => y - x || b - a)
    .slice(0, MOST_CANDIDATES)
    .map(([slot]) => slot);
  const { mirror, shard } = search;
  const files = tracksWithFile(search, withoutExtension(phrase.trim()));
  const others = slotsOf(mirror, shard, [...inLines, ...files]);
  return [
    ...new Set([
      ...best,
      ...others,
      ...slotsNamed(search, runsOf(phrase, query), MOST_EXACT),
      ...withAll(search, query),
    ]),
  ];
}

/** A track that has all words may be missing from the cut lists of common ones. */
function withAll(search: NameSearch, query: readonly QueryWord[]): number[] {
  const words = query.filter(({ slots, isFiller }) => slots.length > 0 && !isFiller);
  if (words.length < 2 || !words.some(({ slots }) => slots.length >= COMMON)) return [];
  return slotsWithAll(
    search,
    words.map(({ spellings }) => spellings),
    MOST_CANDIDATES,
  );
}

/** Returns every run of words, as whole titles are stored: without case and accents, and with their punctuation. */
function runsOf(phrase: string, query: readonly QueryWord[]): string[] {
  const runs = new Set<string>();
  for (let from = 0; from < query.length; from++)
    for (let to = from; to < Math.min(query.length, from + LONGEST_RUN); to++)
      runs.add(fold(phrase.slice(query[from]?.start, query[to]?.end)).replace(/\s+/g, " "));
  return [...runs];
}
