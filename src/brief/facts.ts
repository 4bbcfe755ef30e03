import { factOf } from "../kernel/facts.ts";
import { besideOf } from "./fact-beside.ts";
import type { Anchor, Clause, Told } from "./fact-clause.ts";
import { afterBlank, countsIn } from "./fact-counts.ts";
import { findInstrument } from "./fact-instrument.ts";
import { linked, withShared } from "./fact-lists.ts";
import { orderOf } from "./fact-orders.ts";
import { factWindows } from "./fact-times.ts";
import { type FactWish, type FindPerson, ME } from "./fact-wish.ts";
import { type Wished, wishesOf } from "./fact-wishes.ts";
import { anyFactWord, FACT_WORDS, UNASKED } from "./fact-words.ts";
import type { Reading } from "./match.ts";
import type { FactOrdering } from "./ordering.ts";
import { begins, endOf, matchesOf, spansOf } from "./reading.ts";
import type { Span } from "./text.ts";

/** What was found of the facts, each piece with the places that say it. */
export type FoundFacts = {
  wishes: Wished[];
  order: (FactOrdering & { spans: Span[] }) | undefined;
  /** What cannot be asked, by its head in the lexicon. */
  unasked: { name: string; spans: Span[] }[];
};
type Context = { query: string; now: number | undefined; findPerson: FindPerson | undefined };

/** How far "did" may stand from its verb, in words. */
const MOST_BEFORE_BASE = 4;
const NOTHING: FoundFacts = { wishes: [], order: undefined, unasked: [] };

/**
 * Finds what a brief says of stored facts: "without a cover", "never opened by Bo", "sent last month", "more than five
 * plays", "most played". Each word of a fact gathers what stands beside it: a negation, a number, a time, a person.
 */
export function findFacts(reading: Reading, { query, now, findPerson }: Context): FoundFacts {
  if (matchesOf(reading, anyFactWord()).length === 0) return NOTHING;
  const windows = now === undefined ? [] : factWindows(reading, now);
  const words = anchorsIn(reading);
  const unasked = unaskedIn(reading).flatMap(({ name, spans }) => {
    // "Date de sortie" is a fact, "sortie" alone is none.
    const own = spans.filter((span) => !words.some((word) => holds(word, span) && !holds(span, word)));
    return own.length > 0 ? [{ name, spans: own }] : [];
  });
  const others = [...unasked.flatMap(({ spans }) => spans), ...windows.map(({ span }) => span)];
  const anchors = words.filter(
    // "Year" in "a year ago" is no fact.
    (anchor) => !isQuoted(query, anchor) && !others.some((span) => holds(span, anchor)),
  );
  const clause: Clause = {
    ...{ reading, query, findPerson, windows, anchors },
    counts: countsIn(reading),
    floor: 0,
  };
  const told = withShared(clause, toldBy(clause));
  const context = { clause, read: told.map(({ beside }) => beside) };
  const orders = told.map((each, at) => orderOf(clause, each, told[at + 1]));
  const wishes = told.map((each, at) => (orders[at] ? [] : wishesOf(context, each)));
  const [mine = [], asked = []] = parted(linked(clause, told, wishes), ({ wish }) => isUnkept(wish));
  return {
    wishes: asked,
    order: orders.find((order) => order !== undefined),
    unasked: [
      ...unasked.map((each) => ({ ...each, spans: each.spans.map((span) => withMore(clause, span)) })),
      ...mine.map(({ spans }) => ({ name: "own", spans })),
    ],
  };
}

const parted = <One>(all: readonly One[], isFirst: (one: One) => boolean): One[][] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

/** True for what nobody keeps of whoever asks: what they listened to themselves. */
const isUnkept = ({ fact, person }: FactWish): boolean =>
  factOf(fact).isOfVisitors === true && person?.name === ME;

const holds = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** Reads what stands beside each word, from the first to the last; what one took is no other's. */
function toldBy(clause: Clause): Told[] {
  const told: Told[] = [];
  let [floor, before] = [0, 0];
  for (const anchor of clause.anchors) {
    const isSame = isAgain(anchor, told.at(-1));
    if (anchor.start < floor && !isSame) continue;
    if (!isSame) before = floor;
    const each = toldAt({ ...clause, floor: before }, anchor, told);
    told.push(each);
    floor = Math.max(floor, each.beside.end);
  }
  return told;
}

/** True for another fact of the same word: "24/96" has two numbers, and "channels" may name a fact or be its unit. */
const isAgain = (anchor: Anchor, last: Told | undefined): boolean =>
  last?.anchor.start === anchor.start &&
  last.anchor.end === anchor.end &&
  (anchor.role === "value" || isBare(last));

function toldAt(clause: Clause, anchor: Anchor, told: readonly Told[]): Told {
  const row = factOf(anchor.fact);
  const findPerson = row.joins === "with" ? findInstrument : clause.findPerson;
  const beside = besideOf({ ...clause, findPerson }, anchor, row);
  // "Sent to Ana, but she passed on it"
  const person = beside.isTheirs ? told.findLast((each) => each.beside.person)?.beside.person : undefined;
  return { anchor, row, beside: person ? { ...beside, person } : beside };
}

const isBare = ({ anchor, beside }: Told): boolean =>
  anchor.start === beside.start && anchor.end === beside.end;

/** Takes times and numbers in that stand behind what cannot be asked: "contracts expiring this year". */
function withMore({ reading, windows, counts }: Clause, { start, end }: Span): Span {
  let last = end;
  for (;;) {
    const at = afterBlank(reading, last);
    const more = [...windows.map(({ span }) => span), ...counts].find((span) => span.start === at);
    if (!more) return { start, end: last };
    last = more.end;
  }
}

/** Returns the words of facts in order, of those that overlap the longest. */
function anchorsIn(reading: Reading): Anchor[] {
  // "Night Ferry.mp3" is a name.
  const isOfName = ({ start, end }: Span) =>
    /[._/\\]/.test(reading.text[start - 1] ?? "") || /^[._/\\]\p{L}/u.test(reading.text.slice(end));
  const all = FACT_WORDS.flatMap((words) =>
    spansOf(reading, words.type)
      .filter((span) => !isOfName(span) && (words.role !== "done" || isAsked(reading, span)))
      .map((span) => ({ ...words, ...span })),
  );
  return all
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .filter((one, at, longest) => !longest.slice(0, at).some((other) => isApart(one, other)))
    .toSorted((a, b) => a.start - b.start);
}

/** True but for "send" without "did": "send me something dark" asks for no fact. */
function isAsked(reading: Reading, { start, end }: Span): boolean {
  if (endOf(reading, "fact.base", start) !== end) return true;
  const before = [...reading.text.slice(0, start).matchAll(/\S+/g)].slice(-MOST_BEFORE_BASE);
  return before.some(({ index }) => begins(reading, "fact.asked", index));
}

/** True for a shorter word inside another; one place may speak of two facts ("opened by Bo", "open comments"). */
const isApart = (one: Span, other: Span): boolean =>
  one.start < other.end && other.start < one.end && (one.start !== other.start || one.end !== other.end);

function unaskedIn(reading: Reading): FoundFacts["unasked"] {
  return UNASKED.flatMap((name) => {
    const spans = [...spansOf(reading, `fact.unasked ${name}`)];
    return spans.length > 0 ? [{ name, spans }] : [];
  });
}

/** True for words in quotation marks, which are looked for as they are. */
function isQuoted(query: string, { start }: Span): boolean {
  const marks = query.slice(0, start).match(/["“”„«»]/g) ?? [];
  return marks.length % 2 === 1 && /["“”„«»]/.test(query.slice(start));
}
