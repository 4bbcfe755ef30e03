import type { Available } from "./available.ts";
import type { Created } from "./created.ts";
import type { FactWish } from "./fact-wish.ts";
import type { Reading } from "./match.ts";
import { type Period, readAge, readPeriod } from "./period.ts";
import { begins, endOf, endsAt, type Match, matchesOf, spansOf } from "./reading.ts";
import { compilePhrase } from "./rule.ts";
import type { Span } from "./text.ts";

/** What a brief says about tracks of the library, apart from their sound. Only tracks that meet all of it are found. */
export type LibraryFilters = Available & {
  /** What it says of other things that the library stores. */
  facts?: readonly FactWish[];
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

export type Window = {
  phrases: ReturnType<typeof compilePhrase>;
  read: (first: Period, last: Period) => Created;
  /** Reads the places; left out: {@link readPeriod}. */
  readPlace?: typeof readPeriod;
  /** May stand without a word such as "uploaded", also beside words that tell a story. */
  isClear: boolean;
};

/** Returns the ways to name a time by phrases of a type, the most telling first. */
const windowsOf = (period: string): readonly Window[] => [
  {
    phrases: compilePhrase("<library.older>~<library.age=first>[ <library.old>]"),
    read: ({ from }) => ({ from: null, to: from }),
    readPlace: readAge,
    isClear: true,
  },
  {
    phrases: compilePhrase("<library.newer>~<library.age=first>[ <library.old>]"),
    read: ({ from }) => ({ from, to: null }),
    readPlace: readAge,
    isClear: true,
  },
  {
    phrases: compilePhrase(`<library.between> <${period}=first> <library.and> <${period}=last>`),
    // "From October to December", said in November, has no end yet.
    read: ({ from }, { to }) => ({ from, to: to !== null && to <= from ? null : to }),
    isClear: false,
  },
  {
    phrases: compilePhrase(`<library.since>~<${period}=first>[ <library.onwards>]`),
    read: ({ from }) => ({ from, to: null }),
    isClear: true,
  },
  {
    phrases: compilePhrase(`<library.after>~<${period}=first>`),
    read: ({ from, to }) => ({ from: to ?? from, to: null }),
    isClear: false,
  },
  {
    phrases: compilePhrase(`<library.before>~<${period}=first>`),
    read: ({ from }) => ({ from: null, to: from }),
    isClear: false,
  },
  {
    phrases: compilePhrase(`[<library.within=within>~]<${period}=first>`),
    read: ({ from, to }) => ({ from, to }),
    isClear: false,
  },
];

const WINDOWS = windowsOf("library.period");
/** Facts also have the times of feasts: "sent before Christmas". */
export const FACT_WINDOWS = windowsOf("fact.period");

/** Finds what a brief says about when tracks came in, and what was done with them. */
export function findFilters(reading: Reading, now: number | undefined): FoundFilters {
  const found: FoundFilters = { filters: {}, places: [] };
  for (const [type, filters] of STATES)
    for (const span of spansOf(reading, type)) {
      // "Been played" in "never been played" says nothing of its own.
      if (found.places.some((place) => place.span.start < span.start && place.span.end >= span.end)) continue;
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

/** A time that a brief names, whatever it is the time of. */
export type FoundWindow = { created: Created; span: Span };

/** Returns the times that a brief names, where several are read at one place the most telling first. */
export function windowsIn(reading: Reading, now: number, windows: readonly Window[]): FoundWindow[] {
  return windows.flatMap(({ phrases, read, readPlace = readPeriod }) =>
    matchesOf(reading, phrases).flatMap((match) => {
      const { first } = match.places;
      const periods = periodsOf(reading, match, readPlace, now);
      if (!periods || !first) return [];
      const created = read(...periods);
      // "Passed on this month": a word before the time may belong to what it is the time of.
      const starts = match.places.within ? [match.start, first.start] : [match.start];
      return starts.map((start) => ({ created, span: { start, end: match.end } }));
    }),
  );
}

/** Returns the first and the last period of a time; "between January and March 2025" gives the year once. */
function periodsOf(
  reading: Reading,
  { places: { first, last } }: Match,
  readPlace: typeof readPeriod,
  now: number,
): [Period, Period] | undefined {
  const to = last && readPlace(reading, last, now);
  const isDated = last && YEAR_ONLY.test(reading.text.slice(last.start, last.end));
  const from = first && readPlace(reading, first, (isDated && to?.from) || now);
  if (!from || (last && !to)) return undefined;
  return [from, to ?? from];
}

function findWindow(reading: Reading, now: number): { created: Created; spans: Span[] } | undefined {
  for (const { phrases, read, readPlace = readPeriod, isClear } of WINDOWS)
    for (const match of matchesOf(reading, phrases)) {
      const periods = periodsOf(reading, match, readPlace, now);
      const verbs = periods && anchors(reading, match, isClear);
      if (verbs) return { created: read(...periods), spans: [match, ...verbs] };
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
  const clause: Clause = {
    isNear,
    stands: (type) => spansOf(reading, type).some((span) => span.start >= from && span.end <= start),
    isEnd: text.slice(end, to).trim() === "",
  };
  return anchorsOfUpload(reading, match, from, clause) ?? anchorsOfDate(reading, match, isClear, clause);
}

/** The clause of a time: which words are near, which stand before it, and whether it ends the clause. */
type Clause = {
  isNear: (span: Span) => boolean;
  stands: (type: string) => boolean;
  isEnd: boolean;
};

/** "uploaded in March", "new this week", "this week's uploads", "songs from March" */
function anchorsOfUpload(
  reading: Reading,
  match: Match,
  from: number,
  { isNear }: Clause,
): Span[] | undefined {
  const { start, end } = match;
  const verbs = spansOf(reading, "library.uploaded").filter(isNear);
  if (verbs.length > 0) return verbs;
  const fresh = spansOf(reading, "library.fresh").find(
    (span) => span.start >= from && span.end + 1 === start,
  );
  if (fresh) return [fresh];
  if (endsAt(reading, "library.uploads before", start) || begins(reading, "library.uploads after", end))
    return [];
  const isFrom = match.named.within !== undefined && !YEAR_ONLY.test(match.text);
  return isFrom && endsAt(reading, "library.thing before", start) ? [] : undefined;
}

/** "made in March", "from October", "last month" */
function anchorsOfDate(
  reading: Reading,
  match: Match,
  isClear: boolean,
  { isNear, stands, isEnd }: Clause,
): Span[] | undefined {
  const isTold = stands("library.talk");
  if (isClear && !isTold) return [];
  const isOfOther = stands("library.aside") || reading.text.startsWith("'s", match.end);
  if (isOfOther || isEra(match)) return undefined;
  const made = spansOf(reading, "library.made").filter(isNear);
  if (made.length > 0) return made;
  return !isTold && isDate(reading, match, isEnd) ? [] : undefined;
}

/** "In 1974" says how it sounds. */
const isEra = ({ text }: Match): boolean => /\b(?:19\d|20[01])\d$/.test(text) && YEAR_ONLY.test(text);

/** True for a time that can only be when a track came in: "from October", "last month", "before March", "in 2024". */
function isDate(reading: Reading, { places, text, start, end }: Match, isAtEnd: boolean): boolean {
  if (YEAR_ONLY.test(text) && !isAtEnd) return false;
  const { within, first = { start, end } } = places;
  if (endOf(reading, "library.relative", first.start) === first.end) return true;
  if (within) return endOf(reading, "library.dated", within.start) === within.end;
  return first.start !== start || first.end !== end;
}
