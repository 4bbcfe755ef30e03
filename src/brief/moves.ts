import { MEASURE_NAMES, type MeasureName, measureOf } from "../kernel/measures.ts";
import type { Reading } from "./match.ts";
import { readNumber } from "./quantity.ts";
import { endOf, type Match, readingOf, spansOf, startOf } from "./reading.ts";
import { apply, type Rule } from "./rule.ts";
import { plainOf, type Span } from "./text.ts";

/** What a wish can move along. */
export type Dimension = MeasureName | "key";
/** How far: "a bit", plainly, "a lot". */
export type MoveAmount = "slight" | "plain" | "much";

/** A way in which the wish differs from the tracks that it names: "slower". */
export type Move = {
  dimension: Dimension;
  /** `more` is the second of the measure's comparatives: faster, livelier. */
  way: "more" | "less" | "same" | "other";
  amount: MoveAmount;
  /** The difference in BPM or seconds, or the factor, where the brief gives a number. */
  by?: MoveBy;
  /** What is said is ruled out: "not slower", "no darker". */
  isRuledOut?: true;
};
export type MoveBy = { unit: "bpm" | "seconds" | "factor"; value: number };

/** A move, and where the brief says it. */
export type FoundMove = Move & { span: Span };

type Pole = Pick<Move, "dimension" | "way">;

/** What each type of phrase says. */
const POLES: Readonly<Record<string, Pole>> = {
  ...Object.fromEntries(MEASURE_NAMES.flatMap(polesOf)),
  "move.other key": { dimension: "key", way: "other" },
  "move.same key": { dimension: "key", way: "same" },
  "move.same tempo": { dimension: "tempo", way: "same" },
  "move.same length": { dimension: "length", way: "same" },
};

function polesOf(dimension: Dimension): [type: string, pole: Pole][] {
  if (dimension === "key") return [];
  const [less, more] = measureOf(dimension).comparatives;
  return [
    [`move.to ${more}`, { dimension, way: "more" }],
    [`move.to ${less}`, { dimension, way: "less" }],
  ];
}

const PERCENT = 100;
const SECONDS_IN_MINUTE = 60;

/** How briefs say by how much. */
export const MOVE_RULES: readonly Rule<MoveBy & { move: string }>[] = [
  {
    name: "a number before a comparative",
    patterns: [
      "<number.amount=n>~[-](<unit.tempo=bpm>|<move.percent=percent>)~<move.any=move>",
      "<number.amount=n>~[-](<unit.second=second>|<unit.minute=minute>)~<move.any=move>",
    ],
    example: ["20 bpm slower", { unit: "bpm", value: 20, move: "slower" }],
    read: readBy,
  },
  {
    name: "a number behind a comparative",
    patterns: [
      "<move.any=move>~<move.by>~[about ]<number.amount=n>~(<unit.tempo=bpm>|<move.percent=percent>)",
      "<move.any=move>~<move.by>~[about ]<number.amount=n>~(<unit.second=second>|<unit.minute=minute>)",
    ],
    example: ["shorter by 30 seconds", { unit: "seconds", value: 30, move: "shorter" }],
    read: readBy,
  },
  {
    name: "twice or half",
    patterns: ["<move.twice=twice>~<move.measure=move>", "<move.half=half>~<move.measure=move>"],
    example: ["twice as long", { unit: "factor", value: 2, move: "long" }],
    read: ({ named: { twice, move = "" } }) => ({ unit: "factor", value: twice ? 2 : 0.5, move }),
  },
];

/** Finds how the wish differs from the tracks that it names, in the order of the brief. */
export function findMoves(text: string): FoundMove[] {
  const reading = readingOf(plainOf(text));
  const counted = MOVE_RULES.flatMap((rule) => apply(reading, rule)).flatMap(({ value, span }) => {
    const move = countedMove(value);
    return move ? [{ ...move, span }] : [];
  });
  const plain = Object.entries(POLES).flatMap(([type, pole]) =>
    spansOf(reading, type).flatMap((span) => plainMove(reading, pole, span) ?? []),
  );
  const all = [...counted, ...plain].toSorted(
    (a, b) => a.span.start - b.span.start || b.span.end - a.span.end,
  );
  const apart = all.filter(
    ({ span }, index) =>
      !all.slice(0, index).some((other) => other.span.start < span.end && span.start < other.span.end),
  );
  return agreeing(
    alternatives(reading, apart).filter(
      // "Slower and slower": what is said twice is read once.
      (move, index, moves) => moves.findIndex((other) => isSameWish(other, move)) === index,
    ),
  );
}

