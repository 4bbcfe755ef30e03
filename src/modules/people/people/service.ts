import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { normaliseEmail } from "./email.ts";
import { provePassword } from "./passwords.ts";
import { requirePasswords } from "./proof.ts";
import * as queries from "./queries.ts";
import { type Beginning, beginSession, type Client } from "./sessions.ts";
import type { Login, SignedIn } from "./shapes.ts";

export { findPresent, type Present } from "./acting.ts";
export {
  deleteAddressChange,
  findAddressChange,
  findAwaitedAddress,
  placeAddressChange,
  pruneAddressChanges,
} from "./address-changes.ts";
export { type AccountLimits, createAccountLimits } from "./attempts.ts";
export { deviceName } from "./device.ts";
export { normaliseEmail } from "./email.ts";
export { membersAmong, peopleIn, personIn } from "./names.ts";
export { hashPassword, provePassword } from "./passwords.ts";
export { maySignInByPassword, proveOwner, requirePasswords } from "./proof.ts";
export {
  clearOperator,
  deleteOtherSessions,
  deletePerson,
  deleteSessions,
  deleteSessionsIn,
  findEntry,
  findOperator,
  findPerson,
  findPersonByEmail,
  listPeople,
  type PersonRow,
  updatePerson,
} from "./queries.ts";
export {
  findResettable,
  forgetLinks,
  getReset,
  makeResetLink,
  placeReset,
  removePassword,
  replacePassword,
  resetPassword,
  signInByReset,
} from "./resets.ts";
export {
  authenticateSession,
  beginSession,
  type Client,
  deleteSessionOf,
  endedSessions,
  getSession,
  identifyVisitor,
  listLiveSessions,
  listSessions,
  logout,
  markProved,
  requireProof,
  revokeSessions,
  setLibraryOfSession,
  touchSession,
} from "./sessions.ts";

/** Who a person is when they come. */
type NewPerson = Pick<queries.PersonRow, "id" | "email" | "name" | "passwordHash" | "createdAt"> & {
  operator?: boolean;
};

/** Adds a person. @throws DomainError `duplicate_email`. */
export function addPerson(tx: Db, person: NewPerson): queries.PersonRow {
  requireFreeEmail(tx, person.email);
  return queries.insertPerson(tx, person);
}

/** Passes when no other person has the address. @throws DomainError `duplicate_email` when another person has the address. */
export function requireFreeEmail(db: Db, email: string, ownId?: PersonId): void {
  const other = queries.findPersonByEmail(db, email);
  if (other && other.id !== ownId)
    throw new DomainError("duplicate_email", "An account with this e-mail address already exists");
}

/**
 * Signs a person in with their password. Only failures count against the limit, and a success clears them.
 *
 * @throws DomainError `invalid_credentials`, with the same message and the same cost for an unknown address; for somebody who
 *   has left their last library its message says so, once the password is right; `password_sign_in_off` where the operator alone
 *   signs in with one, likewise; `rate_limit_exceeded` after too many failures, or when too many clients sign in at once.
 */
export async function login(
  deps: Pick<Deps, "db" | "now" | "settings">,
  input: Login,
  client: Client,
  attempts: Attempts,
): Promise<SignedIn> {
  const person = findLogin(deps, input);
  const isRight = await provePassword(input.password, person?.passwordHash ?? undefined, attempts);
  return transact(deps.db, (tx) => {
    // The operator may have changed the password or shut the person out during the check.
    const current = findLogin(within(deps, tx), input);
    if (!isRight || !current || current.passwordHash !== person?.passwordHash)
      throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong");
    requirePasswords(deps.settings, current);
    if (current.accountId === undefined) throw inNoLibrary();
    return beginSession(within(deps, tx), current, client, { accountId: current.accountId });
  });
}

/**
 * Signs in a person who has proved who they are in another way; undefined when they are shut out.
 *
 * @throws DomainError `invalid_credentials` for somebody who has left their last library, which its message says.
 */
export function signInAs(
  deps: Pick<Deps, "db" | "now">,
  personId: PersonId,
  client: Client,
  beginning: Beginning,
): SignedIn | undefined {
  const person = withEntry(deps, queries.findPerson(deps.db, personId));
  if (!person) return undefined;
  const { accountId } = person;
  if (accountId === undefined) throw inNoLibrary();
  return beginSession(deps, person, client, { accountId, ...beginning });
}

const findLogin = (deps: Pick<Deps, "db" | "now">, { email }: Login) =>
  withEntry(deps, queries.findPersonByEmail(deps.db, normaliseEmail(email)));

/** Returns a person with the library that they enter, undefined for none; undefined altogether when they are shut out. */
function withEntry({ db, now }: Pick<Deps, "db" | "now">, person: queries.PersonRow | undefined) {
  if (!person?.active) return undefined;
  const entry = queries.findEntry(db, person, now());
  if (entry) return { ...person, ...entry };
  return queries.isInNone(db, person.id, now()) ? { ...person, accountId: undefined } : undefined;
}

const inNoLibrary = () =>
  new DomainError("invalid_credentials", "You are in no library now. Ask for an invitation");

/** Passes for everybody but the operator. @throws DomainError `invalid_transition`. */
export function refuseOperator(
  { operator }: Pick<queries.PersonRow, "operator">,
  what: "blocked" | "deleted",
): void {
  if (operator)
    throw new DomainError(
      "invalid_transition",
      `The operator cannot be ${what}: name another one with dubplate account operator first`,
    );
}
