import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { normaliseEmail } from "./email.ts";
import { hashPassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import { replacePassword } from "./resets.ts";
import { beginSession, deleteSessionOf, listLiveSessions } from "./sessions.ts";
import type { SessionRow, SignedIn } from "./shapes.ts";

type OperatorDeps = Pick<Deps, "db" | "now">;

/**
 * Returns an account for the operator.
 *
 * @throws DomainError `not_found`.
 */
export function getAccountByEmail({ db }: Pick<Deps, "db">, email: string): queries.AccountRow {
  const account = queries.findAccountByEmail(db, normaliseEmail(email));
  if (account) return account;
  throw new DomainError("not_found", `There is no account with the e-mail address ${normaliseEmail(email)}`);
}

/** Returns every account, oldest first. */
export function listAccounts({ db }: Pick<Deps, "db">): queries.AccountRow[] {
  return queries.listAccounts(db);
}

/**
 * Returns the operator's account: the first one, or the one that was named since. Undefined when it is disabled or deleted: no
 * other account takes its place by itself.
 */
export function findOperator({ db }: Pick<Deps, "db">): queries.AccountRow | undefined {
  const operator = queries.findOperator(db);
  return operator?.active ? operator : undefined;
}

/** Makes an account the operator's, in the place of the one that was. Audited. */
export function nameOperator({ db, now }: OperatorDeps, email: string): { email: string; operator: true } {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    const former = queries.findOperator(tx);
    if (former) queries.updateAccount(tx, former.id, { operator: false });
    queries.updateAccount(tx, account.id, { operator: true });
    audit(tx, { actor: "operator", action: "account.operator", subject: account.id }, now());
    return { email: account.email, operator: true };
  });
}

/** Returns true when `id` is an account, active or not. */
export function isAccount({ db }: Pick<Deps, "db">, id: string): boolean {
  return queries.findAccount(db, id) !== undefined;
}

/** Returns true when `id` is an active account. */
export function isActiveAccount({ db }: Pick<Deps, "db">, id: string): boolean {
  return queries.findAccount(db, id)?.active ?? false;
}

/** Sets an account's search credits (null: unlimited) or adds to them; returns the new balance. Audited. */
export function changeCredits(
  { db, now }: Pick<Deps, "db" | "now">,
  email: string,
  change: { set: number | null } | { add: number },
): number | null {
  return transact(db, (tx) => {
    const { id } = getAccountByEmail({ db: tx }, email);
    audit(tx, { actor: "operator", action: "credits.change", subject: id, detail: change }, now());
    const account =
      "set" in change
        ? queries.updateAccount(tx, id, { credits: change.set })
        : queries.addToCredits(tx, id, change.add);
    return account?.credits ?? null;
  });
}

/** Sets an account's password and ends all its sessions. Returns how many ended. Audited. */
export async function setPassword(
  { db, now }: OperatorDeps,
  email: string,
  password: string,
): Promise<{ email: string; sessionsEnded: number }> {
  getAccountByEmail({ db }, email); // before the costly hash
  const passwordHash = await hashPassword(password);
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    const sessionsEnded = replacePassword(tx, account.id, passwordHash);
    const detail = { sessionsEnded };
    audit(tx, { actor: "operator", action: "account.password", subject: account.id, detail }, now());
    return { email: account.email, sessionsEnded };
  });
}

/**
 * Disables an account, so that every door refuses it, or enables it again. Its data, sessions, keys and links stay.
 * Audited when it changes anything.
 */
export function setActive(
  { db, now }: OperatorDeps,
  email: string,
  active: boolean,
): { email: string; active: boolean } {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    if (account.active !== active) {
      queries.updateAccount(tx, account.id, { active });
      const action = active ? "account.enable" : "account.disable";
      audit(tx, { actor: "operator", action, subject: account.id }, now());
    }
    return { email: account.email, active };
  });
}

/** Signs an account in for the operator, without its password. Audited. */
export function beginOperatorSession({ db, now }: OperatorDeps, email: string): SignedIn {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    audit(tx, { actor: "operator", action: "session.create", subject: account.id }, now());
    return beginSession({ db: tx, now }, account, { ip: "operator", userAgent: null });
  });
}

/** Returns an account's live sessions for the operator, newest first. */
export function listSessionsOf(deps: OperatorDeps, email: string): Omit<SessionRow, "current">[] {
  return listLiveSessions(deps, getAccountByEmail(deps, email).id);
}

/**
 * Ends one session of an account, or all of them. Returns how many ended. Audited.
 *
 * @throws DomainError `not_found`, `session_not_found`.
 */
export function endSessions({ db, now }: OperatorDeps, email: string, id: string | undefined): number {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    if (id !== undefined) deleteSessionOf(tx, account.id, id);
    const revoked = id === undefined ? queries.deleteSessions(tx, account.id) : 1;
    const detail = { session: id ?? "every", revoked };
    audit(tx, { actor: "operator", action: "session.revoke", subject: account.id, detail }, now());
    return revoked;
  });
}

/** Deletes an account's row, and with it every row that belongs to the account. Call it in a transaction. */
export function deleteAccountRow(tx: Db, id: string): void {
  queries.deleteAccount(tx, id);
}
