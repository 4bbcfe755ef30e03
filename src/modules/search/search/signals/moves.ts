import type { Dimension, Move } from "../../../../brief/moves.ts";
import { isSameKey, keyName, type MusicalKey, parseKey } from "../../../../kernel/musical-key.ts";
import { clockText } from "../../../../kernel/time.ts";
import { COMPARATIVES } from "../answer/moves.ts";
import { keyOfCode } from "../index/codes.ts";
import { type Level, levelOf } from "../index/levels.ts";
import type { Columns } from "../index/shard.ts";
import type { Evidence, Facts } from "./evidence.ts";
import { type Ramp, rampScore, round } from "./ranges.ts";
import { addColumns, type ColumnScores, type Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What the moves compare with: the seeds' name for reasons, and their mean values. */
export type Origin = {
  name: string;
  values: Readonly<Record<Scale, number | null>>;
  keys: readonly MusicalKey[];
};
/** A dimension that has more and less. */
export type Scale = Exclude<Dimension, "key">;

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

/** How a dimension is measured: the smallest step that is heard, and a clear one. Ratios for tempo and length. */
type Steps = { just: number; clear: number; isRatio: boolean };
const STEPS: Readonly<Record<Scale, Steps>> = {
  tempo: { just: 0.03, clear: 0.1, isRatio: true },
  length: { just: 0.04, clear: 0.2, isRatio: true },
  energy: { just: 0.02, clear: 0.12, isRatio: false },
  brightness: { just: 0.02, clear: 0.1, isRatio: false },
  mood: { just: 0.03, clear: 0.15, isRatio: false },
  loudness: { just: 0.5, clear: 3, isRatio: false },
};
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
      channel: CHANNELS[dimension],
      weight: WEIGHT,
      scores: scoresOf(columns, dimension, ramps),
      missFactor: MISSED,
    },
    explain: (facts) => explainMove(facts, move, { dimension, from, name: origin.name }),
  };
}

const CHANNELS = {
  tempo: "tempo",
  length: "duration",
  energy: "energy",
  brightness: "brightness",
  mood: "mood",
  loudness: "loudness",
} as const;

function scoresOf(columns: Columns, dimension: Scale, ramps: readonly Ramp[]): ColumnScores["scores"] {
  if (dimension === "tempo") return { values: columns.bpm, ramps };
  if (dimension === "length") return { values: columns.durationSec, ramps };
  if (dimension === "energy" || dimension === "loudness") return { values: columns[dimension], ramps };
  return { codes: columns[dimension], scores: byCode(dimension, ramps) };
}

function byCode(level: Level, ramps: readonly Ramp[]): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => rampScore(ramps, levelOf(level, code)));
}

/** Returns the ramps of a move: a low step for every track on the right side, and a slope up to a clear difference. */
function rampsOf(dimension: Scale, { way, amount, by }: Move, from: number): Ramp[] {
  const { just, clear, isRatio } = STEPS[dimension];
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

const WORDS = {
  tempo: { alike: "as fast as", amount: (bpm: number) => `${round(bpm)} BPM` },
  length: { alike: "as long as", amount: clockText },
  loudness: { alike: "as loud as", amount: (db: number) => `${round(db)} dB` },
} as const;

/** Says how a track differs from the seeds: "12 BPM slower than Harbour". */
function explainMove(
  facts: Facts,
  { way }: Move,
  { dimension, from, name }: { dimension: Scale; from: number; name: string },
): string | undefined {
  const value = measuredValue(facts, dimension);
  if (value === null) return undefined;
  const word = COMPARATIVES[dimension][value < from ? 0 : 1];
  const difference = Math.abs(value - from);
  if (dimension === "tempo" || dimension === "length" || dimension === "loudness") {
    const { alike, amount } = WORDS[dimension];
    const words = amount(difference);
    if (words !== amount(0)) return `${words} ${word} than ${name}`;
    return way === "same" ? `${alike} ${name}` : undefined;
  }
  return `measured ${dimension} ${value.toFixed(2)}, ${word} than ${name} with ${from.toFixed(2)}`;
}

/** Returns the stored value of a dimension; null when it is unknown. */
function measuredValue({ row, ...facts }: Facts, dimension: Scale): number | null {
  if (dimension === "tempo") return row.bpm;
  if (dimension === "length") return row.durationSec;
  return facts[dimension];
}
