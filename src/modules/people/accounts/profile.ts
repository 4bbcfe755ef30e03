import { transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { isBlank, requireText } from "../../../kernel/text.ts";
import { toIso } from "../../../kernel/time.ts";
import { normaliseEmail } from "./email.ts";
import { findOperator } from "./operator.ts";
import { hashPassword, provePassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import type { Account, ChangeAccount, ChangePassword, Thanks } from "./shapes.ts";

type ProfileDeps = Pick<Deps, "db" | "now">;

const OURS: Thanks = { new: null, shortlisted: null, passed: null, kept: null };

/** Returns the signed-in account. */
export function getAccount({ db }: Pick<Deps, "db">, { accountId }: SessionActor): Account {
  const account = queries.findAccount(db, accountId);
  if (!account) throw new DomainError("invalid_session_token", "This session token is not valid");
  const { id, name, email, createdAt } = account;
  const isOperator = findOperator({ db })?.id === id;
  return { id, name, email, createdAt: toIso(createdAt), isOperator, thanks: { ...OURS, ...account.thanks } };
}

/**
 * Changes the sentences for senders, the name, or the e-mail address, which is what its owner signs in with: a person who finds a browser open must not
 * take the account away, so a new address needs the password. Audited.
 *
 * @throws DomainError `duplicate_email`; `validation_failed` when the name is blank, or the password is wrong;
 *   `rate_limit_exceeded` after too many wrong ones.
 */
export async function changeAccount(
  { db, now }: ProfileDeps,
  actor: SessionActor,
  change: ChangeAccount,
  attempts: Attempts,
): Promise<Account> {
  const id = actor.accountId;
  const { email, currentPassword = "" } = change;
  const isMoved = email !== undefined && normaliseEmail(email) !== getAccount({ db }, actor).email;
  const before = queries.findAccount(db, id)?.passwordHash;
  if (isMoved && !(await provePassword(currentPassword, before, attempts))) throw wrongPassword();
  return transact(db, (tx) => {
    // It may have been changed elsewhere during the check.
    if (isMoved && queries.findAccount(tx, id)?.passwordHash !== before) throw wrongPassword();
    const columns = columnsOf(change, getAccount({ db: tx }, actor).thanks);
    const other = columns.email === undefined ? undefined : queries.findAccountByEmail(tx, columns.email);
    if (other && other.id !== id)
      throw new DomainError("duplicate_email", "An account with this e-mail address already exists");
    if (Object.keys(columns).length > 0) {
      queries.updateAccount(tx, id, columns);
      const detail = { changed: Object.keys(columns) };
      audit(tx, { actor: id, action: "account.change", subject: id, detail }, now());
    }
    return getAccount({ db: tx }, actor);
  });
}

/** Returns the columns that a change writes; `before` are the sentences until now. */
function columnsOf({ name, email, thanks }: ChangeAccount, before: Thanks) {
  return {
    ...(name !== undefined && { name: requireText("name", name) }),
    ...(email !== undefined && { email: normaliseEmail(email) }),
    ...(thanks !== undefined && { thanks: ownOf({ ...before, ...thanks }) }),
  };
}

/** Returns the sentences that are not ours; null when all are. */
function ownOf(thanks: Thanks): Partial<Record<keyof Thanks, string>> | null {
  const own = Object.entries(thanks).flatMap(([state, text]) =>
    text === null || isBlank(text) ? [] : [[state, text.trim()]],
  );
  return own.length === 0 ? null : Object.fromEntries(own);
}

/**
 * Sets a new password and ends every other session; returns how many ended. Audited.
 *
 * @throws DomainError `validation_failed` when the current password is wrong; `rate_limit_exceeded` after too many wrong
 *   ones.
 */
export async function changePassword(
  { db, now }: ProfileDeps,
  { accountId: id, sessionId }: SessionActor,
  { currentPassword, newPassword }: ChangePassword,
  attempts: Attempts,
): Promise<number> {
  const before = queries.findAccount(db, id)?.passwordHash;
  if (!(await provePassword(currentPassword, before, attempts))) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword);
  return transact(db, (tx) => {
    // It may have been changed elsewhere during the check.
    if (queries.findAccount(tx, id)?.passwordHash !== before) throw wrongPassword();
    queries.updateAccount(tx, id, { passwordHash });
    queries.deleteReset(tx, id);
    const sessionsEnded = queries.deleteOtherSessions(tx, id, sessionId);
    audit(tx, { actor: id, action: "account.password", subject: id, detail: { sessionsEnded } }, now());
    return sessionsEnded;
  });
}

const wrongPassword = () => invalidField("currentPassword", "wrong", "is not the password of this account");
