import { DomainError } from "../../kernel/errors.ts";
import { MINUTE_MS, type Now, SECOND_MS } from "../../kernel/time.ts";

/** So many attempts in so long a time. */
const USUAL = { attempts: 10, windowMs: 15 * MINUTE_MS };

/**
 * Counts attempts to prove oneself, whatever the setting `RATE_LIMIT` says (decision 5.1). What it returns takes the
 * attempt back, for those who count only the wrong ones.
 */
export type LoginLimit = (email: string, ip: string) => () => void;

/**
 * Makes a limit of attempts for an account and address together: 10 in 15 minutes unless said otherwise.
 *
 * The returned function throws DomainError `rate_limit_exceeded` at the one too many.
 */
export function createLoginLimit(now: Now, { attempts: most, windowMs } = USUAL): LoginLimit {
  const attempts = new Map<string, number[]>();
  return (email, ip) => {
    const at = now();
    const key = `${email.trim().toLowerCase()}\n${ip}`;
    const recent = (attempts.get(key) ?? []).filter((time) => time > at - windowMs);
    if (recent.length >= most) throw tooMany((recent[0] ?? at) + windowMs - at);
    attempts.set(key, [...recent, at]);
    if (attempts.size > 10_000) forgetOld(attempts, at - windowMs);
    return () => takeBack(attempts, key, at);
  };
}

function takeBack(attempts: Map<string, number[]>, key: string, at: number): void {
  const times = attempts.get(key) ?? [];
  const index = times.indexOf(at);
  if (index >= 0) attempts.set(key, times.toSpliced(index, 1));
}

function forgetOld(attempts: Map<string, number[]>, before: number): void {
  for (const [key, times] of attempts) if ((times.at(-1) ?? 0) <= before) attempts.delete(key);
}

function tooMany(waitMs: number): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new DomainError("rate_limit_exceeded", `Too many attempts, try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}
