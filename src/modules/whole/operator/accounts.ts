import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newToken } from "../../../kernel/ids.ts";
import { toIso } from "../../../kernel/time.ts";
import {
  type AccountRow,
  changeCredits,
  createAccount,
  findAccount,
  listAccounts,
  makeResetLink,
  setActive,
} from "../../people/accounts/service.ts";
import { giveLibrary } from "../../people/membership/service.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import { countMembersByLibrary } from "../../people/team/service.ts";
import { deleteAccount } from "../ownership/service.ts";
import { isOperator } from "./may.ts";
import { countTracksByOwner } from "./queries.ts";
import type { ChangeServerAccount, DeletedAccount, Invitation, Invite, ServerAccount } from "./shapes.ts";

type AccountDeps = Pick<Deps, "db" | "now" | "settings">;

/** Returns every account, oldest first. */
export function listAccountsFor({ db, now }: Pick<Deps, "db" | "now">): ServerAccount[] {
  const tracks = countTracksByOwner(db);
  const members = countMembersByLibrary(db, now());
  return listAccounts({ db }).map((account) => ({
    id: account.id,
    name: account.name,
    email: account.email,
    createdAt: toIso(account.createdAt),
    active: account.active,
    credits: account.credits,
    isOperator: account.operator && account.active,
    tracks: tracks.get(account.id) ?? 0,
    owner: { id: account.ownerId, name: account.ownerName, email: account.email },
    members: members.get(account.id) ?? 1,
  }));
}

/**
 * Makes an account and a link with which its person sets a password.
 *
 * @throws DomainError `duplicate_email`; `validation_failed` when the name is blank.
 */
export async function inviteAccount(deps: AccountDeps, { name, email }: Invite): Promise<Invitation> {
  // No one knows this password: the link sets another.
  const account = await createAccount(deps, { name, email, password: newToken(32) });
  return { id: account.id, ...makeResetLink(deps, account) };
}

/** Makes a new link for an account, in place of an earlier one. @throws DomainError `not_found`. */
export function renewInvitation(deps: AccountDeps, id: string): Invitation {
  return { id, ...makeResetLink(deps, accountOf(deps, id)) };
}

/**
 * Disables or enables an account, or sets its credits.
 *
 * @throws DomainError `not_found`; `invalid_transition` when the operator would lock themselves out.
 */
export function changeAccountOf(deps: AccountDeps, id: string, change: ChangeServerAccount): ServerAccount {
  const { email } = accountOf(deps, id);
  const named = { email, library: id };
  if (change.active === false) refuseOperator(deps, id);
  if (change.active !== undefined) setActive(deps, named, change.active);
  if (change.credits !== undefined) changeCredits(deps, named, { set: change.credits });
  return serverAccount(deps, id);
}

/**
 * Makes somebody the owner of an account, whatever its owner wants.
 *
 * @throws DomainError as {@link giveLibrary}.
 */
export function giveAccountTo(deps: AccountDeps, id: string, email: string): ServerAccount {
  accountOf(deps, id);
  giveLibrary(deps, id, email);
  return serverAccount(deps, id);
}

function serverAccount(deps: AccountDeps, id: string): ServerAccount {
  const found = listAccountsFor(deps).find((account) => account.id === id);
  if (!found) throw noAccount();
  return found;
}

/**
 * Deletes an account with everything that it has. Its files go to the quarantine.
 *
 * @param email Its address once more: nothing is deleted by a slip.
 * @throws DomainError `not_found`, `invalid_transition` for the operator's own, `validation_failed` for another address.
 */
export async function deleteAccountOf(deps: AccountDeps, id: string, email: string): Promise<DeletedAccount> {
  const account = accountOf(deps, id);
  refuseOperator(deps, id);
  if (normaliseEmail(email) !== account.email)
    throw invalidField("email", "different", "is not the address of this account");
  return { id, ...(await deleteAccount(deps, account)) };
}

function accountOf({ db }: Pick<Deps, "db">, id: string): AccountRow {
  const account = findAccount(db, id);
  if (account) return account;
  throw noAccount();
}

const noAccount = () => new DomainError("not_found", "There is no such account");

function refuseOperator(deps: Pick<Deps, "db">, id: string): void {
  if (isOperator(deps, id))
    throw new DomainError(
      "invalid_transition",
      "The operator's own account stays: name another one with dubplate account operator first",
    );
}
