import type { Fact } from "../kernel/facts.ts";
import { type Anchor, type Beside, type Clause, firstOf, MOST_SKIPPED } from "./fact-clause.ts";
import { afterBlank, beforeBlank } from "./fact-counts.ts";
import { LEFT } from "./fact-left.ts";
import { RIGHT, storedRight } from "./fact-right.ts";
import type { FactRole } from "./fact-words.ts";
import { meaningOf } from "./lexicon.ts";
import { endOf, startOf } from "./reading.ts";

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
      timeOfNot: undefined,
    },
    // "Ouvi" says who.
    ...{ isMine: endOf(clause.reading, "fact.i", anchor.start) === anchor.end },
    ...{ person: undefined, except: undefined, isTheirs: false, others: [] },
    ...{ superlative: undefined, isLed: false },
  };
  while (takeRight(clause, anchor.role, row, beside) || takeLeft(clause, anchor.role, row, beside));
  return { ...beside, start: withMusic(clause, beside.start) };
}

/** Takes in a word of grammar that means music too: "but still unopened", "ont été livrés". */
function withMusic({ reading, floor }: Clause, start: number): number {
  const end = beforeBlank(reading, start);
  const before = startOf(reading, "fact.between", end);
  if (before === undefined || before < floor) return start;
  return meaningOf(reading.text.slice(before, end)) ? before : start;
}

/** Reads what follows, past words without a meaning of their own. Returns false when nothing was read. */
function takeRight(clause: Clause, role: FactRole, row: Fact, beside: Beside): boolean {
  const { reading } = clause;
  let at = beside.end;
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    at = afterBlank(reading, at);
    const stored = storedRight({ clause, role, row, beside, at });
    if (stored !== undefined) {
      beside.end = stored;
      return true;
    }
    if (clause.anchors.some(({ start }) => start === at)) return false;
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

function takeLeft(clause: Clause, role: FactRole, row: Fact, beside: Beside): boolean {
  const { reading } = clause;
  let at = beside.start;
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    at = beforeBlank(reading, at);
    if (at <= clause.floor) return false;
    const start = firstOf(LEFT, { clause, role, row, beside, at });
    if (start !== undefined) {
      beside.start = Math.max(start, clause.floor);
      return true;
    }
    const next = startOf(reading, "fact.between", at);
    if (next === undefined) return false;
    at = next;
  }
  return false;
}
