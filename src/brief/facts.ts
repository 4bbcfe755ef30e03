import { type Fact, type FactOrder, factOf } from "../kernel/facts.ts";
import { type Anchor, type Beside, besideOf, type Clause, type Superlative } from "./fact-beside.ts";
import { afterBlank, type Count, countsIn } from "./fact-counts.ts";
import { findInstrument } from "./fact-instrument.ts";
import { nextPerson } from "./fact-people.ts";
import { beginsWithStyle, isStyle } from "./fact-style.ts";
import type { FactPerson, FactRange, FactWish, FindPerson } from "./fact-wish.ts";
import { anyFactWord, FACT_WORDS, UNASKED } from "./fact-words.ts";
import { windowsIn } from "./library-filters.ts";
import type { Reading } from "./match.ts";
import { begins, matchesOf, spansOf } from "./reading.ts";
import type { Span } from "./text.ts";

/** What was found of the facts, each piece with the places that say it. */
export type FoundFacts = {
  wishes: { wish: FactWish; spans: Span[] }[];
  order: { by: FactOrder; direction: "asc" | "desc"; spans: Span[] } | undefined;
  /** What cannot be asked, by its head in the lexicon. */
  unasked: { name: string; spans: Span[] }[];
};
type Context = { query: string; now: number | undefined; findPerson: FindPerson | undefined };

const NOTHING: FoundFacts = { wishes: [], order: undefined, unasked: [] };

/**
 * Finds what a brief says of stored facts: "without a cover", "never opened by Bo", "sent last month", "more than five
 * plays", "most played". Each word of a fact gathers what stands beside it: a negation, a number, a time, a person.
 */
export function findFacts(reading: Reading, { query, now, findPerson }: Context): FoundFacts {
  if (matchesOf(reading, anyFactWord()).length === 0) return NOTHING;
  const clause: Clause = {
    reading,
    query,
    findPerson,
    counts: countsIn(reading),
    windows: now === undefined ? [] : windowsIn(reading, now),
  };
  const found: FoundFacts = { wishes: [], order: undefined, unasked: unaskedIn(reading) };
  let done = 0;
  for (const anchor of anchorsIn(reading)) {
    if (anchor.start < done || isQuoted(query, anchor)) continue;
    const isOfInstrument = factOf(anchor.fact).joins === "with";
    const said = saidAt(isOfInstrument ? { ...clause, findPerson: findInstrument } : clause, anchor);
    found.wishes.push(...said.wishes);
    found.order ??= said.order;
    done = Math.max(done, endOfAll(said));
  }
  return found;
}

const endOfAll = ({ wishes, order }: Said): number =>
  Math.max(0, ...[...wishes, order].flatMap((each) => each?.spans.map(({ end }) => end) ?? []));

