import { GLOSSARIES } from "../../db/lexicon.ts";
import type { FactOrder } from "../kernel/facts.ts";
import { ORDERED_FIELDS, type OrderedField, orderedMeasure } from "../kernel/measures.ts";
import type { Created } from "./created.ts";
import type { FactPerson } from "./fact-wish.ts";
import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { begins, endOf, endsAt, spansOf, startOf } from "./reading.ts";
import { compilePhrase, matchAt } from "./rule.ts";
import { plainOf, type Span } from "./text.ts";

/** What results can be ordered by, other than how well they fit. */
export type OrderBy = "createdAt" | OrderedField | FactOrder;

/** The order that a brief asks for. */
export type Ordering = {
  by: OrderBy;
  direction: "asc" | "desc";
  /** Only what happened then counts, and through whom: "most downloaded in 2024". */
  time?: Created;
  person?: FactPerson;
};
/** An order by a stored fact. */
export type FactOrdering = Ordering & { by: FactOrder };

/** The order that each word of the lexicon stands for, whatever its language. */
export const ORDERS: Readonly<Record<string, Ordering>> = {
  newest: { by: "createdAt", direction: "desc" },
  oldest: { by: "createdAt", direction: "asc" },
  ...Object.fromEntries(ORDERED_FIELDS.flatMap(superlativesOf)),
  "by newest": { by: "createdAt", direction: "desc" },
  "by oldest": { by: "createdAt", direction: "asc" },
  ...Object.fromEntries(ORDERED_FIELDS.map(plainOrderOf)),
};

function superlativesOf(by: OrderedField): [word: string, ordering: Ordering][] {
  const { most, least } = orderedMeasure(by).order;
  return [
    [most, { by, direction: "desc" }],
    [least, { by, direction: "asc" }],
  ];
}

function plainOrderOf(by: OrderedField): [word: string, ordering: Ordering] {
  const { most, plain } = orderedMeasure(by).order;
  return [`by ${most}`, { by, direction: plain }];
}

const FIRST = compilePhrase("[<comma>]~<library.first>");
const BY = compilePhrase("(<library.sorted>|<library.by>)~");
const UP = compilePhrase("[<comma>]~[\\(]<library.up>[\\)]");
const DOWN = compilePhrase("[<comma>]~[\\(]<library.down>[\\)]");

/** An order with the places that ask for it. */
export type FoundOrdering = { ordering: Ordering; spans: readonly Span[] };

type Asked = Span & { ordering: Ordering };

/** Finds the order that a brief asks for: "newest first", "the longest ambient piece", "sorted by tempo". */
export function findOrdering(reading: Reading): FoundOrdering | undefined {
  const [field] = spansOf(reading, "library.sorted")
    .concat(spansOf(reading, "library.by"))
    .flatMap((span) => fieldAt(reading, span) ?? []);
  const [first, second] = superlatives(reading).filter((asked) => isOrder(reading, asked));
  const isPair = first && second && endOf(reading, "library.joined", first.end) === second.start;
  const spans = [field, first, isPair ? second : undefined].flatMap((asked) => asked ?? []);
  if (field && (!first || first.ordering.by !== field.ordering.by))
    return { ordering: field.ordering, spans: [field] };
  return first && { ordering: first.ordering, spans: spans.map((span) => withFirst(reading, span)) };
}

/** Reads "sorted by length, descending". */
function fieldAt(reading: Reading, { start }: Span): Asked | undefined {
  const lead = matchAt(reading, BY, start);
  if (!lead) return undefined;
  const fields = Object.keys(ORDERS).filter((name) => name.startsWith("by "));
  const name = fields.find((each) => begins(reading, `library.${each}`, lead.end));
  const ordering = ORDERS[name ?? ""];
  const end = endOf(reading, `library.${name ?? "by newest"}`, lead.end);
  if (!ordering || end === undefined) return undefined;
  const [up, down] = [matchAt(reading, UP, end), matchAt(reading, DOWN, end)];
  const isClear = begins(reading, "library.sorted", start) || isClauseEnd(reading.text, end);
  const turn = up ?? down;
  if (!turn) return isClear ? { start, end, ordering } : undefined;
  return { start, end: turn.end, ordering: { ...ordering, direction: up ? "asc" : "desc" } };
}

const isClauseEnd = (text: string, at: number): boolean => /^\s*(?:$|[.,;:!?|)\n])/.test(text.slice(at));

/** Returns the superlatives in order, the longest at each place. */
function superlatives(reading: Reading): Asked[] {
  const all = Object.entries(ORDERS)
    .filter(([name]) => !name.startsWith("by "))
    .flatMap(([name, ordering]) => spansOf(reading, `library.${name}`).map((span) => ({ ...span, ordering })))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  return all.filter((asked, index) => !all.slice(0, index).some(({ end }) => end > asked.start));
}

/**
 * Returns true when a superlative speaks of the tracks: "newest techno", "longest first". "The world's fastest car" and
 * "60 seconds at the longest" do not.
 */
function isOrder(reading: Reading, { start, end }: Span): boolean {
  if (endsAt(reading, "library.refused before", start) || begins(reading, "library.compared", end))
    return false;
  return begins(reading, "library.may follow", end) || isMusic(reading.text.slice(end));
}

let foreign: ReadonlySet<string> | undefined;

/** Returns true when the next words name a tag, in any language of the lexicon. */
function isMusic(rest: string): boolean {
  const words = /^\s+([\p{L}'-]+(?: [\p{L}'-]+){0,2})/u.exec(rest)?.[1]?.split(" ") ?? [];
  foreign ??= new Set(
    Object.values(GLOSSARIES).flatMap((lines) => lines.flatMap(({ forms }) => forms.map(plainOf))),
  );
  return words.some((_, index) => {
    const run = words.slice(0, words.length - index).join(" ");
    return (meaningOf(run)?.tags.length ?? 0) > 0 || foreign?.has(run) || isCompound(run);
  });
}

/** The least letters of a word that begins a compound: "Klavierstücke". */
const LEAST_PART = 5;

function isCompound(word: string): boolean {
  for (let end = word.length - 1; end >= LEAST_PART; end--) if (foreign?.has(word.slice(0, end))) return true;
  return false;
}

/** Includes the "first" of "newest first", and the number of "the five newest". */
function withFirst(reading: Reading, { start, end }: Span): Span {
  const many = startOf(reading, "library.so many", start) ?? start;
  return { start: many, end: matchAt(reading, FIRST, reading.text[end] === " " ? end + 1 : end)?.end ?? end };
}
