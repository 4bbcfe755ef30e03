import { MINUTE_MS } from "../../../kernel/time.ts";

/** Failures in a row after which nobody is asked for a while. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = MINUTE_MS;

/** Keeps a service that fails from slowing everybody down. */
export type CircuitBreaker = {
  /** True: the service may be asked now. After a pause one caller may, and the others wait for how it goes. */
  admit(): boolean;
  succeeded(): void;
  failed(): void;
  /** The caller gave up; that says nothing of the service. */
  withdrew(): void;
};

/** Returns a closed breaker: three failures in a row open it for a minute, then one trial decides. */
export function createBreaker(now: () => number): CircuitBreaker {
  let failures = 0;
  let openUntil = 0;
  let isTrying = false;
  return {
    admit() {
      if (failures < FAILURES_TO_OPEN) return true;
      if (isTrying || now() < openUntil) return false;
      isTrying = true;
      return true;
    },
    succeeded() {
      failures = 0;
      isTrying = false;
    },
    failed() {
      failures++;
      isTrying = false;
      openUntil = now() + OPEN_MS;
    },
    withdrew() {
      isTrying = false;
    },
  };
}
