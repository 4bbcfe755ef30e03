import { transact } from "../../../db/client.ts";
import { audit } from "../../kernel/audit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { normaliseEmail } from "./email.ts";
import * as queries from "./queries.ts";

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
      "set" in change ? queries.updateCredits(tx, id, change.set) : queries.addToCredits(tx, id, change.add);
    return account?.credits ?? null;
  });
}
