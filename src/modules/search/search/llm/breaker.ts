import { MINUTE_MS } from "../../../../kernel/time.ts";

/** Failures in a row after which the service is not asked for a while. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = MINUTE_MS;

/** Keeps a failing service from slowing down every search. */
export type CircuitBreaker = {
  /** Returns true when the service may be asked now. After a pause only one caller may, until its outcome is known. */
  admit(): boolean;
  succeeded(): void;
  failed(): void;
  /** Tells that the caller gave up, which says nothing about the service. */
  withdrew(): void;
};

/** Returns a closed breaker. Three failures in a row open it for a minute; then one trial decides. */
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
