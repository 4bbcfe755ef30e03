import type { Reading } from "./match.ts";
import { type Period, readPeriod } from "./period.ts";
import { begins, endsAt, type Match, matchesOf, spansOf } from "./reading.ts";
import { compilePhrase } from "./rule.ts";
import type { Span } from "./text.ts";

/** What a brief says about tracks of the library, apart from their sound. Only tracks that meet all of it are found. */
export type LibraryFilters = {
  /** When they came in, epoch milliseconds: from the first to just before the second. */
  created?: { from: number | null; to: number | null };
  tagged?: boolean;
  played?: boolean;
  /** They have at least so many versions. */
  versions?: number;
};

/** Filters, each with the places that ask for it. */
export type FoundFilters = { filters: LibraryFilters; places: { name: keyof LibraryFilters; span: Span }[] };

/** What was done with tracks, by the types of the lexicon. */
export const STATES: readonly [type: string, filters: LibraryFilters][] = [
  ["library.untagged", { tagged: false }],
  ["library.tagged", { tagged: true }],
  ["library.unplayed", { played: false }],
  ["library.played", { played: true }],
  ["library.version 2", { versions: 2 }],
  ["library.version 3", { versions: 3 }],
  ["library.version 4", { versions: 4 }],
];

type Created = NonNullable<LibraryFilters["created"]>;
type Window = {
  phrases: ReturnType<typeof compilePhrase>;
  read: (first: Period, last: Period) => Created;
  /** May stand without a word such as "uploaded". */
  isClear: boolean;
};

/** Ways to name a time, the most telling first. */
const WINDOWS: readonly Window[] = [
  {
    phrases: compilePhrase("<library.between> <library.period=first> <library.and> <library.period=last>"),
    read: (first, last) => ({ from: first.from, to: last.to }),
    isClear: false,
  },
  {
    phrases: compilePhrase("<library.since>~<library.period=first>[ <library.onwards>]"),
    read: ({ from }) => ({ from, to: null }),
    isClear: true,
  },
  {
    phrases: compilePhrase("<library.after>~<library.period=first>"),
    read: ({ from, to }) => ({ from: to ?? from, to: null }),
    isClear: false,
  },
  {
    phrases: compilePhrase("<library.before>~<library.period=first>"),
    read: ({ from }) => ({ from: null, to: from }),
    isClear: false,
  },
  {
    phrases: compilePhrase("[<library.within=within>~]<library.period=first>"),
    read: ({ from, to }) => ({ from, to }),
    isClear: false,
  },
];

/** Finds what a brief says about when tracks came in, and what was done with them. */
export function findFilters(reading: Reading, now: number | undefined): FoundFilters {
  const found: FoundFilters = { filters: {}, places: [] };
  for (const [type, filters] of STATES)
    for (const span of spansOf(reading, type)) {
      Object.assign(found.filters, filters);
      // `Object.keys` loses the type of the keys.
      for (const name of Object.keys(filters) as (keyof LibraryFilters)[]) found.places.push({ name, span });
    }
  const window = now === undefined ? undefined : findWindow(reading, now);
  if (!window) return found;
  found.filters.created = window.created;
  for (const span of window.spans) found.places.push({ name: "created", span });
  return found;
}

function findWindow(reading: Reading, now: number): { created: Created; spans: Span[] } | undefined {
  for (const { phrases, read, isClear } of WINDOWS)
    for (const match of matchesOf(reading, phrases)) {
      const { first, last = first } = match.places;
      const [from, to] = [first, last].map((place) => place && readPeriod(reading, place, now));
      const verbs = first && from && to ? anchors(reading, match, isClear) : undefined;
      if (from && to && verbs) return { created: read(from, to), spans: [match, ...verbs] };
    }
  return undefined;
}

/** How far from a time a word such as "uploaded" may stand, in characters. */
const REACH = 30;
const CLAUSE = /[^.,;:!?|()\n]*$/;
const YEAR_ONLY = /\b\d{4}$/;

/**
 * Returns the words that make a time the time of an upload; undefined when nothing does. "Music for last year's winners"
 * and "needed by March" speak of something else.
 */
function anchors(reading: Reading, match: Match, isClear: boolean): Span[] | undefined {
  const { text } = reading;
  const { start, end } = match;
  const from = start - (CLAUSE.exec(text.slice(0, start))?.[0].length ?? 0);
  const to = end + text.slice(end).search(/[.,;:!?|()\n]|$/);
  const isNear = (span: Span) =>
    span.start >= from && span.end <= to && span.start < end + REACH && span.end > start - REACH;
  const verbs = spansOf(reading, "library.uploaded").filter(isNear);
  if (verbs.length > 0) return verbs;
  const fresh = spansOf(reading, "library.fresh").find(
    (span) => span.start >= from && span.end + 1 === start,
  );
  if (fresh) return [fresh];
  if (endsAt(reading, "library.uploads before", start) || begins(reading, "library.uploads after", end))
    return [];
  const isFrom = match.named.within !== undefined && !YEAR_ONLY.test(match.text);
  if (isFrom && endsAt(reading, "library.thing before", start)) return [];
  const isTold = spansOf(reading, "library.talk").some((span) => span.start >= from && span.end <= start);
  return isClear && !isTold ? [] : undefined;
}
