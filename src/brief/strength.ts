import type { Reading } from "./match.ts";
import { begins, endsAt } from "./reading.ts";
import type { Span } from "./text.ts";

/** The weight of a wish, 0 to 1, depending on the words around it. */
const PLAIN = 0.8;
const STRONG = 1;
const SLIGHT = 0.5;

/** Returns the strength of the wish at a span: hedges weaken it, "very" and "must have" strengthen it. */
export function strengthOf(reading: Reading, { start, end }: Span): number {
  const isWeak = endsAt(reading, "strength.weak before", start);
  if (isWeak || begins(reading, "strength.welcome after", end)) return SLIGHT;
  return endsAt(reading, "strength.strong before", start) ? STRONG : PLAIN;
}
