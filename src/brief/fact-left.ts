import {
  addWhom,
  type Clause,
  isEvent,
  type Reader,
  type Side,
  SUPERLATIVES,
  setTime,
} from "./fact-clause.ts";
import { beforeBlank, both, type Count, isOtherEnd } from "./fact-counts.ts";
import { personLeft, previousPerson } from "./fact-people.ts";
import { FACT_WORDS, type FactRole } from "./fact-words.ts";
import type { Reading } from "./match.ts";
import { startOf } from "./reading.ts";

/** A larger number before a superlative is a year. */
const MOST_WANTED = 1000;

const HAS_THING = new Set(FACT_WORDS.flatMap(({ role, fact }) => (role === "thing" ? [fact] : [])));

const countLeft: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (beside.count || !(role === "unit" || (role === "thing" && isEvent(side)))) return undefined;
  const count = clause.counts.find(({ end }) => end === at);
  const first = count && firstLimit(clause, count);
  beside.count = first ? both(first, count) : count;
  return (first ?? count)?.start;
};

/** Returns the first limit of a number before the second: "at least two but fewer than ten plays". */
function firstLimit({ reading, counts }: Clause, last: Count): Count | undefined {
  const at = beforeBlank(reading, last.start);
  const joint = startOf(reading, "fact.and", at) ?? startOf(reading, "fact.but", at);
  if (joint === undefined) return undefined;
  const end = beforeBlank(reading, joint);
  const from = reading.text[end - 1] === "," ? end - 1 : end;
  return counts.find((one) => one.end === from && isOtherEnd(one, last));
}

const manyTimesLeft: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (!isEvent(side) || role !== "done" || beside.count) return undefined;
  const times = timesLeft(clause, at);
  if (times) beside.count = times.count;
  return times?.start;
};

/** "Sample rate above 48 kHz" */
const unitLeft: Reader = ({ clause, role, row, at }) =>
  role === "unit" && HAS_THING.has(row.name)
    ? startOf(clause.reading, `fact.thing ${row.name}`, at)
    : undefined;

const hasLeft: Reader = ({ clause: { reading }, role, beside, at }) => {
  if (role !== "thing" || beside.has !== undefined) return undefined;
  const [without, missing] = [startOf(reading, "fact.without", at), startOf(reading, "fact.missing", at)];
  const start = missing ?? without ?? startOf(reading, "fact.with", at);
  if (start === undefined) return undefined;
  beside.has = missing === undefined && without === undefined;
  beside.isMissing = missing !== undefined;
  return start;
};

const sortedLeft: Reader = ({ clause: { reading }, role, beside, at }) => {
  if (role !== "thing" || beside.superlative) return undefined;
  const start = startOf(reading, "library.sorted", at) ?? startOf(reading, "library.by", at);
  if (start !== undefined) beside.superlative = "sorted";
  return start;
};

const superlativeLeft: Reader = ({ clause: { reading }, role, beside, at }) => {
  if ((role !== "thing" && role !== "done") || beside.superlative || beside.count || beside.isNegated)
    return undefined;
  beside.superlative = SUPERLATIVES.find((each) => startOf(reading, `fact.${each}`, at) !== undefined);
  return beside.superlative && startOf(reading, `fact.${beside.superlative}`, at);
};

const nobodyLeft: Reader = (side) => {
  const { clause, beside, at } = side;
  const start = isEvent(side) && !beside.isAnybody ? startOf(clause.reading, "fact.nobody", at) : undefined;
  if (start !== undefined) addWhom(beside, { isAnybody: true, isNegated: true });
  return start;
};

const negationLeft: Reader = ({ clause: { reading }, role, beside, at }) => {
  if (role === "unit" || beside.isNegated) return undefined;
  const start = startOf(reading, "fact.not", at) ?? refusalLeft(reading, role, at);
  if (start !== undefined) beside.isNegated = true;
  return start;
};

/** "avoid 4/4", "anything but explicit", "everything except wav files" */
function refusalLeft(reading: Reading, role: FactRole, at: number): number | undefined {
  const except = startOf(reading, "fact.except", at);
  const before = except === undefined ? undefined : beforeBlank(reading, except);
  if (before !== undefined)
    return startOf(reading, "library.everything", before) ?? startOf(reading, "fact.anybody", before);
  return role === "thing" ? undefined : startOf(reading, "fact.refuse", at);
}

/** "what I never heard" */
const mineLeft: Reader = (side) => {
  const { clause, role, row, beside, at } = side;
  if (role !== "done" || row.joins !== "by" || beside.isMine || beside.person) return undefined;
  const start = startOf(clause.reading, "fact.i", at);
  if (start !== undefined) beside.isMine = true;
  return start;
};

/** "sent to Ana, but she passed on it" */
const theirsLeft: Reader = (side) => {
  const { clause, role, row, beside, at } = side;
  if (role !== "done" || row.joins !== "by" || beside.isTheirs || beside.person) return undefined;
  const start = startOf(clause.reading, "fact.they", at);
  if (start !== undefined) beside.isTheirs = true;
  return start;
};

/** "techno that was rejected" */
const ledLeft: Reader = ({ clause, role, beside, at }) => {
  if (beside.isLed || (role !== "done" && role !== "is" && role !== "isn't")) return undefined;
  const start = startOf(clause.reading, "fact.led", at);
  if (start !== undefined) beside.isLed = true;
  return start;
};

/** The number before a superlative, which says how many are wanted: "the top ten most played". */
const topLeft: Reader = ({ clause: { reading, counts }, role, beside, at }) => {
  if (!beside.superlative && role !== "top" && role !== "bottom") return undefined;
  const count = counts.find(
    ({ end, value, range }) => end === at && value <= MOST_WANTED && range.least === range.most,
  );
  return count?.start ?? startOf(reading, "library.top", at);
};

const timeLeft: Reader = (side) => {
  const { clause, beside, at } = side;
  const time = isEvent(side) && !beside.time ? clause.windows.find(({ span }) => span.end === at) : undefined;
  if (time) setTime(beside, time);
  return time?.span.start;
};

const whomLeft: Reader = (side) => {
  const { clause, row, beside, at } = side;
  if (!isEvent(side) || beside.person || beside.isAnybody) return undefined;
  const whom = personLeft(clause, row, at);
  if (!whom) return undefined;
  addWhom(beside, whom.found);
  return addPrevious(side, whom.start, at);
};

/** "What Ana and Bo have heard": the first who is named comes first. */
function addPrevious({ clause, row, beside }: Side, from: number, to: number): number {
  let start = from;
  let end = to;
  while (beside.person) {
    const last = previousPerson(clause, row, start);
    if (!last) break;
    const next = { person: beside.person, by: last.by, isNegated: false, isSaid: false, start, end };
    beside.others = [next, ...beside.others];
    beside.person = last.person;
    end = start;
    start = last.start;
  }
  return start;
}

/** Reads what may stand before the word of a fact. */
export const LEFT: readonly Reader[] = [
  ...[topLeft, countLeft, manyTimesLeft, unitLeft, hasLeft, sortedLeft, superlativeLeft],
  ...[nobodyLeft, negationLeft, mineLeft, timeLeft, whomLeft, theirsLeft, ledLeft],
];

function timesLeft({ reading, counts }: Clause, at: number): { count: Count; start: number } | undefined {
  const times = startOf(reading, "fact.times", at);
  const end = times === undefined ? at : beforeBlank(reading, times);
  const count = counts.find((each) => each.end === end && (times !== undefined || each.isTimes));
  return count && { count, start: count.start };
}
