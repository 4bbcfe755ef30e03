import { type AttemptLimit, createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { createTurns, type Turns } from "../../../kernel/turns.ts";
import { type Door, findDoor } from "../briefs/service.ts";
import { type FreeBytes, systemFreeBytes } from "./room.ts";
import { MAX_SUBMISSIONS_PER_HOUR } from "./shapes.ts";

/** What the submission pages of one server share. */
export type Submissions = {
  deps: Deps;
  freeBytes: FreeBytes;
  turns: Turns;
  submitLimit: AttemptLimit;
  registerLimit: AttemptLimit;
};

/** Twenty submissions per hour from one address. */
const SUBMIT_LIMIT = { attempts: MAX_SUBMISSIONS_PER_HOUR, windowMs: HOUR_MS };

/** Creates {@link Submissions}; tests pass `freeBytes` to say how full the disk is. */
export function createSubmissions(
  deps: Deps,
  registerLimit: AttemptLimit,
  freeBytes: FreeBytes = systemFreeBytes,
): Submissions {
  return {
    deps,
    freeBytes,
    turns: createTurns(),
    submitLimit: createAttemptLimit(deps.now, SUBMIT_LIMIT),
    registerLimit,
  };
}

/**
 * Returns the page that a submission link opens, whether or not it takes submissions.
 *
 * @throws DomainError `not_found`.
 */
export function getDoor({ deps }: Submissions, token: string): Door {
  const door = findDoor(deps, token);
  if (door && door.state !== "draft") return door;
  throw new DomainError("not_found", "This link does not work: please check that you copied all of it");
}

/** Like {@link getDoor}; also @throws DomainError `invalid_link` when the page takes no submissions now. */
export function getOpenDoor(submissions: Submissions, token: string): Door {
  const door = getDoor(submissions, token);
  if (door.state === "open") return door;
  throw new DomainError("invalid_link", "This page no longer takes submissions");
}