const isSameWish = (one: Move, other: Move) =>
  one.dimension === other.dimension && one.isRuledOut === other.isRuledOut;

/** "Not darker or slower" rules out both. */
function alternatives(reading: Reading, moves: readonly FoundMove[]): FoundMove[] {
  const read: FoundMove[] = [];
  for (const move of moves) {
    const before = read.at(-1);
    const isSecond =
      before?.isRuledOut && startOf(reading, "move.or before", move.span.start) === before.span.end;
    read.push(isSecond && move.by === undefined ? { ...move, isRuledOut: true } : move);
  }
  return read;
}

/** "Faster, but not too fast" asks for a little of it. */
function agreeing(moves: readonly FoundMove[]): FoundMove[] {
  const isLimit = (one: FoundMove, other: FoundMove) =>
    one.isRuledOut && !other.isRuledOut && one.dimension === other.dimension && one.way === other.way;
  return moves.flatMap((move): FoundMove[] => {
    const limit = moves.find((other) => isLimit(other, move) && other.amount !== "much");
    if (limit && !move.by) return [{ ...move, amount: "slight" }];
    return move.amount !== "much" && moves.some((other) => isLimit(move, other)) ? [] : [move];
  });
}

/** Returns the move of a comparative without a number; undefined for "no slower than 140", which is a limit. */
function plainMove(reading: Reading, pole: Pole, span: Span): FoundMove | undefined {
  const amount = amountAt(reading, span);
  const start = startOf(reading, "move.refused before", amount.span.start);
  if (start === undefined) return { ...pole, ...amount };
  if (NUMBER_BEHIND.test(reading.text.slice(span.end))) return undefined;
  // "Not too dark" rules out what is darker, where "too dark" alone asks for what is less dark.
  const isTurned = endOf(reading, "move.too", span.start) !== undefined;
  const way = isTurned ? (pole.way === "more" ? "less" : "more") : pole.way;
  return { ...pole, way, amount: amount.amount, isRuledOut: true, span: { start, end: amount.span.end } };
}

const NUMBER_BEHIND = /^\s*\p{L}{0,6}\s*\d/u;

function amountAt(reading: Reading, { start, end }: Span): Pick<FoundMove, "amount" | "span"> {
  for (const [type, amount] of [
    ["move.slightly before", "slight"],
    ["move.much before", "much"],
  ] as const) {
    const from = startOf(reading, type, start);
    if (from !== undefined) return { amount, span: { start: from, end } };
  }
  const behind = endOf(reading, "move.slightly behind", end);
  return { amount: behind === undefined ? "plain" : "slight", span: { start, end: behind ?? end } };
}

function readBy({ named }: Match): (MoveBy & { move: string }) | undefined {
  const { n = "", bpm, percent, second, move = "" } = named;
  const value = readNumber(n);
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (bpm !== undefined) return { unit: "bpm", value, move };
  // The way follows from the comparative: a factor above 1 is turned round where it asks for less.
  if (percent !== undefined) return { unit: "factor", value: 1 + value / PERCENT, move };
  return { unit: "seconds", value: second === undefined ? value * SECONDS_IN_MINUTE : value, move };
}

function countedMove({ move, ...by }: MoveBy & { move: string }): Move | undefined {
  const reading = readingOf(move);
  const names = (type: string) => endOf(reading, type, 0) === move.length;
  const type = Object.keys(POLES).find(names);
  if (type === undefined) return scaledMove(names, move, by.value);
  const pole = POLES[type];
  if (!pole) return undefined;
  const isBack = by.unit === "factor" && pole.way === "less";
  return {
    ...pole,
    amount: "plain",
    by: isBack ? { ...by, value: Math.max(LEAST_FACTOR, 2 - by.value) } : by,
  };
}

/** "90% slower" than that is not music. */
const LEAST_FACTOR = 0.1;

/** "Half the tempo", "twice as long": the measure alone does not say which way. */
function scaledMove(names: (type: string) => boolean, move: string, times: number): Move | undefined {
  const isBack = names("move.slow") || names("move.short");
  const isTempo = names("move.slow") || names("move.fast") || names("move.tempo");
  if (!isTempo && !isBack && !names("move.long") && move !== "length") return undefined;
  const value = isBack ? 1 / times : times;
  const by: MoveBy = { unit: "factor", value };
  return { dimension: isTempo ? "tempo" : "length", way: value > 1 ? "more" : "less", amount: "plain", by };
}
