import { type AttemptLimit, createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Now } from "../../../kernel/time.ts";

/** Limits on attempts to sign in, to register and to reset a password. The pages and the API share them, so ten attempts are ten in all. */
export type AccountLimits = {
  /** Wrong passwords, per e-mail address. */
  signIn: AttemptLimit;
  /** Wrong guesses and new accounts. */
  register: AttemptLimit;
  /** Reset links that do not work. */
  reset: AttemptLimit;
};

/** Makes {@link AccountLimits} with all counts at zero. */
export function createAccountLimits(now: Now): AccountLimits {
  return {
    signIn: createAttemptLimit(now),
    register: createAttemptLimit(now),
    reset: createAttemptLimit(now),
  };
}
