import { HOUR_MS, SECOND_MS } from "../kernel/time.ts";

const FIRST_DELAY_MS = 5 * SECOND_MS;
const LONGEST_DELAY_MS = HOUR_MS;
/** Spreads the retries of jobs that failed together. */
const JITTER = 0.2;

/**
 * Returns how long to wait after a failed try: 5 s, doubled with every try, at most one hour, varied by up to 20 %
 * either way.
 *
 * @param attempt Tries so far, from 1.
 * @param random A number from 0 up to but not including 1.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(delayMs * (1 + JITTER * (2 * random - 1)));
}

/** Thrown by a handler that knows better than {@link retryDelayMs} when to try again. */
export class RetryAfter extends Error {
  override readonly name = "RetryAfter";
  readonly delayMs: number;

  constructor(delayMs: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.delayMs = delayMs;
  }
}
