import { headsOf } from "./phrases.ts";
import { type OpenRange, readNumber } from "./quantity.ts";

/** Music of up to as many minutes is usual; beyond, "m" means metres, and a number without a unit seconds. */
export const MOST_MINUTES = 15;
const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

const units = headsOf("unit");

/** Returns the range of two numbers in either order. */
export function rangeOf(a: number, b: number): OpenRange {
  return { min: Math.min(a, b), max: Math.max(a, b) };
}

/** Reads "2:30" in seconds. */
export function clockOf(text = ""): number {
  const [minutes, seconds] = text.split(":");
  return Number(minutes) * 60 + Number(seconds);
}

/** Returns the seconds of an amount of a unit, in any language. */
export function secondsOf(amount: string, unit = ""): number {
  const head = units.get(unit)?.find((each) => each in SECONDS);
  return readNumber(amount) * (SECONDS[head ?? ""] ?? 1);
}

/** Returns true for a word of the lexicon that counts time. */
export const isUnit = (word: string): boolean => units.get(word)?.some((each) => each in SECONDS) ?? false;

/** Splits "4 minutes" into its amount and its unit. */
export function givenIn(text = ""): { amount: string; unit: string } {
  const [, amount = text, unit = ""] = /^(.*?\d|an?)[\s-]*([a-z"'.]*)$/.exec(text) ?? [];
  return { amount, unit };
}

/** Music of 3 is one of three minutes, music of 90 one of ninety seconds. */
export function unitFor(amount = ""): string {
  return readNumber(amount) <= MOST_MINUTES ? "minutes" : "seconds";
}
