import type { Move } from "../../../../brief/moves.ts";
import { measureOf } from "../../../../kernel/measures.ts";
import { clockText } from "../../../../kernel/time.ts";
import { round } from "../signals/ranges.ts";

const AMOUNTS = { slight: "a bit ", plain: "", much: "a lot " } as const;
const PERCENT = 100;

/** Says a move in words: "slower", "a bit darker", "20 BPM faster", "in another key". */
export function moveText({ dimension, way, amount, by }: Move): string {
  if (dimension === "key") return way === "same" ? "in the same key" : "in another key";
  if (way === "same" || way === "other") return `of the same ${dimension}`;
  const word = measureOf(dimension).comparatives[way === "less" ? 0 : 1];
  if (!by) return `${AMOUNTS[amount]}${word}`;
  if (by.unit === "bpm") return `${round(by.value)} BPM ${word}`;
  return by.unit === "seconds"
    ? `${clockText(by.value)} ${word}`
    : `${Math.round(Math.abs(by.value - 1) * PERCENT)}% ${word}`;
}
