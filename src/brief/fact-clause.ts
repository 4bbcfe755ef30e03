import type { Fact } from "../kernel/facts.ts";
import type { Created } from "./created.ts";
import type { Count } from "./fact-counts.ts";
import type { NextPerson, Whom } from "./fact-people.ts";
import type { FactWindow } from "./fact-times.ts";
import type { FactPerson, FindPerson } from "./fact-wish.ts";
import type { FactRole, FactWords } from "./fact-words.ts";
import type { Reading } from "./match.ts";
import type { Span } from "./text.ts";

export type Clause = {
  reading: Reading;
  query: string;
  findPerson: FindPerson | undefined;
  counts: readonly Count[];
  windows: readonly FactWindow[];
  /** Every word of a fact, in order. */
  anchors: readonly Anchor[];
  /** Where what belongs to the words before ends. */
  floor: number;
};
/** A word that speaks of a fact, and where it is. */
export type Anchor = Span & FactWords;

export const SUPERLATIVES = ["most", "least", "latest", "earliest"] as const;

/** What stands beside the word of a fact. */
export type Beside = Span & {
  isNegated: boolean;
  isAnybody: boolean;
  /** "With", "without", "missing". */
  has: boolean | undefined;
  isMissing: boolean;
  count: Count | undefined;
  time: Created | undefined;
  /** The time of what did not happen, where that is another: "not sent for a year". */
  timeOfNot: Created | undefined;
  person: FactPerson | undefined;
  /** Everybody else is meant: "nobody but Ana". */
  except: FactPerson | undefined;
  /** It is whoever asks who did it: "I heard". */
  isMine: boolean;
  /** Somebody named before did it: "sent to Ana, but she passed on it". */
  isTheirs: boolean;
  /** Other people of the same event. */
  others: readonly NextPerson[];
  superlative: Superlative | undefined;
  /** Words such as "that were", "already". */
  isLed: boolean;
};

export type Superlative = (typeof SUPERLATIVES)[number] | "sorted";

/** A word of a fact with what stands beside it. */
export type Told = { anchor: Anchor; row: Fact; beside: Beside };

/** How many words without a meaning of their own may stand between two that are read together. */
export const MOST_SKIPPED = 4;

/** A place beside what was gathered of a fact, and what stands there may add to it. */
export type Side = { clause: Clause; role: FactRole; row: Fact; beside: Beside; at: number };
/** Returns where what was read ends, or begins on the left. */
export type Reader = (side: Side) => number | undefined;

export const isEvent = ({ row }: Side): boolean => row.kind === "event";

export function firstOf(readers: readonly Reader[], side: Side): number | undefined {
  for (const read of readers) {
    const place = read(side);
    if (place !== undefined) return place;
  }
  return undefined;
}

export function setTime(beside: Beside, { created, ofNot }: FactWindow): void {
  Object.assign(beside, { time: created, timeOfNot: ofNot });
}

export function addWhom(beside: Beside, found: Whom): void {
  const isNegated = beside.isNegated !== (found.isNegated === true);
  Object.assign(beside, found, { isNegated });
}
