import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { forgetMailsTo } from "../../mail/outbox/service.ts";
import * as people from "../people/service.ts";
import type { SignedIn } from "../people/shapes.ts";
import { isInAny, listLibraries, listPeopleOf } from "../team/service.ts";
import * as queries from "./queries.ts";

type OperatorDeps = Pick<Deps, "db" | "now">;

/** A library, by the address of its owner; `library`, where they own several. */
export type Named = { email: string; library?: string | undefined };

/**
 * Returns the library that a person owns, for the operator.
 *
 * @throws DomainError `not_found`; `validation_failed` when they own several and none of them is named.
 */
export function getAccountByEmail(
  { db }: Pick<Deps, "db">,
  email: string,
  library?: string | undefined,
): queries.AccountRow {
  const address = people.normaliseEmail(email);
  const owned = queries.listAccountsOf(db, address);
  const [account, another] = library === undefined ? owned : owned.filter(({ id }) => id === library);
  if (account && another)
    throw new DomainError(
      "validation_failed",
      `${address} owns ${owned.length} libraries: add --library with ${owned.map(({ id, name }) => `${id} (${name})`).join(" or ")}`,
    );
  if (account) return account;
  if (library !== undefined)
    throw new DomainError("not_found", `${address} does not own a library ${library}`);
  throw new DomainError(
    "not_found",
    people.findPersonByEmail(db, address)
      ? `${address} owns no library`
      : `There is no account with the e-mail address ${address}`,
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

/**
 * Returns the person who is the operator, and the library in which they are told of the server: the first that they own, or else the
 * first that they are in. Undefined when they are in none.
 */
export function findOperatorSeat(
  deps: OperatorDeps,
): { accountId: LibraryId; personId: PersonId } | undefined {
  const own = findOperator(deps);
  if (own) return { accountId: own.id, personId: own.ownerId };
  const personId = people.findOperator(deps.db)?.id;
  const [first] = personId === undefined ? [] : listLibraries(deps, personId);
  return first && personId && { accountId: first.id, personId };
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
  named: Named,
  change: { set: number | null } | { add: number },
): number | null {
  return transact(db, (tx) => {
    const { id } = getAccountByEmail({ db: tx }, named.email, named.library);
    audit(tx, { actor: "operator", action: "credits.change", subject: id, detail: change }, now());
    if ("set" in change) queries.updateAccount(tx, id, { credits: change.set });
    else queries.addToCredits(tx, id, change.add);
    return queries.selectCredits(tx, id);
  });
}

/**
 * Disables an account, so that every door refuses it, or enables it again. Its data, sessions, keys and links stay.
 * Audited when it changes anything.
 */
export function setActive(
  { db, now }: OperatorDeps,
  named: Named,
  active: boolean,
): { email: string; active: boolean } {
  return transact(db, (tx) => {
    const account = getAccountByEmail({ db: tx }, named.email, named.library);
    if (account.active !== active) {
      queries.updateAccount(tx, account.id, { active });
      const action = active ? "account.enable" : "account.disable";
      audit(tx, { actor: "operator", action, subject: account.id }, now());
    }
    return { email: account.email, active };
  });
}

/** Signs the owner of an account in. The session is of this account. */
export function beginSession(
  deps: OperatorDeps,
  { id: accountId, ownerId, email }: Pick<queries.AccountRow, "id" | "ownerId" | "email">,
  client: people.Client,
): SignedIn {
  const name = people.findPerson(deps.db, ownerId)?.name ?? "";
  return people.beginSession(deps, { id: ownerId, email, name }, client, { accountId });
}

/**
 * Deletes an account's row, with it every row that belongs to the account, and the people who are then in no library, but the
 * operator while there are others. Call it in a transaction.
 */
export function deleteAccountRow(tx: Db, id: string): void {
  const before = listPeopleOf(tx, id);
  queries.deleteAccount(tx, id);
  const operatorId = people.findOperator(tx)?.id;
  for (const personId of before)
    if (personId !== operatorId && !isInAny(tx, personId)) forgetPerson(tx, personId);
  // After the last library, somebody sets the server up anew.
  if (operatorId !== undefined && queries.isUnclaimed(tx)) forgetPerson(tx, operatorId);
}

/** Deletes a person, and the mails about their sign-in. Call it in a transaction. */
function forgetPerson(tx: Db, id: PersonId): void {
  const email = people.findPerson(tx, id)?.email;
  if (email !== undefined) forgetMailsTo(tx, { id, email });
  people.deletePerson(tx, id);
}
