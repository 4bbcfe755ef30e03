import type { Fact } from "../kernel/facts.ts";
import type { Created } from "./created.ts";
import { afterBlank, beforeBlank, type Count } from "./fact-counts.ts";
import { personLeft, personRight, type Whom } from "./fact-people.ts";
import type { FactPerson, FindPerson } from "./fact-wish.ts";
import { FACT_WORDS, type FactRole, type FactWords } from "./fact-words.ts";
import type { FoundWindow } from "./library-filters.ts";
import type { Reading } from "./match.ts";
import { endOf, startOf } from "./reading.ts";
import type { Span } from "./text.ts";

export type Clause = {
  reading: Reading;
  query: string;
  findPerson: FindPerson | undefined;
  counts: readonly Count[];
  windows: readonly FoundWindow[];
}; /** A word that speaks of a fact, and where it is. */
export type Anchor = Span & FactWords;

const SUPERLATIVES = ["most", "least", "latest", "earliest"] as const;

/** What stands beside the word of a fact. */
export type Beside = Span & {
  isNegated: boolean;
  isAnybody: boolean;
  /** "With", "without", "missing". */
  has: boolean | undefined;
  isMissing: boolean;
  count: Count | undefined;
  time: Created | undefined;
  person: FactPerson | undefined;
  superlative: Superlative | undefined;
  /** Words such as "that were", "already". */
  isLed: boolean;
};

export type Superlative = (typeof SUPERLATIVES)[number] | "sorted";
/** How many words without a meaning of their own may stand between two that are read together. */
const MOST_SKIPPED = 4;

export function besideOf(clause: Clause, anchor: Anchor, row: Fact): Beside {
  const beside: Beside = {
    start: anchor.start,
    end: anchor.end,
    ...{
      isNegated: false,
      isAnybody: false,
      has: undefined,
      isMissing: false,
      count: undefined,
      time: undefined,
    },
    ...{ person: undefined, superlative: undefined, isLed: false },
  };
  while (takeRight(clause, anchor.role, row, beside) || takeLeft(clause, anchor.role, row, beside));
  return beside;
}

/** Reads what follows, past words without a meaning of their own. Returns false when nothing was read. */
function takeRight(clause: Clause, role: FactRole, row: Fact, beside: Beside): boolean {
  const { reading } = clause;
  let at = beside.end;
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    at = afterBlank(reading, at);
    const end = firstOf(RIGHT, { clause, role, row, beside, at });
    if (end !== undefined) {
      beside.end = end;
      return true;
    }
    const next = endOf(reading, "fact.between", at);
    if (next === undefined) return false;
    at = next;
  }
  return false;
}

/** A place beside what was gathered of a fact, and what stands there may add to it. */
type Side = { clause: Clause; role: FactRole; row: Fact; beside: Beside; at: number };
/** Returns where what was read ends, or begins on the left. */
type Reader = (side: Side) => number | undefined;

const isEvent = ({ row }: Side): boolean => row.kind === "event";

function firstOf(readers: readonly Reader[], side: Side): number | undefined {
  for (const read of readers) {
    const place = read(side);
    if (place !== undefined) return place;
  }
  return undefined;
}

const missingRight: Reader = ({ clause, role, beside, at }) => {
  if (role !== "thing" || beside.has !== undefined) return undefined;
  const end = endOf(clause.reading, "fact.missing", at);
  if (end !== undefined) Object.assign(beside, { has: false, isMissing: true });
  return end;
};

const timeRight: Reader = (side) => {
  const { clause, beside, at } = side;
  const time =
    isEvent(side) && !beside.time ? clause.windows.find(({ span }) => span.start === at) : undefined;
  if (time) beside.time = time.created;
  return time?.span.end;
};

const whomRight: Reader = (side) => {
  const { clause, row, beside, at } = side;
  if (!isEvent(side) || beside.person || beside.isAnybody) return undefined;
  const whom = personRight(clause, row, at);
  if (whom) addWhom(beside, whom.found);
  return whom?.end;
};