/** Returns the words of facts in order, of those that overlap the longest. */
function anchorsIn(reading: Reading): Anchor[] {
  // "Night Ferry.mp3" is a name.
  const isOfName = ({ start, end }: Span) =>
    /[._/\\]/.test(reading.text[start - 1] ?? "") || /^[._/\\]\p{L}/u.test(reading.text.slice(end));
  const all = FACT_WORDS.flatMap((words) =>
    spansOf(reading, words.type)
      .filter((span) => !isOfName(span))
      .map((span) => ({ ...words, ...span })),
  );
  return all
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .filter((one, at, longest) => !longest.slice(0, at).some((other) => isApart(one, other)))
    .toSorted((a, b) => a.start - b.start);
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

type Wished = { wish: FactWish; spans: Span[] };
type Said = { wishes: Wished[]; order: FoundFacts["order"] };

/** Returns a wish about a person with those about others that follow: "shared with Ana but not with Bo last month". */
function withOthers(clause: Clause, first: Wished): Wished[] {
  const row = factOf(first.wish.fact);
  const wishes = [first];
  for (let last = first; last.wish.person; ) {
    const start = Math.max(...last.spans.map((span) => span.end));
    const next = nextPerson(clause, row, start);
    if (!next) break;
    const span = { start: afterBlank(clause.reading, start), end: next.end };
    const isNot = next.isNegated || (last.wish.isNot && next.by !== "but");
    if (next.by === "or" && !isNot) {
      wishes.pop();
      last = {
        wish: { ...last.wish, person: either(last.wish.person, next.person) },
        spans: [...last.spans, span],
      };
    } else last = { wish: { ...last.wish, isNot, person: next.person }, spans: [span] };
    wishes.push(last);
  }
  return withSharedTime(clause, wishes);
}

const either = (one: FactPerson, other: FactPerson): FactPerson => ({
  name: `${one.name} or ${other.name}`,
  stored: [...one.stored, ...other.stored],
});

/** A time behind the last of several people is that of all. */
function withSharedTime({ reading, windows }: Clause, wishes: Wished[]): Wished[] {
  const last = wishes.at(-1);
  if (!last?.wish.person || last.wish.time) return wishes;
  const at = afterBlank(reading, Math.max(...last.spans.map(({ end }) => end)));
  const found = windows.find(({ span }) => span.start === at);
  if (!found) return wishes;
  return wishes.map(({ wish, spans }) => ({
    wish: { ...wish, time: found.created },
    spans: [...spans, found.span],
  }));
}

function saidAt(clause: Clause, anchor: Anchor): Said {
  const row = factOf(anchor.fact);
  const beside = besideOf(clause, anchor, row);
  const spans = [{ start: beside.start, end: beside.end }];
  const order = orderOf(clause, anchor, row, beside);
  const wish = order ? undefined : wishOf(clause, anchor, row, beside);
  return { wishes: wish ? withOthers(clause, { wish, spans }) : [], order: order && { ...order, spans } };
}

type OrderSaid = { by: FactOrder; direction: "asc" | "desc" };

function orderOf(
  { reading }: Clause,
  { role, fact }: Anchor,
  row: Fact,
  { superlative, end }: Beside,
): OrderSaid | undefined {
  if (role === "top" || role === "bottom") {
    const isOrder = row.order !== undefined && mayEnd(reading, end);
    return isOrder ? { by: fact, direction: role === "top" ? "desc" : "asc" } : undefined;
  }
  const isNamed = role === "thing" || role === "done";
  return superlative !== undefined && isNamed ? superlativeOrder(row, superlative) : undefined;
}

function superlativeOrder(row: Fact, superlative: Superlative): OrderSaid | undefined {
  const direction = superlative === "least" || superlative === "earliest" ? "asc" : "desc";
  if (superlative === "latest" || superlative === "earliest")
    return row.latest && { by: `${row.name}At`, direction };
  return row.order && { by: row.name, direction };
}

function wishOf(clause: Clause, anchor: Anchor, row: Fact, beside: Beside): FactWish | undefined {
  const { role } = anchor;
  if (role === "unit") return numberWish(anchor, row, beside.count);
  if (beside.count && (role === "thing" || role === "done")) return countWish(row, beside, beside.count);
  return role === "thing" ? thingWish(row, beside) : happenedWish(clause, anchor, row, beside);
}

const moreOf = ({ time, person }: Beside) => ({ ...(time && { time }), ...(person && { person }) });

function countWish(row: Fact, beside: Beside, count: Count): FactWish | undefined {
  const range = countRange(count, beside.isNegated);
  if (row.kind !== "event" || !range) return undefined;
  return { fact: row.name, isNot: false, range, ...moreOf(beside) };
}

function thingWish(row: Fact, beside: Beside): FactWish | undefined {
  const { isNegated, has, isMissing, time } = beside;
  if (row.isSound && !isMissing) return undefined;
  const isNamed = row.kind !== "number" && has !== undefined;
  if (isNamed) return { fact: row.name, isNot: !has !== isNegated, ...moreOf(beside) };
  return time && row.kind === "event" ? { fact: row.name, isNot: isNegated, ...moreOf(beside) } : undefined;
}

function happenedWish(clause: Clause, anchor: Anchor, row: Fact, beside: Beside): FactWish | undefined {
  const { isNegated, isAnybody, time, person, isLed } = beside;
  // Another reader has "never played" and "not uploaded".
  const isOthers = row.otherwise === "timed" || (row.otherwise === "alone" && time === undefined);
  if (isOthers && !person) return undefined;
  const isTold = [isNegated, isAnybody, time !== undefined, person !== undefined, isLed].includes(true);
  if (!isTold && anchor.role !== "isn't" && !row.isPlain && !isAlone(clause, anchor)) return undefined;
  return { fact: row.name, isNot: isNegated !== (anchor.role === "isn't"), ...moreOf(beside) };
}

function numberWish({ fact, factor }: Anchor, row: Fact, count: Count | undefined): FactWish | undefined {
  if (!count) return undefined;
  const turn = (value: number) => (row.isNegative ? -Math.abs(value) : value) * factor;
  if (row.least !== undefined && count.value * factor < row.least) return undefined;
  const { range } = count;
  const entries = Object.entries(range).map(([name, value]) => [name, turn(value)] as const);
  return { fact, isNot: false, range: Object.fromEntries(entries) };
}

/** "Not more than five plays" has five at most. */
function countRange({ range }: Count, isNegated: boolean): FactRange | undefined {
  if (!isNegated) return range;
  const { above, least, most, below } = range;
  if (above !== undefined) return { most: above };
  if (below !== undefined) return { least: below };
  if (least !== undefined && most === undefined) return { below: least };
  return most !== undefined && least === undefined ? { above: most } : undefined;
}

/** Words beside which one about a fact is about nothing else. */
const PLAIN = ["library.thing", "fact.between", "library.joint"];

/** True where a clause has only this word and those for tracks: "approved", "sent tracks". */
function isAlone({ reading }: Clause, { start, end, role }: Anchor): boolean {
  const from = start - (/[^.,;:!?|()\n]*$/.exec(reading.text.slice(0, start))?.[0].length ?? 0);
  const to = end + reading.text.slice(end).search(/[.,;:!?|()\n]|$/);
  const isThings = (text: string, at: number): boolean => {
    const words = [...text.matchAll(/[\p{L}\p{N}'-]+/gu)];
    return words.every(({ index }) => PLAIN.some((type) => begins(reading, type, at + index)));
  };
  const [before, after] = [reading.text.slice(from, start), reading.text.slice(end, to)];
  const [isFirst, isLast] = [isThings(before, from), isThings(after, end)];
  // "Explicit techno" is one, as is "approved techno"; "piano played" is none.
  const isDone = role === "done" || role === "isn't";
  if (role === "is" || (isDone && isFirst))
    if (begins(reading, "library.thing", end + 1) || beginsWithStyle(after)) return true;
  return isLast && (isFirst || ((role === "is" || isDone) && isStyle(before)));
}

/** True where the words after a superlative are tracks, a joint or nothing. */
const mayEnd = (reading: Reading, end: number): boolean =>
  begins(reading, "library.may follow", end) || /^\s*$/.test(reading.text.slice(end));
