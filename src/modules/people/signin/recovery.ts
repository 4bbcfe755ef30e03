import { transact } from "../../../../db/client.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { randomLetters } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { toIso } from "../../../kernel/time.ts";
import {
  type Client,
  findPersonByEmail,
  markProved,
  normaliseEmail,
  requireProof,
  signInAs,
} from "../people/service.ts";
import type { SignedIn } from "../people/shapes.ts";
import * as queries from "./queries.ts";
import { RECOVERY_CODES, type RecoveryCodes, type RecoverySignIn } from "./shapes.ts";

type RecoveryDeps = Pick<Deps, "db" | "now">;

const GROUPS = 4;
const GROUP = 4;

/** Returns a code of 80 bits: `K7QF-2M9X-TB4H-J2PW`. */
function newCode(): string {
  const letters = randomLetters(GROUPS * GROUP);
  return letters.match(/.{4}/g)?.join("-") ?? letters;
}

/** People write codes in small letters and without the dashes. */
const hashOf = (code: string) => sha256(code.replace(/[^0-9a-z]/gi, "").toUpperCase());

/** Returns how many recovery codes a person has left. */
export function getRecoveryCodes({ db }: Pick<Deps, "db">, { personId }: PersonActor): RecoveryCodes {
  const rows = queries.listRecoveryCodes(db, personId);
  const [first] = rows;
  return { left: rows.length, createdAt: first ? toIso(first.createdAt) : null };
}

/** Makes new recovery codes in the place of the earlier ones. They are never shown again. Audited. @throws DomainError `proof_needed`. */
export function renewRecoveryCodes(deps: RecoveryDeps, actor: PersonActor): string[] {
  requireProof(deps, actor);
  const { personId } = actor;
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  transact(deps.db, (tx) => {
    const createdAt = deps.now();
    queries.deleteRecoveryCodes(tx, personId);
    queries.insertRecoveryCodes(
      tx,
      codes.map((code) => ({ codeHash: hashOf(code), personId, createdAt })),
    );
    audit(tx, { actor: personId, action: "account.recovery_codes", subject: personId }, createdAt);
  });
  return codes;
}

/** Deletes the recovery codes of a person. Audited. @throws DomainError `proof_needed`. */
export function removeRecoveryCodes(deps: RecoveryDeps, actor: PersonActor): void {
  requireProof(deps, actor);
  const { personId } = actor;
  transact(deps.db, (tx) => {
    const removed = queries.deleteRecoveryCodes(tx, personId);
    const entry = { actor: personId, subject: personId, detail: { removed } };
    audit(tx, { action: "account.recovery_codes_remove", ...entry }, deps.now());
  });
}

/**
 * Signs a person in with a recovery code, which is used up. It is a proof too, so that they can set up another way to sign in.
 * Audited.
 *
 * @throws DomainError `invalid_credentials`, with the same message for an unknown address; `rate_limit_exceeded`.
 */
export function signInWithCode(
  deps: RecoveryDeps,
  { email, code }: RecoverySignIn,
  client: Client,
  attempts: Attempts,
): SignedIn {
  attempts.check();
  const signedIn = transact(deps.db, (tx) => {
    const person = findPersonByEmail(tx, normaliseEmail(email));
    if (!person || !queries.takeRecoveryCode(tx, person.id, hashOf(code))) return undefined;
    const at = deps.now();
    // Later than the sign-in: the person need not know the password that they replace.
    const session = signInAs(within(deps, tx), person.id, client, { method: "password", provedAt: at + 1 });
    // Shut out: the code is not used up.
    if (!session) throw wrongCode();
    noteUse(tx, person.id, at);
    return session;
  });
  if (!signedIn) {
    attempts.count();
    throw wrongCode();
  }
  attempts.clear();
  return signedIn;
}

/** Proves who uses a session with a recovery code, which is used up. @throws DomainError `validation_failed`; `rate_limit_exceeded`. */
export function proveByCode(deps: RecoveryDeps, actor: PersonActor, code: string, attempts: Attempts): void {
  attempts.check();
  const isRight = transact(deps.db, (tx) => {
    if (!queries.takeRecoveryCode(tx, actor.personId, hashOf(code))) return false;
    markProved(tx, actor, deps.now());
    noteUse(tx, actor.personId, deps.now());
    return true;
  });
  if (isRight) {
    attempts.clear();
    return;
  }
  attempts.count();
  throw invalidField("recoveryCode", "wrong", "is not a recovery code of yours that works");
}

function noteUse(tx: Deps["db"], personId: PersonActor["personId"], at: number): void {
  const left = queries.listRecoveryCodes(tx, personId).length;
  audit(tx, { actor: personId, action: "account.recovery", subject: personId, detail: { left } }, at);
}

const wrongCode = () =>
  new DomainError("invalid_credentials", "The e-mail address or the recovery code is wrong");
