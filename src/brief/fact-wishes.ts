import type { Fact } from "../kernel/facts.ts";
import type { Anchor, Beside, Clause, Told } from "./fact-clause.ts";
import type { Count } from "./fact-counts.ts";
import { type NextPerson, whoAsks } from "./fact-people.ts";
import { beginsWithStyle, isStyle } from "./fact-style.ts";
import type { FactPerson, FactRange, FactWish } from "./fact-wish.ts";
import { begins } from "./reading.ts";
import { isWithin, type Span } from "./text.ts";

/** A wish with the places that say it. */
export type Wished = { wish: FactWish; spans: Span[] };

/** The words beside which another is alone, and what else was read of facts. */
type WishContext = { clause: Clause; read: readonly Span[] };

/** Returns the wishes that a word makes: one, or one for each of several people. */
export function wishesOf(context: WishContext, told: Told): Wished[] {
  const wish = wishOf(context, told);
  const { beside } = told;
  const spans = [{ start: beside.start, end: beside.end }];
  if (!wish) return [];
  if (beside.except) return exceptWishes(wish, beside.except, spans);
  if (!wish.person || beside.others.length === 0) return [{ wish, spans }];
  return withOthers({ ...wish, person: wish.person }, beside.others, spans);
}

/** "Sent to nobody but Ana" was sent to Ana, and to nobody else. */
function exceptWishes(wish: FactWish, except: FactPerson, spans: Span[]): Wished[] {
  const others: FactPerson = { ...except, name: `anybody but ${except.name}`, isExcepted: true };
  return [
    { wish: { ...wish, isNot: !wish.isNot, person: except }, spans },
    { wish: { ...wish, person: others }, spans },
  ];
}

/** Returns a wish about a person with those about others: "shared with Ana but not with Bo last month". */
function withOthers(
  first: FactWish & { person: FactPerson },
  others: readonly NextPerson[],
  spans: Span[],
): Wished[] {
  const wishes = [{ wish: first, spans }];
  let last = first;
  for (const { person, isNegated, isSaid, by, ...span } of others) {
    const isNot = isSaid ? isNegated : isNegated || (last.isNot && by !== "but");
    const isEither = by === "or" && !isNot;
    if (isEither) wishes.pop();
    last = { ...last, isNot, person: isEither ? either(last.person, person) : person };
    wishes.push({ wish: last, spans: isEither ? spans : [span] });
  }
  return wishes;
}

const either = (one: FactPerson, other: FactPerson): FactPerson => ({
  name: `${one.name} or ${other.name}`,
  stored: [...one.stored, ...other.stored],
});

function wishOf(context: WishContext, told: Told): FactWish | undefined {
  const { anchor, row, beside } = told;
  const { role } = anchor;
  // Such a word asks for an order, or for nothing.
  if (role === "top" || role === "bottom") return undefined;
  if (role === "unit") return numberWish(anchor, row, beside.count);
  if (role === "value" || role === "over")
    return isAlone(context, anchor) ? valueWish(anchor, beside) : undefined;
  if (beside.count && (role === "thing" || role === "done")) return countWish(row, beside, beside.count);
  return role === "thing" ? thingWish(row, beside) : happenedWish(context, told);
}

/** Returns when and through whom it happened; another time may be meant of what did not: "not for a year". */
export function moreOf(
  { time: when, timeOfNot, person }: Beside,
  isNot: boolean,
): Pick<FactWish, "time" | "person"> {
  const time = isNot ? (timeOfNot ?? when) : when;
  return { ...(time && { time }), ...(person && { person }) };
}

function countWish(row: Fact, beside: Beside, count: Count): FactWish | undefined {
  const range = countRange(count, beside.isNegated);
  if (row.kind !== "event" || !range) return undefined;
  return { fact: row.name, isNot: false, range, ...moreOf(beside, false) };
}

function thingWish(row: Fact, beside: Beside): FactWish | undefined {
  const { isNegated, has, isMissing, time } = beside;
  if (row.isSound && !isMissing) return undefined;
  const isNamed = row.kind !== "number" && has !== undefined;
  const isNot = isNamed ? !has !== isNegated : isNegated;
  if (!isNamed && !(time && row.kind === "event")) return undefined;
  return { fact: row.name, isNot, ...moreOf(beside, isNot) };
}

function happenedWish(context: WishContext, { anchor, row, beside }: Told): FactWish | undefined {
  const { isNegated, isAnybody, isMine, time, isLed } = beside;
  const isTold = [isNegated, isAnybody, time !== undefined, beside.person !== undefined, isLed].includes(
    true,
  );
  const isMeant = isTold || anchor.role === "isn't" || row.isPlain === true || isAlone(context, anchor);
  // "Something I heard in a film" asks for nothing.
  const me = isMine && isMeant && !isAnybody ? whoAsks(row, context.clause.findPerson) : undefined;
  const person = beside.person ?? me;
  // Another reader has "never played" and "not uploaded".
  const isOthers = row.otherwise === "timed" || (row.otherwise === "alone" && time === undefined);
  if (!isMeant || (isOthers && !person && !beside.except)) return undefined;
  // "Nigdy nieotwarte" is not opened.
  const isNot = isNegated || anchor.role === "isn't";
  return { fact: row.name, isNot, ...moreOf({ ...beside, person }, isNot) };
}

function valueWish({ fact, role, factor }: Anchor, { isNegated }: Beside): FactWish {
  const range = role === "over" ? { above: factor } : { least: factor, most: factor };
  return { fact, isNot: isNegated, range };
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
const PLAIN = [
  ...["library.thing", "fact.between", "library.joint", "fact.and", "fact.or", "fact.but", "fact.nor"],
  ...["library.everything", "fact.except", "library.top"],
];

/** True where a clause has only this word, others of facts, and those for tracks: "approved", "sent tracks". */
function isAlone({ clause: { reading }, read }: WishContext, { start, end, role }: Anchor): boolean {
  const from = start - (/[^.,;:!?|()\n]*$/.exec(reading.text.slice(0, start))?.[0].length ?? 0);
  const to = end + reading.text.slice(end).search(/[.,;:!?|()\n]|$/);
  const isThings = (text: string, at: number): boolean => {
    const words = [...text.matchAll(/[\p{L}\p{N}'-]+/gu)].map(({ index }) => at + index);
    return words.every((word) => isWithin(read, word) || PLAIN.some((type) => begins(reading, type, word)));
  };
  const [before, after] = [reading.text.slice(from, start), reading.text.slice(end, to)];
  const [isFirst, isLast] = [isThings(before, from), isThings(after, end)];
  // "Explicit techno" is one, as is "approved techno"; "piano played" is none.
  const isDone = role === "done" || role === "isn't";
  const isState = STATES.has(role);
  const isBefore = begins(reading, "library.thing", end + 1) || beginsWithStyle(after);
  if ((isState || (isDone && isFirst)) && isBefore) return true;
  return isLast && (isFirst || ((isState || isDone) && isStyle(before)));
}

const STATES: ReadonlySet<string> = new Set<Anchor["role"]>(["is", "value", "over"]);
