import { DomainError } from "./errors.ts";
import { createGate } from "./gate.ts";

/** Work that waits for what goes on, and what an account has in all. */
const MOST_WAITING = 4;
const MOST_OF_ACCOUNT = 2;

/** Lets one piece of long work go on at a time. */
export type Desk = {
  /** Takes a place of an account for as long as `work` takes. @throws DomainError `rate_limit_exceeded`. */
  admit<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs `work` in its turn. @throws DomainError `rate_limit_exceeded` when too many wait. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** Makes a desk without anybody at it. `words` say what waits, such as `references`, and what is done with it, such as `compared`. */
export function createDesk(words: { what: string; done: string }): Desk {
  const places = new Map<string, number>();
  const gate = createGate(1);
  let present = 0;
  const leave = (accountId: string) => {
    const left = (places.get(accountId) ?? 0) - 1;
    if (left > 0) places.set(accountId, left);
    else places.delete(accountId);
  };
  return {
    async admit(accountId, work) {
      const taken = places.get(accountId) ?? 0;
      if (taken === MOST_OF_ACCOUNT)
        throw tooMany(`${MOST_OF_ACCOUNT} ${words.what} of this library are being ${words.done} already`);
      places.set(accountId, taken + 1);
      try {
        return await work();
      } finally {
        leave(accountId);
      }
    },
    async inTurn(work) {
      if (present > MOST_WAITING) throw tooMany(`Too many ${words.what} wait already`);
      present++;
      try {
        return await gate(work);
      } finally {
        present--;
      }
    },
  };
}

const tooMany = (sentence: string) =>
  new DomainError("rate_limit_exceeded", `${sentence}: try again in a moment`, {
    headers: { "retry-after": "5" },
  });
