import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { begins, endOf, endsAt, startOf } from "./reading.ts";
import { compilePhrase, matchAt } from "./rule.ts";
import type { Span } from "./text.ts";

/** A range whose ends may be open; null means "any". */
export type OpenRange = { min: number | null; max: number | null };

/** "90 +/- 5" */
const TOLERANCE = compilePhrase("~[(\\[|\\()~]<comparison.give or take>~<digits=reach>");

/** Returns whether the words around a number make it an upper or a lower limit. */
function limitOf(reading: Reading, { start, end }: Span): "most" | "least" | undefined {
  // Refusals first: "not longer than" contains "longer than".
  if (endsAt(reading, "limit.refused over", start)) return "most";
  if (endsAt(reading, "limit.refused under", start)) return "least";
  if (endsAt(reading, "limit.most before", start) || begins(reading, "limit.most after", end)) return "most";
  if (endsAt(reading, "limit.least before", start) || begins(reading, "limit.least after", end))
    return "least";
  return undefined;
}

/**
 * Returns the range that a single number and the words around it mean: "under 90", "90 or more", "about 90", "90 +/-
 * 5", or exactly 90.
 *
 * @param slack How far "about" reaches to either side.
 */
export function qualify(value: number, reading: Reading, span: Span, slack: number): OpenRange {
  const tolerance = Number(matchAt(reading, TOLERANCE, span.end)?.named.reach ?? 0);
  if (tolerance > 0) return { min: value - tolerance, max: value + tolerance };
  if (endsAt(reading, "limit.just under", span.start)) return { min: value - slack, max: value };
  if (endsAt(reading, "limit.just over", span.start)) return { min: value, max: value + slack };
  const limit = limitOf(reading, span);
  if (limit) return limit === "most" ? { min: null, max: value } : { min: value, max: null };
  const isAbout =
    endsAt(reading, "limit.about before", span.start) || begins(reading, "limit.about after", span.end);
  const reach = isAbout ? slack : 0;
  return { min: value - reach, max: value + reach };
}

const BEFORE = [
  "refused over",
  "refused under",
  "just under",
  "just over",
  "most before",
  "least before",
  "about before",
];
const AFTER = ["most after", "least after", "about after"];

/** Returns the span of a number with the words that qualify it, which say nothing else: "no slower than 140". */
export function withLimits(reading: Reading, { start, end }: Span): Span {
  const starts = BEFORE.flatMap((type) => startOf(reading, `limit.${type}`, start) ?? []);
  const ends = AFTER.flatMap((type) => endOf(reading, `limit.${type}`, end) ?? []);
  return { start: Math.min(start, ...starts), end: Math.max(end, ...ends) };
}

const words = headsOf("number");

/** Returns the value of a word for a number or a fraction; undefined for another word. */
export function numberOf(word: string): number | undefined {
  const value = words.get(word)?.map(Number).find(Number.isFinite);
  return value;
}

/** Reads a phrase of the type `number.amount`. */
export function readNumber(text: string): number {
  const fraction = numberOf(text.slice(-1));
  if (fraction !== undefined && fraction < 1) return Number(text.slice(0, -1) || 0) + fraction;
  const written = /^(\d+) (\d\/\d)$/.exec(text);
  if (written) return Number(written[1]) + (numberOf(written[2] ?? "") ?? 0);
  const known = numberOf(text);
  if (known !== undefined) return known;
  const [first = "", ...more] = text.split(/[ -]/);
  const amount = numberOf(first) ?? Number(first.replace(",", "."));
  return amount + (numberOf(more.join(" ")) ?? 0);
}
