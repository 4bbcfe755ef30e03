import { AVAILABLE_AS } from "../kernel/available-as.ts";
import { findFact, isFactOrder } from "../kernel/facts.ts";
import { fold } from "../kernel/text.ts";
import { availableOf, findAvailable, type Part, partName } from "./available.ts";
import { type FactWish, type FindPerson, factPieceName } from "./fact-wish.ts";
import { type FoundFacts, findFacts } from "./facts.ts";
import type { Said } from "./interpretation.ts";
import { japaneseWords } from "./japanese-library.ts";
import { meaningOf } from "./lexicon.ts";
import { findFilters, type LibraryFilters, STATES } from "./library-filters.ts";
import type { Reading } from "./match.ts";
import { findOrdering, ORDERS, type Ordering } from "./ordering.ts";
import { wholePeriod } from "./period.ts";
import { begins, markRead, readingOf, spansOf } from "./reading.ts";
import { mergeSpans, plainOf, type Span } from "./text.ts";

/** What a brief says about the library itself rather than about the music. */
export type LibraryWishes = {
  ordering: Ordering | null;
  filters: LibraryFilters;
  /** It asks for anything at all. */
  isOpen: boolean;
  /** What it asks for that the library does not store or search does not look at, as the lexicon calls it. */
  unasked?: readonly string[];
  /** Where the query says it. */
  said: Said[];
  /** The query with blanks in place of the words that were read. */
  rest: string;
};

/** The wishes of a brief that says nothing about the library. */
export const NO_LIBRARY_WISHES: LibraryWishes = {
  ordering: null,
  filters: {},
  isOpen: false,
  said: [],
  rest: "",
};

/**
 * Reads what comes first and what a brief says about uploads, tags and plays, before anything is translated or corrected:
 * these words are known in every language.
 *
 * @param now The time of the request; without it, no time is read.
 */
export function findLibraryWishes(
  query: string,
  now: number | undefined,
  findPerson?: FindPerson,
): LibraryWishes {
  const whole = readingOf(plainOf(query));
  const facts = findFacts(whole, { query, now, findPerson });
  const ofFacts = factPieces(facts);
  // What speaks of a fact speaks of nothing else: "changed last month" is no upload.
  const reading = markRead(
    whole,
    ofFacts.flatMap(({ spans }) => spans),
  );
  const order = findOrdering(reading);
  const { filters, places } = findFilters(reading, now);
  // "Surprise me" says nothing else; "anything" may go on: "anything but jazz".
  const open = spansOf(reading, "library.open");
  const japanese = inJapanese(query, now, facts.wishes.length);
  const parts = [...findAvailable(query), ...japanese.parts];
  const found: Piece[] = [
    ...ofFacts,
    ...(order ? [{ about: "order" as const, spans: order.spans }] : []),
    ...places.map(({ name, span }) => ({ about: "filter" as const, name, spans: [span] })),
    ...japanese.found,
    ...parts.map(({ span, ...part }) => ({
      about: "available" as const,
      name: partName(part),
      spans: [span],
    })),
  ];
  return {
    ordering: facts.order ? plainOrder(facts.order) : (order?.ordering ?? japanese.ordering),
    filters: {
      ...filters,
      ...japanese.filters,
      ...availableOf(parts),
      ...allFacts([...facts.wishes.map(({ wish }) => wish), ...japanese.facts]),
    },
    isOpen: spansOf(reading, "library.everything").length + open.length > 0,
    ...(facts.unasked.length > 0 && { unasked: facts.unasked.map(({ name }) => name) }),
    said: byName(found),
    rest:
      found.length + open.length === 0
        ? query
        : withoutThings(
            blanked(query, [...[...found, ...named(reading)].flatMap(({ spans }) => [...spans]), ...open]),
          ),
  };
}

const plainOrder = ({ spans: _, ...order }: NonNullable<FoundFacts["order"]>): Ordering => order;

const allFacts = (facts: readonly FactWish[]) => (facts.length > 0 ? { facts } : {});

/** Returns the other words about uploads, which say nothing beside an order or a filter: "newest uploads". */
function named(reading: Reading): Pick<Piece, "spans">[] {
  return ["library.uploads", "library.uploaded"].map((type) => ({ spans: spansOf(reading, type) }));
}

