import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";

/** The waits after the first, second, … failure (decision 6.5): ten tries in about three days and four hours. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = DAY_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Returns how long to wait after a failed try, at least as long as the receiver asked for; undefined after the last
 * try.
 *
 * @param tries Tries so far, from 1.
 * @param random A number from 0 up to but not including 1.
 */
export function waitMs(tries: number, random: number, retryAfterMs = 0): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  return Math.max(Math.round(wait * (1 + JITTER * (2 * random - 1))), retryAfterMs);
}

/**
 * Reads a Retry-After field in seconds or as a date. Returns milliseconds from `at`, at most one day; 0 for any
 * other value.
 */
export function readRetryAfter(field: string | null, at: number): number {
  const text = field?.trim() ?? "";
  const waitMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - at;
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), LONGEST_RETRY_AFTER_MS);
}

/**
 * Returns how long an answer holds back a receiver's other deliveries: as long as a 429 or 503 asks for, but at
 * most five minutes, because the problem may concern only one delivery. 0: not at all.
 */
export function pauseMs(status: number, retryAfterMs: number): number {
  return status === 429 || status === 503 ? Math.min(retryAfterMs, LONGEST_PAUSE_MS) : 0;
}