/** A playlist may be called Summer, and nobody is called "week" in "sent a week ago". */
const timeOrWhomRight: Reader = (side) =>
  firstOf(side.row.joins === "on" ? [whomRight, timeRight] : [timeRight, whomRight], side);

const timesRight: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (!isEvent(side) || role !== "done" || beside.count) return undefined;
  const count = clause.counts.find(({ start }) => start === at);
  const end = count && endOf(clause.reading, "fact.times", afterBlank(clause.reading, count.end));
  if (end !== undefined) beside.count = count;
  return end;
};

/** "gespielt wurde er nie" */
const negationRight: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (!isEvent(side) || role !== "done" || beside.isNegated) return undefined;
  const end = endOf(clause.reading, "fact.not", at);
  if (end !== undefined) beside.isNegated = true;
  return end;
};

const RIGHT: readonly Reader[] = [missingRight, timeOrWhomRight, timesRight, negationRight];

function addWhom(beside: Beside, found: Whom): void {
  const isNegated = beside.isNegated !== (found.isNegated === true);
  Object.assign(beside, found, { isNegated });
}

function takeLeft(clause: Clause, role: FactRole, row: Fact, beside: Beside): boolean {
  const { reading } = clause;
  let at = beside.start;
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    at = beforeBlank(reading, at);
    const start = firstOf(LEFT, { clause, role, row, beside, at });
    if (start !== undefined) {
      beside.start = start;
      return true;
    }
    const next = startOf(reading, "fact.between", at);
    if (next === undefined) return false;
    beside.isLed ||= startOf(reading, "fact.led", at) !== undefined;
    at = next;
  }
  return false;
}

const HAS_THING = new Set(FACT_WORDS.flatMap(({ role, fact }) => (role === "thing" ? [fact] : [])));

const countLeft: Reader = ({ clause, role, beside, at }) => {
  if (beside.count || (role !== "thing" && role !== "unit")) return undefined;
  beside.count = clause.counts.find(({ end }) => end === at);
  return beside.count?.start;
};

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
  if ((role !== "thing" && role !== "done") || beside.superlative || beside.count) return undefined;
  beside.superlative = SUPERLATIVES.find((each) => startOf(reading, `fact.${each}`, at) !== undefined);
  return beside.superlative && startOf(reading, `fact.${beside.superlative}`, at);
};

const nobodyLeft: Reader = (side) => {
  const { clause, beside, at } = side;
  const start = isEvent(side) && !beside.isAnybody ? startOf(clause.reading, "fact.nobody", at) : undefined;
  if (start !== undefined) addWhom(beside, { isAnybody: true, isNegated: true });
  return start;
};

const negationLeft: Reader = ({ clause, role, beside, at }) => {
  const start = role === "unit" || beside.isNegated ? undefined : startOf(clause.reading, "fact.not", at);
  if (start !== undefined) beside.isNegated = true;
  return start;
};

const timeLeft: Reader = (side) => {
  const { clause, beside, at } = side;
  const time = isEvent(side) && !beside.time ? clause.windows.find(({ span }) => span.end === at) : undefined;
  if (time) beside.time = time.created;
  return time?.span.start;
};

const whomLeft: Reader = (side) => {
  const { clause, row, beside, at } = side;
  if (!isEvent(side) || beside.person || beside.isAnybody) return undefined;
  const whom = personLeft(clause, row, at);
  if (whom) addWhom(beside, whom.found);
  return whom?.start;
};

const LEFT: readonly Reader[] = [
  ...[countLeft, manyTimesLeft, unitLeft, hasLeft, sortedLeft, superlativeLeft],
  ...[nobodyLeft, negationLeft, timeLeft, whomLeft],
];

function timesLeft({ reading, counts }: Clause, at: number): { count: Count; start: number } | undefined {
  const times = startOf(reading, "fact.times", at);
  const end = times === undefined ? at : beforeBlank(reading, times);
  const count = times === undefined ? undefined : counts.find((each) => each.end === end);
  return count && { count, start: count.start };
}
