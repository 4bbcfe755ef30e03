import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import * as people from "../people/service.ts";
import type { SessionRow, SignedIn } from "../people/shapes.ts";
import { isInAny, listPeopleOf } from "../team/service.ts";
import * as queries from "./queries.ts";

type OperatorDeps = Pick<Deps, "db" | "now">;

/**
 * Returns the account that the person with an address owns, for the operator.
 *
 * @throws DomainError `not_found`.
 */
export function getAccountByEmail({ db }: Pick<Deps, "db">, email: string): queries.AccountRow {
  const account = queries.findAccountByEmail(db, people.normaliseEmail(email));
  if (account) return account;
  throw new DomainError(
    "not_found",
    `There is no account with the e-mail address ${people.normaliseEmail(email)}`,
  );
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

/** Makes the owner of an account the operator, in place of the one who was. Audited. */
export function nameOperator({ db, now }: OperatorDeps, email: string): { email: string; operator: true } {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    people.clearOperator(tx);
    people.updatePerson(tx, account.ownerId, { operator: true });
    audit(tx, { actor: "operator", action: "account.operator", subject: account.id }, now());
    return { email: account.email, operator: true };
  });
}

/** Returns true when `id` is an account, active or not. */
export function isAccount({ db }: Pick<Deps, "db">, id: string): boolean {
  return queries.isThere(db, id);
}

/** Returns true when `id` is an active account. */
export function isActiveAccount({ db }: Pick<Deps, "db">, id: string): boolean {
  return queries.isActive(db, id);
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
    if ("set" in change) queries.updateAccount(tx, id, { credits: change.set });
    else queries.addToCredits(tx, id, change.add);
    return queries.selectCredits(tx, id);
  });
}

/** Sets the password of an account's owner and ends all their sessions. Returns how many ended. Audited. */
export async function setPassword(
  { db, now }: OperatorDeps,
  email: string,
  password: string,
): Promise<{ email: string; sessionsEnded: number }> {
  getAccountByEmail({ db }, email); // before the costly hash
  const passwordHash = await people.hashPassword(password);
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    const sessionsEnded = people.replacePassword(tx, account.ownerId, passwordHash);
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

/** Signs the owner of an account in for the operator, without a password. Audited. */
export function beginOperatorSession({ db, now }: OperatorDeps, email: string): SignedIn {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    audit(tx, { actor: "operator", action: "session.create", subject: account.id }, now());
    return beginSession({ db: tx, now }, account, { ip: "operator", userAgent: null }, "operator");
  });
}

/** Signs the owner of an account in. The session is of this account. */
export function beginSession(
  deps: OperatorDeps,
  { id: accountId, ownerId, email }: Pick<queries.AccountRow, "id" | "ownerId" | "email">,
  client: people.Client,
  method: "password" | "operator" = "password",
): SignedIn {
  const name = people.findPerson(deps.db, ownerId)?.name ?? "";
  return people.beginSession(deps, { id: ownerId, email, name }, client, { method, accountId });
}

/** Returns the live sessions of an account's owner for the operator, newest first. */
export function listSessionsOf(deps: OperatorDeps, email: string): Omit<SessionRow, "current">[] {
  return people.listLiveSessions(deps, getAccountByEmail(deps, email).ownerId);
}

/**
 * Ends one session of an account's owner, or all of them. Returns how many ended. Audited.
 *
 * @throws DomainError `not_found`, `session_not_found`.
 */
export function endSessions({ db, now }: OperatorDeps, email: string, id: string | undefined): number {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, email);
    if (id !== undefined) people.deleteSessionOf(tx, account.ownerId, id);
    const revoked = id === undefined ? people.deleteSessions(tx, account.ownerId) : 1;
    const detail = { session: id ?? "every", revoked };
    audit(tx, { actor: "operator", action: "session.revoke", subject: account.id, detail }, now());
    return revoked;
  });
}

/**
 * Deletes an account's row, with it every row that belongs to the account, and the people who are then in no library, except the
 * operator. Call it in a transaction.
 */
export function deleteAccountRow(tx: Db, id: string): void {
  const before = listPeopleOf(tx, id);
  queries.deleteAccount(tx, id);
  for (const personId of before)
    if (!isInAny(tx, personId) && !people.findPerson(tx, personId)?.operator)
      people.deletePerson(tx, personId);
}

/** Makes a link with which the owner of an account sets a new password. Audited. */
export function makeResetLink(
  deps: OperatorDeps & Pick<Deps, "settings">,
  { ownerId, email }: Pick<queries.AccountRow, "ownerId" | "email">,
): ReturnType<typeof people.makeResetLink> {
  return people.makeResetLink(deps, { id: ownerId, email });
}
