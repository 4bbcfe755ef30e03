import { DomainError } from "../../kernel/errors.ts";
import { inWords, MINUTE_MS, type Now, SECOND_MS } from "../../kernel/time.ts";

const WINDOW_MS = MINUTE_MS;

/** The requests left after one is counted. */
export type RateLimitState = { allowed: boolean; remaining: number; resetSec: number };

/** Counts a request of `key`. Refused requests are not counted so a client can recover. */
export type RateLimiter = { readonly limit: number; take: (key: string) => RateLimitState };

/** The times of a key's requests in the window, oldest at `head`. */
type Window = { times: number[]; head: number };

/**
 * Makes a limiter of `limit` requests in any 60 seconds (a sliding log, exact). A limit of 0 allows everything.
 * Once per window it forgets keys without recent requests.
 */
export function createRateLimiter(limit: number, now: Now): RateLimiter {
  const windows = new Map<string, Window>();
  let sweptAt = now();

  const take = (key: string): RateLimitState => {
    if (limit === 0) return { allowed: true, remaining: 0, resetSec: 0 };
    const at = now();
    if (at - sweptAt > WINDOW_MS) {
      sweep(windows, at);
      sweptAt = at;
    }
    const window = windows.get(key) ?? { times: [], head: 0 };
    windows.set(key, window);
    dropOld(window, at);
    const used = window.times.length - window.head;
    const oldest = window.times[window.head] ?? at;
    const resetSec = Math.max(1, Math.ceil((oldest + WINDOW_MS - at) / SECOND_MS));
    if (used >= limit) return { allowed: false, remaining: 0, resetSec };
    window.times.push(at);
    return { allowed: true, remaining: limit - used - 1, resetSec };
  };
  return { limit, take };
}

function dropOld(window: Window, at: number): void {
  while (window.head < window.times.length && (window.times[window.head] ?? at) <= at - WINDOW_MS)
    window.head++;
  if (window.head > 64 && window.head * 2 > window.times.length) {
    window.times.splice(0, window.head);
    window.head = 0;
  }
}

function sweep(windows: Map<string, Window>, at: number): void {
  for (const [key, window] of windows) if ((window.times.at(-1) ?? 0) <= at - WINDOW_MS) windows.delete(key);
}

/** Puts `RateLimit-Policy` and `RateLimit` on an answer (draft-ietf-httpapi-ratelimit-headers-11; decision 8.5). */
export function setRateLimitHeaders(headers: Headers, limiter: RateLimiter, state: RateLimitState): void {
  if (limiter.limit === 0) return;
  headers.set("ratelimit-policy", `"default";q=${limiter.limit};w=${WINDOW_MS / SECOND_MS}`);
  headers.set("ratelimit", `"default";r=${state.remaining};t=${state.resetSec}`);
}

/** Makes the refusal for a request over the limit. */
export function rateLimited(retryAfterSec: number): DomainError {
  return new DomainError("rate_limit_exceeded", `Too many requests, try again in ${inWords(retryAfterSec)}`, {
    headers: { "retry-after": String(retryAfterSec) },
  });
}
