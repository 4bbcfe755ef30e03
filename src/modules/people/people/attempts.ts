import { type AttemptLimit, createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import { HOUR_MS, type Now } from "../../../kernel/time.ts";

/** Limits on attempts to sign in, to register and to reset a password. The pages and the API share them, so ten attempts are ten in all. */
export type AccountLimits = {
  /** Wrong passwords, per e-mail address. */
  signIn: AttemptLimit;
  /** Wrong guesses and new accounts. */
  register: AttemptLimit;
  /** Reset links that do not work. */
  reset: AttemptLimit;
  /** Mails with a link for a new password, per address. */
  forgotten: AttemptLimit;
  /** The same, per client. */
  forgetful: AttemptLimit;
};

/** An address gets few mails that its owner may not have asked for. */
const FORGOTTEN = { attempts: 3, windowMs: HOUR_MS };
const FORGETFUL = { attempts: 20, windowMs: HOUR_MS };

/** Makes {@link AccountLimits} with all counts at zero. */
export function createAccountLimits(now: Now): AccountLimits {
  return {
    signIn: createAttemptLimit(now),
    register: createAttemptLimit(now),
    reset: createAttemptLimit(now),
    forgotten: createAttemptLimit(now, FORGOTTEN),
    forgetful: createAttemptLimit(now, FORGETFUL),
  };
}
