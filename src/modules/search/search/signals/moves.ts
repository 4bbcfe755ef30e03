import type { Move } from "../../../../brief/moves.ts";
import { differenceText, type MeasureName, measureOf, measureText } from "../../../../kernel/measures.ts";
import { isSameKey, keyName, type MusicalKey, parseKey } from "../../../../kernel/musical-key.ts";
import { keyOfCode } from "../index/codes.ts";
import { levelOf } from "../index/levels.ts";
import type { Columns } from "../index/shard.ts";
import type { Evidence, Facts } from "./evidence.ts";
import { type Ramp, rampScore } from "./ranges.ts";
import { addColumns, type ColumnScores, type Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What the moves compare with: the seeds' name for reasons, and their mean values. */
export type Origin = {
  name: string;
  values: Readonly<Record<MeasureName, number | null>>;
  keys: readonly MusicalKey[];
};
/** A move counts as much as two plain wishes, so that tracks that follow it come first. */
const WEIGHT = 2;
/** A track that does not follow it keeps this share of its score. */
const MISSED = 0.15;
/** A track that just follows it scores this; one that clearly follows it scores 1. */
const JUST = 0.6;
/** Beyond this many clear steps, "a bit" is no more a bit. */
const SLIGHT_REACH = 3;
/** "A lot" asks for this many clear steps. */
const MUCH = 2;

/** "The same tempo" reaches this share to either side. */
const SAME = 0.03;

/** Adds how far tracks follow the moves away from the seeds; tracks that go the other way come after all others. */
export function addMoves(columns: Columns, tally: Tally, moves: readonly Move[], origin: Origin): Evidence[] {
  const followed = moves.flatMap((move) => followedBy(columns, move, origin) ?? []);
  addColumns(
    tally,
    followed.map(({ scores }) => scores),
  );
  return followed.map(({ scores, explain }) => ({
    weight: scores.weight,
    scoreOf: ({ slot }) => scoreAt(scores, slot),
    explain: (facts) => (scoreAt(scores, facts.slot) > 0 ? explain(facts) : undefined),
  }));
}

function scoreAt({ scores }: ColumnScores, slot: number): number {
  return "ramps" in scores
    ? rampScore(scores.ramps, scores.values[slot] as number)
    : (scores.scores[scores.codes[slot] as number] as number);
}

type Followed = { scores: ColumnScores; explain: Evidence["explain"] };

/** Returns how tracks follow a move; undefined when the seeds' value is unknown. */
function followedBy(columns: Columns, move: Move, origin: Origin): Followed | undefined {
  if (move.dimension === "key") return withKey(columns, move, origin);
  const { dimension } = move;
  const from = origin.values[dimension];
  if (from === null || !Number.isFinite(from)) return undefined;
  const ramps = rampsOf(dimension, move, from);
  return {
    scores: {
      channel: measureOf(dimension).channel,
      weight: WEIGHT,
      scores: scoresOf(columns, dimension, ramps),
      missFactor: MISSED,
    },
    explain: (facts) => explainMove(facts, move, { dimension, from, name: origin.name }),
  };
}

function scoresOf(columns: Columns, name: MeasureName, ramps: readonly Ramp[]): ColumnScores["scores"] {
  const column = columns[measureOf(name).field];
  return column instanceof Uint8Array ? { codes: column, scores: byCode(ramps) } : { values: column, ramps };
}

function byCode(ramps: readonly Ramp[]): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => rampScore(ramps, levelOf(code)));
}

/** Returns the ramps of a move: a low step for every track on the right side, and a slope up to a clear difference. */
function rampsOf(dimension: MeasureName, { way, amount, by }: Move, from: number): Ramp[] {
  const { just, clear, isRatio } = measureOf(dimension).steps;
  if (way === "same") return [ramp(from * (1 - SAME), from * (1 + SAME), from * SAME, 1)];
  const sign = way === "more" ? 1 : -1;
  /** Returns the value that lies some steps away on the right side. */
  const away = (step: number) => (isRatio ? from * (1 + step) ** sign : from + sign * step);
  const limit = sign * Number.POSITIVE_INFINITY;
  const side = between(away(just), limit, away(just), JUST);
  if (by) {
    const aim = by.unit === "factor" ? from * by.value : from + sign * by.value;
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
    scores: { channel: "key", weight: WEIGHT, scores: { codes: key, scores }, missFactor: MISSED },
    explain: ({ row }) => {
      const found = row.key === null ? undefined : parseKey(row.key);
      if (!found) return undefined;
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
