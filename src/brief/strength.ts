import type { Reading } from "./match.ts";
import { begins, endsAt } from "./reading.ts";
import type { Span } from "./text.ts";

/** How much a wish counts, 0 to 1, by the words around it. */
const PLAIN = 0.8;
const STRONG = 1;
const SLIGHT = 0.5;

/** Returns how much what stands at the span is wished for: hedges weaken it, "very" and "must have" strengthen. */
export function strengthOf(reading: Reading, { start, end }: Span): number {
  const isWeak = endsAt(reading, "strength.weak before", start);
  if (isWeak || begins(reading, "strength.welcome after", end)) return SLIGHT;
  return endsAt(reading, "strength.strong before", start) ? STRONG : PLAIN;
}