/** Returns the pieces of a query that speak of facts; those of conditions are named by their place in `filters.facts`. */
function factPieces({ wishes, order, unasked }: FoundFacts): Piece[] {
  return [
    ...wishes.map(({ spans }, index) => ({ about: "filter" as const, name: factPieceName(index), spans })),
    ...(order ? [{ about: "order" as const, spans: order.spans }] : []),
    ...unasked.map(({ name, spans }) => ({ about: "unasked" as const, name, spans })),
  ];
}

/** Puts the places of one filter together. */
function byName(found: readonly Piece[]): Said[] {
  const groups = Map.groupBy(found, ({ about, name = "" }) => `${about} ${name}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            ...first,
            isUnwanted: false,
            spans: mergeSpans([first, ...others].flatMap(({ spans }) => [...spans])),
          },
        ]
      : [],
  );
}

function blanked(query: string, spans: readonly Span[]): string {
  return mergeSpans(spans).reduce(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, " ") + text.slice(end),
    query,
  );
}

/** Words for tracks, and those that only join others. */
const PLAIN = [
  "library.thing",
  "library.joint",
  "library.everything",
  "fact.between",
  "fact.and",
  "fact.or",
  "fact.nor",
  "fact.but",
];

/** What is left of "songs without notes" are songs, which says no more. */
function withoutThings(rest: string): string {
  const reading = readingOf(plainOf(rest));
  const words = [...rest.matchAll(/[\p{L}\p{N}'’-]+/gu)];
  const isMusic = (word: string) => meaningOf(word)?.tags.some(({ category }) => category !== "lyricThemes");
  const isThing = ({ 0: word, index }: RegExpExecArray) =>
    !isMusic(fold(word)) && PLAIN.some((type) => begins(reading, type, index));
  return words.every(isThing) ? blanked(rest, [{ start: 0, end: rest.length }]) : rest;
}

type Piece = Omit<Said, "isUnwanted">;
type InJapanese = Pick<LibraryWishes, "ordering" | "filters"> & {
  found: Piece[];
  parts: (Part & { span: Span })[];
  facts: FactWish[];
};

/** @param before How many facts were found before. */
function inJapanese(query: string, now: number | undefined, before: number): InJapanese {
  const all = japaneseWords(query).map(({ head, ...span }) => ({ head, span, part: partOf(head) }));
  const parts = all.flatMap(({ part, span }) => (part ? [{ ...part, span }] : []));
  const result: InJapanese = { ordering: null, filters: {}, found: [], parts, facts: [] };
  const words = all.filter(({ part }) => part === undefined);
  const hasUpload = words.some(({ head }) => head === "uploaded");
  for (const { head, span } of words) {
    const fact = factOf(head);
    if (fact) {
      result.found.push({
        about: "filter",
        name: factPieceName(before + result.facts.length),
        spans: [span],
      });
      result.facts.push(fact);
    } else addJapanese(result, head, span, hasUpload ? now : undefined);
  }
  return result;
}

/** Adds an order, a state, or the time of an upload. */
function addJapanese(result: InJapanese, head: string, span: Span, now: number | undefined): void {
  const order = ORDERS[head] ?? factOrderOf(head);
  const state = STATES.find(([type]) => type === `library.${head}`)?.[1];
  if (order) {
    result.ordering ??= order;
    result.found.push({ about: "order", spans: [span] });
  } else if (state) {
    Object.assign(result.filters, state);
    result.found.push({ about: "filter", name: Object.keys(state)[0] ?? "", spans: [span] });
  } else if (now !== undefined) {
    const period = wholePeriod(head, now);
    if (period) result.filters.created = period;
    result.found.push({ about: "filter", name: "created", spans: [span] });
  }
}

/** Reads "has cover", "lacks cover". */
function factOf(head: string): FactWish | undefined {
  const [, said, name = ""] = /^(has|lacks) (.+)$/.exec(head) ?? [];
  const fact = findFact(name)?.name;
  return fact && { fact, isNot: said === "lacks" };
}

/** Reads "most played". */
function factOrderOf(head: string): Ordering | undefined {
  const [, end, name = ""] = /^(most|least) (.+)$/.exec(head) ?? [];
  return isFactOrder(name) ? { by: name, direction: end === "most" ? "desc" : "asc" } : undefined;
}

/** Reads "available stems", "available 30". */
function partOf(head: string): Part | undefined {
  const [, name = ""] = /^available (.+)$/.exec(head) ?? [];
  const as = AVAILABLE_AS.find((kind) => kind === name);
  if (as) return { as };
  return name === "" ? undefined : { editSec: Number(name) };
}
