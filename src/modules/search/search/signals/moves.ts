import type { Move, MoveBy } from "../../../../brief/moves.ts";
import { witnessOf } from "../../../../kernel/made.ts";
import {
  differenceText,
  type MeasureName,
  measureOf,
  measureText,
  type WitnessField,
} from "../../../../kernel/measures.ts";
import { isSameKey, keyName, type MusicalKey, parseKey } from "../../../../kernel/musical-key.ts";
import { keyOfCode } from "../index/codes.ts";
import { levelOf } from "../index/levels.ts";
import type { Columns } from "../index/shard.ts";
import { addColumns, type ColumnScores } from "./columns.ts";
import type { Evidence, Facts } from "./evidence.ts";
import { type Ramp, rampScore } from "./ranges.ts";
import type { Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What the moves compare with: the seeds' name for reasons, and their mean values. */
export type Origin = {
  name: string;
  values: Readonly<Record<MeasureName, number | null>>;
  /** Mean values of what must agree with them. */
  witnesses: Readonly<Record<WitnessField, number | null>>;
  keys: readonly MusicalKey[];
};
/** A move counts as much as two plain wishes, so that how far a track follows it weighs about what likeness does. */
const WEIGHT = 2;
/** A track that just follows it scores this; one that clearly follows it scores 1. */
const JUST = 0.6;
/** Beyond this many clear steps, "a bit" is no more a bit. */
const SLIGHT_REACH = 3;
/** "A lot" asks for this many clear steps, and is met from one on. */
const MUCH = 2;
/** "20 BPM slower" is met by about as much. */
const [LEAST_PART, MOST_PART] = [0.85, 1.15];
/** "The same tempo" reaches this share to either side. */
const SAME = 0.03;

/** How a track, by its slot, follows a move: as it was asked, in its direction alone, or not at all. */
export type Follows = (slot: number) => "asked" | "aside" | "missed";

/** What the moves of a brief ask of tracks. */
export type Moved = {
  evidence: Evidence[];
  follows: Follows[];
  /** Those that compare with nothing: the value of the seeds is unknown. */
  unmeasured: Move[];
};

/** Adds how far tracks follow the moves away from the seeds. Whether they follow is a condition of its own. */
export function addMoves(columns: Columns, tally: Tally, moves: readonly Move[], origin: Origin): Moved {
  const read = moves.map((move) => ({ move, followed: followedBy(columns, move, origin) }));
  const followed = read.flatMap((each) => each.followed ?? []);
  addColumns(
    tally,
    followed.flatMap(({ scores }) => scores ?? []),
  );
  return {
    evidence: followed.map(({ scores, explain }) => ({
      weight: scores?.weight ?? 0,
      scoreOf: ({ slot }) => (scores ? scoreAt(scores, slot) : 0),
      explain,
    })),
    follows: followed.map(({ follows }) => follows),
    unmeasured: read.flatMap((each) => (each.followed ? [] : [each.move])),
  };
}

function scoreAt({ scores }: ColumnScores, slot: number): number {
  return "ramps" in scores
    ? rampScore(scores.ramps, scores.values[slot] as number)
    : (scores.scores[scores.codes[slot] as number] as number);
}

/** What is ruled out has no scores: one track keeps to "not slower" as well as another. */
type Followed = { scores?: ColumnScores; follows: Follows; explain: Evidence["explain"] };

/** Returns how tracks follow a move; undefined when the seeds' value is unknown. */
function followedBy(columns: Columns, move: Move, origin: Origin): Followed | undefined {
  if (move.dimension === "key") return withKey(columns, move, origin);
  const { dimension } = move;
  const from = origin.values[dimension];
  if (from === null || !Number.isFinite(from)) return undefined;
  const column = columns[measureOf(dimension).field];
  const isCoded = column instanceof Uint8Array;
  const at = (slot: number) => (isCoded ? levelOf(column[slot] as number) : (column[slot] as number));
  const bounds = boundsOf(dimension, move, from);
  const agrees = agreementWith(columns, move, dimension, origin);
  const follows: Follows = (slot) => {
    const value = at(slot);
    if (isBetween(value, bounds.asked)) return agrees(slot) ? "asked" : "aside";
    return isBetween(value, bounds.side) ? "aside" : "missed";
  };
  const explain: Evidence["explain"] = (facts) =>
    explainMove(facts, move, { dimension, from, name: origin.name });
  if (move.isRuledOut) return { follows, explain };
  const ramps = rampsOf(dimension, move, from);
  const scores = isCoded ? { codes: column, scores: byCode(ramps) } : { values: column, ramps };
  return { scores: { channel: measureOf(dimension).channel, weight: WEIGHT, scores }, follows, explain };
}

/** Returns whether what is measured beside a measure lies on the asked side as well, as far as it is known. */
function agreementWith(
  columns: Columns,
  { way, isRuledOut }: Move,
  dimension: MeasureName,
  { witnesses }: Origin,
): (slot: number) => boolean {
  const field = witnessOf(dimension);
  const from = field ? witnesses[field] : null;
  if (!field || from === null || isRuledOut || way === "same") return () => true;
  const values = columns[field];
  return way === "more"
    ? (slot) => !((values[slot] as number) <= from)
    : (slot) => !((values[slot] as number) >= from);
}

function byCode(ramps: readonly Ramp[]): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => rampScore(ramps, levelOf(code)));
}

