import { type AttemptLimit, createAttemptLimit } from "../../kernel/attempt-limit.ts";
import type { Now } from "../../kernel/time.ts";

/** The limits of proving who one is, shared by every door: ten attempts are ten. */
export type AccountLimits = {
  /** Wrong passwords, by e-mail address. */
  signIn: AttemptLimit;
  /** Guesses and new accounts. */
  register: AttemptLimit;
};

/** Makes {@link AccountLimits} with nothing counted. */
export function createAccountLimits(now: Now): AccountLimits {
  return { signIn: createAttemptLimit(now), register: createAttemptLimit(now) };
}
