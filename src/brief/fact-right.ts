import {
  addWhom,
  type Clause,
  firstOf,
  isEvent,
  MOST_SKIPPED,
  type Reader,
  type Side,
  setTime,
} from "./fact-clause.ts";
import { afterBlank, both, type Count, isOtherEnd } from "./fact-counts.ts";
import { nextPerson, personRight } from "./fact-people.ts";
import { endOf } from "./reading.ts";

const missingRight: Reader = ({ clause, role, beside, at }) => {
  if (role !== "thing" || beside.has !== undefined) return undefined;
  const end = endOf(clause.reading, "fact.missing", at);
  if (end !== undefined) Object.assign(beside, { has: false, isMissing: true });
  return end;
};

/** "no lyrics written", which are missing */
export const storedRight: Reader = ({ clause, role, beside, at }) => {
  if (role !== "thing" || beside.has === undefined || beside.isMissing) return undefined;
  const end = endOf(clause.reading, "fact.stored", at);
  if (end !== undefined) beside.isMissing = true;
  return end;
};

const timeRight: Reader = (side) => {
  const { clause, beside, at } = side;
  const time =
    isEvent(side) && !beside.time ? clause.windows.find(({ span }) => span.start === at) : undefined;
  if (time) setTime(beside, time);
  return time?.span.end;
};

const whomRight: Reader = (side) => {
  const { clause, row, beside, at } = side;
  if (!isEvent(side) || beside.person || beside.isAnybody) return undefined;
  const whom = personRight(clause, row, at);
  if (!whom || (whom.found.isAnybody && !whom.isJoined && isOfNext(clause, whom.end))) return undefined;
  addWhom(beside, whom.found);
  return addOthers(side, whom.end);
};

/** "Sent to Ana and Bo", "that Bo opened but Ana did not": reads what follows the first person. */
function addOthers({ clause, row, beside }: Pick<Side, "clause" | "row" | "beside">, from: number): number {
  let end = from;
  for (let next = nextPerson(clause, row, end); next; next = nextPerson(clause, row, end)) {
    // "Von Bo hochgeladen, von Ana nicht geöffnet"
    if (clause.reading.text[end] === "," && isOfNext(clause, next.end)) break;
    beside.others = [...beside.others, next];
    end = next.end;
  }
  return end;
}

/** Another person behind the word itself: "that Bo never opened but Ana did". */
const othersRight: Reader = (side) => {
  const { beside } = side;
  if (!isEvent(side) || !beside.person || beside.others.length > 0) return undefined;
  const end = addOthers(side, beside.end);
  return end > beside.end ? end : undefined;
};

const NEXT = ["fact.between", "fact.on", "fact.not"];

/** True where words belong to the word of a fact that follows: "approved by Ana that aren't on a playlist". */
function isOfNext({ reading, anchors }: Clause, from: number): boolean {
  let at = afterBlank(reading, from);
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    if (anchors.some(({ start }) => start === at)) return true;
    const next = NEXT.map((type) => endOf(reading, type, at)).find((end) => end !== undefined);
    if (next === undefined) return false;
    at = afterBlank(reading, next);
  }
  return false;
}

/** A playlist may be called Summer, and nobody is called "week" in "sent a week ago". */
const timeOrWhomRight: Reader = (side) =>
  firstOf(side.row.joins === "on" ? [whomRight, timeRight] : [timeRight, whomRight], side);

const timesRight: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (!isEvent(side) || role !== "done" || beside.count) return undefined;
  const times = timesAt(clause, at);
  if (!times) return undefined;
  beside.count = times.count;
  return times.end;
};

/** "twice", "ten times", "at least twice but fewer than ten times" */
function timesAt(clause: Clause, at: number): { count: Count; end: number } | undefined {
  const { reading } = clause;
  const count = clause.counts.find(({ start }) => start === at);
  if (!count) return undefined;
  const behind = endOf(reading, "fact.times", afterBlank(reading, count.end));
  const other = otherLimit(clause, count, behind ?? count.end);
  const last = other && endOf(reading, "fact.times", afterBlank(reading, other.end));
  if (other && (last ?? behind) !== undefined) return { count: both(count, other), end: last ?? other.end };
  const end = behind ?? (count.isTimes ? count.end : undefined);
  return end === undefined ? undefined : { count, end };
}

/** Returns the second limit of a number behind the first: "at least two plays but fewer than ten". */
function otherLimit({ reading, counts }: Clause, one: Count, from: number): Count | undefined {
  const comma = reading.text[from] === "," ? from + 1 : from;
  const at = afterBlank(reading, comma);
  const joint = endOf(reading, "fact.and", at) ?? endOf(reading, "fact.but", at);
  const start = joint === undefined ? undefined : afterBlank(reading, joint);
  return counts.find((other) => other.start === start && isOtherEnd(one, other));
}

/** Reads the second limit behind the word, and "or more". */
const limitRight: Reader = ({ clause, role, beside, at }) => {
  const { count } = beside;
  if ((role !== "thing" && role !== "unit") || !count || at !== afterBlank(clause.reading, beside.end))
    return undefined;
  const other = otherLimit(clause, count, beside.end);
  if (other) {
    beside.count = both(count, other);
    return endOf(clause.reading, "fact.times", afterBlank(clause.reading, other.end)) ?? other.end;
  }
  if (count.range.least === undefined || count.range.least !== count.range.most) return undefined;
  const [least, most] = ["least", "most"].map((each) =>
    endOf(clause.reading, `limit.${each} after`, beside.end),
  );
  if (least !== undefined) beside.count = { ...count, range: { least: count.value } };
  else if (most !== undefined) beside.count = { ...count, range: { most: count.value } };
  return least ?? most;
};

/** "gespielt wurde er nie" */
const negationRight: Reader = (side) => {
  const { clause, role, beside, at } = side;
  if (!isEvent(side) || role !== "done" || beside.isNegated) return undefined;
  const end = endOf(clause.reading, "fact.not", at);
  if (end === undefined || isOfNext(clause, end)) return undefined;
  beside.isNegated = true;
  return end;
};

/** Reads what may follow the word of a fact. */
export const RIGHT: readonly Reader[] = [
  ...[limitRight, missingRight, timesRight, timeOrWhomRight, othersRight, negationRight],
];
