import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { HOUR_MS, toIso } from "../../../kernel/time.ts";
import { deleteAddressChange } from "./address-changes.ts";
import { hashPassword } from "./passwords.ts";
import { maySignInByPassword } from "./proof.ts";
import * as queries from "./queries.ts";
import { beginSession, type Client } from "./sessions.ts";
import { RESET_LINK_HOURS, type SignedIn } from "./shapes.ts";

type ResetDeps = Pick<Deps, "db" | "now">;

const LIFETIME_MS = RESET_LINK_HOURS * HOUR_MS;

/**
 * Makes a link with which a person sets a new password: once, while it is fresh. It replaces an earlier one. The token
 * is in the query, because paths may be logged. Audited.
 */
export function makeResetLink(
  { db, now, settings }: ResetDeps & Pick<Deps, "settings">,
  person: Pick<queries.PersonRow, "id" | "email">,
): { email: string; url: string; expiresAt: string } {
  const token = newToken(32);
  const expiresAt = now() + LIFETIME_MS;
  transact(db, (tx) => {
    queries.replaceReset(tx, { personId: person.id, tokenHash: sha256(token), expiresAt });
    audit(tx, { actor: "operator", action: "account.reset_link", subject: person.id }, now());
  });
  return {
    email: person.email,
    url: `${publicUrlOf(settings)}/reset?token=${token}`,
    expiresAt: toIso(expiresAt),
  };
}

/** Returns the person who may choose a new password by a mail to an address: somebody who signs in with one, or could, and is not blocked. */
export function findResettable(
  { db, now, settings }: ResetDeps & Pick<Deps, "settings">,
  email: string,
): queries.PersonRow | undefined {
  const person = queries.findPersonByEmail(db, email);
  const isInside = person?.active && queries.findEntry(db, person, now()) !== undefined;
  return isInside && maySignInByPassword(settings, person) ? person : undefined;
}

/** Stores what a sent link is known by. It replaces an earlier one. */
export const placeReset = queries.replaceReset;

/**
 * Returns the person that a reset link is for. A link that does not work counts as an attempt.
 *
 * @throws DomainError `invalid_link` when it was used or replaced, has expired, or never existed;
 *   `rate_limit_exceeded`.
 */
export function getReset({ db, now }: ResetDeps, token: string, attempts: Attempts): queries.PersonRow {
  attempts.check();
  const person = queries.findReset(db, sha256(token), now());
  if (person && queries.findEntry(db, person, now())) return person;
  attempts.count();
  throw new DomainError("invalid_link", "This link has been used or has expired. Ask for a new one");
}

/**
 * Sets the password of the person that a reset link is for. The link ends, and so does every session of the person.
 * Audited.
 *
 * @throws DomainError as {@link getReset}; `rate_limit_exceeded` also when too many passwords are being hashed.
 */
export async function resetPassword(
  deps: ResetDeps,
  token: string,
  password: string,
  attempts: Attempts,
): Promise<void> {
  getReset(deps, token, attempts); // before the costly hash
  const passwordHash = await hashPassword(password);
  transact(deps.db, (tx) => {
    // Of two requests with the same link, one wins.
    const { id } = getReset(within(deps, tx), token, attempts);
    const sessionsEnded = replacePassword(tx, id, passwordHash);
    audit(tx, { actor: id, action: "account.reset", subject: id, detail: { sessionsEnded } }, deps.now());
  });
}

/**
 * Signs the person in that a reset link is for, where a password of theirs would count for nothing. The link ends, and so does
 * every other session of the person. The session may change how they sign in. Audited.
 *
 * @throws DomainError as {@link getReset}.
 */
export function signInByReset(deps: ResetDeps, token: string, client: Client, attempts: Attempts): SignedIn {
  return transact(deps.db, (tx) => {
    const person = getReset(within(deps, tx), token, attempts);
    const sessionsEnded = queries.deleteSessions(tx, person.id);
    forgetLinks(tx, person.id);
    const entry = { actor: person.id, subject: person.id, detail: { sessionsEnded } };
    audit(tx, { action: "account.reset", ...entry }, deps.now());
    return beginSession(within(deps, tx), person, client, { method: "operator", provedAt: deps.now() });
  });
}

/** Stores a new password. Ends the person's sessions and its reset link; returns how many sessions there were. */
export function replacePassword(tx: Db, personId: PersonId, passwordHash: string): number {
  queries.updatePerson(tx, personId, { passwordHash });
  forgetLinks(tx, personId);
  return queries.deleteSessions(tx, personId);
}

/**
 * Ends what was sent to a person and is not used yet: the link for a new password, and the one for a new address, which somebody
 * may have asked for who knew the old password.
 */
export function forgetLinks(tx: Db, personId: PersonId): void {
  queries.deleteReset(tx, personId);
  deleteAddressChange(tx, personId);
}

/** Takes a person's password away, with their reset link and every session. */
export function removePassword(tx: Db, personId: PersonId): { hadPassword: boolean; sessions: number } {
  const hadPassword = queries.findPerson(tx, personId)?.passwordHash != null;
  queries.updatePerson(tx, personId, { passwordHash: null });
  forgetLinks(tx, personId);
  return { hadPassword, sessions: queries.deleteSessions(tx, personId) };
}
