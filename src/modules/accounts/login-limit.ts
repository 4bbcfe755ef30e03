import { DomainError } from "../../kernel/errors.ts";
import { MINUTE_MS, type Now, SECOND_MS } from "../../kernel/time.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const ATTEMPTS = 10;

/**
 * Counts attempts to prove oneself, whatever the setting `RATE_LIMIT` says (decision 5.1). What it returns takes the
 * attempt back, for those who count only the wrong ones.
 */
export type LoginLimit = (email: string, ip: string) => () => void;

/**
 * Makes a limit of 10 attempts in 15 minutes for an account and address together.
 *
 * The returned function throws DomainError `rate_limit_exceeded` at the eleventh.
 */
export function createLoginLimit(now: Now): LoginLimit {
  const attempts = new Map<string, number[]>();
  return (email, ip) => {
    const at = now();
    const key = `${email.trim().toLowerCase()}\n${ip}`;
    const recent = (attempts.get(key) ?? []).filter((time) => time > at - WINDOW_MS);
    if (recent.length >= ATTEMPTS) throw tooMany((recent[0] ?? at) + WINDOW_MS - at);
    attempts.set(key, [...recent, at]);
    if (attempts.size > 10_000) forgetOld(attempts, at);
    return () => takeBack(attempts, key, at);
  };
}

function takeBack(attempts: Map<string, number[]>, key: string, at: number): void {
  const times = attempts.get(key) ?? [];
  const index = times.indexOf(at);
  if (index >= 0) attempts.set(key, times.toSpliced(index, 1));
}

function forgetOld(attempts: Map<string, number[]>, at: number): void {
  for (const [key, times] of attempts) if ((times.at(-1) ?? 0) <= at - WINDOW_MS) attempts.delete(key);
}

function tooMany(waitMs: number): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new DomainError("rate_limit_exceeded", `Too many attempts, try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}
