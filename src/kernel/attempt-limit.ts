import { DomainError } from "./errors.ts";
import { inWords, MINUTE_MS, type Now, SECOND_MS } from "./time.ts";

/** The default limit: 10 attempts in 15 minutes. */
const USUAL = { attempts: 10, windowMs: 15 * MINUTE_MS };

/** The attempts of one client at one subject. */
export type Attempts = {
  /** @throws DomainError `rate_limit_exceeded` when no attempt is left. */
  check: () => void;
  /** Counts an attempt. Returns a function that takes it back. */
  count: () => () => void;
  /** Forgets the attempts so far. */
  clear: () => void;
};

/** Limits attempts at a subject (an account, a link) per client address, whatever `RATE_LIMIT` says (decision 5.1). */
export type AttemptLimit = (subject: string, client: string) => Attempts;

/** Makes a limit of attempts: 10 in 15 minutes by default. It counts only calls of `count`. */
export function createAttemptLimit(now: Now, { attempts: most, windowMs } = USUAL): AttemptLimit {
  const counted = new Map<string, number[]>();
  const recent = (key: string) => (counted.get(key) ?? []).filter((time) => time > now() - windowMs);

  return (subject, client) => {
    const key = `${subject}\n${client}`;
    return {
      check() {
        const times = recent(key);
        if (times.length >= most) throw tooMany((times[0] ?? now()) + windowMs - now());
      },
      count() {
        const at = now();
        counted.set(key, [...recent(key), at]);
        if (counted.size > 10_000) forgetOld(counted, at - windowMs);
        return () => takeBack(counted, key, at);
      },
      clear: () => void counted.delete(key),
    };
  };
}

function takeBack(counted: Map<string, number[]>, key: string, at: number): void {
  const times = counted.get(key) ?? [];
  const index = times.indexOf(at);
  if (index >= 0) counted.set(key, times.toSpliced(index, 1));
}

function forgetOld(counted: Map<string, number[]>, before: number): void {
  for (const [key, times] of counted) if ((times.at(-1) ?? 0) <= before) counted.delete(key);
}

function tooMany(waitMs: number): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new DomainError("rate_limit_exceeded", `Too many attempts, try again in ${inWords(seconds)}`, {
    headers: { "retry-after": String(seconds) },
  });
}
