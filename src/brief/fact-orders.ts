import type { Fact, FactOrder } from "../kernel/facts.ts";
import type { Clause, Superlative, Told } from "./fact-clause.ts";
import { afterBlank } from "./fact-counts.ts";
import { moreOf } from "./fact-wishes.ts";
import type { Reading } from "./match.ts";
import type { FactOrdering } from "./ordering.ts";
import { begins } from "./reading.ts";
import type { Span } from "./text.ts";

type Ordered = FactOrdering & { spans: Span[] };

/** Returns the order that a word of a fact asks for: "most played", "biggest files"; `next` is what is said of the next fact. */
export function orderOf(
  { reading }: Clause,
  { anchor: { role, fact }, row, beside }: Told,
  next: Told | undefined,
): Ordered | undefined {
  const spans = [{ start: beside.start, end: beside.end }];
  const isNamed = role === "thing" || role === "done";
  if (isNamed && beside.superlative) {
    const order = superlativeOrder(row, beside.superlative);
    return order && { ...order, ...(isEvent(row) && moreOf(beside, false)), spans };
  }
  const isEnd = role === "top" || role === "bottom";
  // "The biggest wav files"
  const isBeforeFact = next?.beside.start === afterBlank(reading, beside.end);
  if (!isEnd || !row.order || !(isBeforeFact || mayEnd(reading, beside.end))) return undefined;
  return { by: fact, direction: role === "top" ? "desc" : "asc", spans };
}

const isEvent = ({ kind }: Fact): boolean => kind === "event";

function superlativeOrder(row: Fact, superlative: Superlative): FactOrdering | undefined {
  const direction = superlative === "least" || superlative === "earliest" ? "asc" : "desc";
  if (superlative === "latest" || superlative === "earliest")
    return row.latest && { by: `${row.name}At` as FactOrder, direction };
  return row.order && { by: row.name, direction };
}

/** True where the words after a superlative are tracks, a joint or nothing. */
const mayEnd = (reading: Reading, end: number): boolean =>
  begins(reading, "library.may follow", end) || /^\s*$/.test(reading.text.slice(end));