type Bounds = readonly [one: number, other: number];

/** NaN lies between nothing. */
const isBetween = (value: number, [one, other]: Bounds) =>
  one <= other ? value >= one && value <= other : value >= other && value <= one;

/** Returns the values that follow a move as it was asked, and all in its direction that a listener tells from the seeds'. */
function boundsOf(dimension: MeasureName, move: Move, from: number): { asked: Bounds; side: Bounds } {
  const { way, amount, by, isRuledOut } = move;
  const { just, clear } = measureOf(dimension).steps;
  const away = awayFrom(dimension, move, from);
  if (way === "same") {
    const same: Bounds = [from * (1 - SAME), from * (1 + SAME)];
    return { asked: same, side: same };
  }
  const limit = (way === "more" ? 1 : -1) * Number.POSITIVE_INFINITY;
  if (isRuledOut) {
    // "Not much darker" allows for a little.
    const kept: Bounds = [away(amount === "much" ? clear : just), -limit];
    return { asked: kept, side: kept };
  }
  const side: Bounds = [away(just), limit];
  if (by) {
    const aim = aimOf(by, way, from) - from;
    return { asked: [from + aim * LEAST_PART, from + aim * MOST_PART], side };
  }
  if (amount === "much") return { asked: [away(clear), limit], side };
  return { asked: amount === "slight" ? [away(just), away(clear * SLIGHT_REACH)] : side, side };
}

/** Returns the value that lies some steps away on the right side. */
function awayFrom(dimension: MeasureName, { way }: Move, from: number): (step: number) => number {
  const sign = way === "more" ? 1 : -1;
  return (step) => (measureOf(dimension).steps.isRatio ? from * (1 + step) ** sign : from + sign * step);
}

const aimOf = ({ unit, value }: MoveBy, way: Move["way"], from: number) =>
  unit === "factor" ? from * value : from + (way === "more" ? value : -value);

/** Returns the ramps of a move: a low step for every track on the right side, and a slope up to a clear difference. */
function rampsOf(dimension: MeasureName, move: Move, from: number): Ramp[] {
  const { way, amount, by } = move;
  const { just, clear } = measureOf(dimension).steps;
  if (way === "same") return [ramp(from * (1 - SAME), from * (1 + SAME), from * SAME, 1)];
  const away = awayFrom(dimension, move, from);
  const limit = (way === "more" ? 1 : -1) * Number.POSITIVE_INFINITY;
  const side = between(away(just), limit, away(just), JUST);
  if (by) {
    const aim = aimOf(by, way, from);
    const reach = Math.abs(aim - from);
    return [side, ramp(aim - reach * 0.1, aim + reach * 0.1, reach * 0.9 + Number.EPSILON, 1)];
  }
  const full = clear * (amount === "much" ? MUCH : amount === "slight" ? 0.5 : 1);
  const end = amount === "slight" ? away(clear * SLIGHT_REACH) : limit;
  return [side, between(away(full), end, away(just), 1)];
}

/** A ramp that is full between two values in either order, and falls to 0 at `start` on the nearer side. */
function between(near: number, far: number, start: number, height: number): Ramp {
  return near <= far
    ? { from: start, low: near, high: far, to: far, height }
    : { from: far, low: far, high: near, to: start, height };
}

const ramp = (low: number, high: number, reach: number, height: number): Ramp => ({
  from: low - reach,
  low,
  high,
  to: high + reach,
  height,
});

function withKey({ key }: Columns, { way }: Move, { keys }: Origin): Followed | undefined {
  if (keys.length === 0) return undefined;
  const isOne = (other: MusicalKey) => keys.some((one) => isSameKey(one, other));
  const scores = Float32Array.from({ length: 256 }, (_, code) => {
    const other = keyOfCode(code);
    return other && isOne(other) === (way === "same") ? 1 : 0;
  });
  return {
    scores: { channel: "key", weight: WEIGHT, scores: { codes: key, scores } },
    follows: (slot) => (scores[key[slot] as number] === 1 ? "asked" : "missed"),
    explain: ({ row }) => {
      const found = row.key === null ? undefined : parseKey(row.key);
      if (!found || isOne(found) !== (way === "same")) return undefined;
      return `in ${row.key}, ${way === "same" ? "the same key" : `not in ${keys.map(keyName).join(" or ")}`}`;
    },
  };
}

/** Says how a track differs from the seeds: "12 BPM slower than Harbour". */
function explainMove(
  facts: Facts,
  { way }: Move,
  { dimension, from, name }: { dimension: MeasureName; from: number; name: string },
): string | undefined {
  const measure = measureOf(dimension);
  const value = facts[measure.field];
  if (value === null) return undefined;
  const word = measure.comparatives[value < from ? 0 : 1];
  const difference = differenceText(measure, Math.abs(value - from));
  if (difference === undefined)
    return `${measureText(measure, value)}, ${word} than ${name} with ${from.toFixed(2)}`;
  if (difference !== differenceText(measure, 0)) return `${difference} ${word} than ${name}`;
  return way === "same" ? `${measure.alike} ${name}` : undefined;
}
