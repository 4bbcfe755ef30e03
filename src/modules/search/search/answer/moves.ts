import type { Move } from "../../../../brief/moves.ts";
import { measureOf } from "../../../../kernel/measures.ts";
import { clockText } from "../../../../kernel/time.ts";
import { round } from "../signals/ranges.ts";

const AMOUNTS = { slight: "a bit ", plain: "", much: "a lot " } as const;
const PERCENT = 100;

/** Says a move in words: "slower", "a bit darker", "20 BPM faster", "in another key", "no slower". */
export function moveText(move: Move): string {
  return move.isRuledOut ? ruledOutText(move) : askedText(move);
}

function ruledOutText({ amount, ...move }: Move): string {
  const text = askedText({ ...move, amount: "plain" });
  return amount === "much" ? `not much ${text}` : `no ${text}`;
}

function askedText({ dimension, way, amount, by }: Move): string {
  if (dimension === "key") return way === "same" ? "in the same key" : "in another key";
  if (way === "same" || way === "other") return `of the same ${dimension}`;
  const word = measureOf(dimension).comparatives[way === "less" ? 0 : 1];
  if (!by) return `${AMOUNTS[amount]}${word}`;
  if (by.unit === "bpm") return `${round(by.value)} BPM ${word}`;
  return by.unit === "seconds"
    ? `${clockText(by.value)} ${word}`
    : `${Math.round(Math.abs(by.value - 1) * PERCENT)}% ${word}`;
}

/** "slower", "slower and a bit darker" */
export function movesText(moves: readonly Move[]): string {
  const texts = moves.map(moveText);
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
}
