import type { Db } from "../../../../db/client.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { provePassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import { requireProof } from "./sessions.ts";

/** True when a person may use a password on this server: the operator always may. */
export function maySignInByPassword(
  { passwords }: Pick<Settings, "passwords">,
  { operator }: Pick<queries.PersonRow, "operator">,
): boolean {
  return passwords || operator;
}

/** @throws DomainError `password_sign_in_off` where a person's password counts for nothing. */
export function requirePasswords(
  settings: Pick<Settings, "passwords">,
  person: Pick<queries.PersonRow, "operator">,
): void {
  if (!maySignInByPassword(settings, person))
    throw new DomainError("password_sign_in_off", "Nobody but the operator signs in with a password here");
}

/** Call it in the transaction of the change that was proved: the password may have been changed during the check. */
export type Proved = (tx: Db) => void;

/**
 * Passes when the person proves who they are: with their password, or without one by a proof of the last ten minutes. A sign-in
 * by password is not enough of a proof: who has one gives it again.
 *
 * @throws DomainError `validation_failed` when the password is wrong; `proof_needed`; `password_sign_in_off`;
 *   `rate_limit_exceeded` after too many wrong passwords.
 */
export async function proveOwner(
  deps: Pick<Deps, "db" | "now" | "settings">,
  actor: PersonActor,
  currentPassword: string | undefined,
  attempts: Attempts,
): Promise<Proved> {
  const hashOf = (db: Db) => queries.findPerson(db, actor.personId)?.passwordHash ?? undefined;
  const before = hashOf(deps.db);
  const person = queries.findPerson(deps.db, actor.personId);
  if (currentPassword === undefined) {
    requireProof(deps, actor);
    const hasPassword = before !== undefined && person && maySignInByPassword(deps.settings, person);
    if (hasPassword && isOnlySignIn(deps, actor)) throw wrongPassword();
    return () => undefined;
  }
  if (person) requirePasswords(deps.settings, person);
  if (!(await provePassword(currentPassword, before, attempts))) throw wrongPassword();
  return (tx) => {
    if (hashOf(tx) !== before) throw wrongPassword();
  };
}

function isOnlySignIn({ db }: Pick<Deps, "db">, { personId, sessionId }: PersonActor): boolean {
  const session = queries.findSession(db, personId, sessionId);
  return session?.method === "password" && session.provedAt <= session.createdAt;
}

const wrongPassword = () => invalidField("currentPassword", "wrong", "is not the password of this account");
