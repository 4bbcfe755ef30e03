import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { requireText } from "../../../kernel/text.ts";
import { notify } from "../notifications/service.ts";
import {
  addPerson,
  beginSession,
  type Client,
  findEntry,
  findPerson,
  findPersonByEmail,
  hashPassword,
  provePassword,
  requirePasswords,
  setLibraryOfSession,
} from "../people/service.ts";
import { MIN_PASSWORD, type SignedIn } from "../people/shapes.ts";
import {
  acceptInvitation,
  findActing,
  findMembership,
  findRoomName,
  ownerOf,
  type ReadInvitation,
  readInvitation,
  requireLibraryPlace,
} from "../team/service.ts";
import { endOver } from "./ending.ts";
import type { Join } from "./shapes.ts";

type JoinDeps = Pick<Deps, "db" | "now" | "settings">;

/** Who asks to join, and the limits on guessing. */
export type Joining = {
  /** Who is signed in. */
  session: PersonActor | undefined;
  client: Client;
  /** Links that do not work, shared with those that set a password. */
  links: Attempts;
  /** Wrong passwords, by address. */
  passwords: (email: string) => Attempts;
};

/**
 * Returns what a link invites to. Links that never existed count as attempts.
 *
 * @throws DomainError `invalid_link` for a link that never existed; `rate_limit_exceeded`.
 */
export function findInvitation(deps: JoinDeps, token: string, links: Attempts): ReadInvitation {
  links.check();
  const found = readInvitation(deps, token);
  if (found) return found;
  links.count();
  throw new DomainError("invalid_link", "This invitation no longer works. Ask for a new one");
}

/** Who looks at an invitation. */
export type Visitor =
  /** Nobody has a sign-in with its address yet. */
  | "new"
  /** The same, on a server where nobody new signs in with a password. */
  | "no-way"
  /** Somebody has, and they are not signed in. */
  | "known"
  /** The same, but they are in no library that they could sign in to. */
  | "locked-out"
  /** It is for whoever is signed in. */
  | "invited"
  /** It is for somebody else than who is signed in. */
  | "other"
  /** It is for whoever is signed in, who is in the library already. */
  | "member"
  /** It does not work any more. */
  | "late";

const hasWay = ({ passwords, passkeys, provider }: Deps["settings"]) => passwords || passkeys || provider;

/** Returns who looks at an invitation, and the address of whoever is signed in. */
export function visitorOf(
  { db, now, settings }: JoinDeps,
  { accountId, email, state }: ReadInvitation,
  session: PersonActor | undefined,
): { visitor: Visitor; signedInAs?: string } {
  const signedIn = session && findPerson(db, session.personId);
  if (signedIn?.email === email && findActing(db, accountId, signedIn.id, now()))
    return { visitor: "member", signedInAs: email };
  if (state !== "open") return { visitor: "late" };
  if (signedIn)
    return { visitor: signedIn.email === email ? "invited" : "other", signedInAs: signedIn.email };
  const known = findPersonByEmail(db, email);
  if (!known) return { visitor: hasWay(settings) ? "new" : "no-way" };
  const maySignIn = !known.active || findEntry(db, known, now()) !== undefined;
  return { visitor: maySignIn ? "known" : "locked-out" };
}

/**
 * Joins a library by an invitation: somebody new, with a name and a password, which are their sign-in from then on; somebody who has
 * a sign-in here, in their session or with their password. Audited, and whoever invited is told.
 *
 * @returns A new session; undefined in one, which is in the library from then on.
 * @throws DomainError `invalid_link` for an invitation that does not work (any more); `invalid_transition` in a session of somebody
 *   else, and for a member; `invalid_credentials` for somebody who has a sign-in, without a session or the right password;
 *   `validation_failed` for somebody new without a name and a password; `password_sign_in_off`; `team_full`; `rate_limit_exceeded`.
 */
export async function join(deps: JoinDeps, wanted: Join, joining: Joining): Promise<SignedIn | undefined> {
  const { email } = getOpen(deps, wanted.token, joining.links);
  const { session } = joining;
  if (session) return joinInSession(deps, wanted.token, session, joining.links);
  const person = findPersonByEmail(deps.db, email);
  return person ? joinAgain(deps, wanted, person.id, joining) : joinAsNew(deps, wanted, joining);
}

function joinInSession(deps: JoinDeps, token: string, { sessionId, personId }: PersonActor, links: Attempts) {
  transact(deps.db, (tx) => {
    const invitation = getOpen(within(deps, tx), token, links);
    const email = findPerson(tx, personId)?.email;
    if (email !== invitation.email)
      throw new DomainError(
        "invalid_transition",
        `You are signed in as ${email}. This invitation is for ${invitation.email}`,
      );
    // An earlier membership that has ended takes the sessions of its library with it, but not this one.
    setLibraryOfSession(tx, { sessionId }, null);
    admit(tx, invitation, personId, deps.now());
    setLibraryOfSession(tx, { sessionId }, invitation.accountId);
  });
  return undefined;
}

/** Somebody who has a sign-in here, and gives their password instead of signing in first. */
async function joinAgain(
  deps: JoinDeps,
  { token, password = "" }: Join,
  personId: PersonId,
  { client, links, passwords }: Joining,
): Promise<SignedIn> {
  const refusal = () =>
    new DomainError("invalid_credentials", "You already have a sign-in on this server. Sign in to join");
  const before = findPerson(deps.db, personId);
  if (!before || password === "") throw refusal();
  const isRight = await provePassword(password, before.passwordHash ?? undefined, passwords(before.email));
  return transact(deps.db, (tx) => {
    const invitation = getOpen(within(deps, tx), token, links);
    const person = findPerson(tx, personId);
    // The password, the address or the person's access may have changed during the check.
    const isSame = person?.passwordHash === before.passwordHash && person.email === invitation.email;
    if (!isRight || !person?.active || !isSame) throw refusal();
    requirePasswords(deps.settings, person);
    admit(tx, invitation, personId, deps.now());
    return beginSession(within(deps, tx), person, client, { accountId: invitation.accountId });
  });
}

async function joinAsNew(
  deps: JoinDeps,
  { token, name = "", password = "" }: Join,
  { client, links }: Joining,
): Promise<SignedIn> {
  const shownName = requireText("name", name);
  const passwordHash = await newPasswordHash(deps, password);
  return transact(deps.db, (tx) => {
    // Of two requests with the same link, one wins.
    const invitation = getOpen(within(deps, tx), token, links);
    const { accountId, email } = invitation;
    if (findPersonByEmail(tx, email))
      throw new DomainError(
        "invalid_credentials",
        "You already have a sign-in on this server. Sign in to join",
      );
    const at = deps.now();
    const id = newId("usr") as PersonId;
    const person = addPerson(tx, { id, email, name: shownName, passwordHash, createdAt: at });
    admit(tx, invitation, id, at);
    return beginSession(within(deps, tx), person, client, { accountId, method: "invitation" });
  });
}

/** Null where passwords count for nothing: the session that begins may add a passkey. @throws DomainError `password_sign_in_off`. */
async function newPasswordHash({ settings }: JoinDeps, password: string): Promise<string | null> {
  if (!settings.passwords && settings.passkeys && password === "") return null;
  requirePasswords(settings, { operator: false });
  if (password.length < MIN_PASSWORD)
    throw invalidField("password", "too_short", `must have at least ${MIN_PASSWORD} characters`);
  return hashPassword(password);
}

function getOpen(deps: JoinDeps, token: string, links: Attempts): ReadInvitation {
  const found = findInvitation(deps, token, links);
  if (found.state === "open") return found;
  throw new DomainError(
    "invalid_link",
    `This invitation no longer works. Ask ${found.library} for a new one`,
  );
}

/**
 * Makes a person a member by an open invitation to them, and tells whoever made it. Call it in a transaction, for a person who has
 * proved who they are.
 *
 * @throws DomainError `invalid_transition` for a member; `team_full`.
 */
export function admit(tx: Db, invitation: ReadInvitation, personId: PersonId, at: number): void {
  const { accountId, library, role, madeBy, playlistId } = invitation;
  const room = playlistId === null ? undefined : findRoomName(tx, accountId, playlistId);
  const earlier = findMembership(tx, accountId, personId);
  // What was theirs does not come back with them.
  if (earlier && earlier.endsAt !== null && earlier.endsAt <= at) endOver(tx, earlier, at);
  else if (earlier?.reach === "library")
    throw new DomainError("invalid_transition", `You are in ${library} already`);
  requireLibraryPlace(tx, personId);
  const { id: subject } = acceptInvitation(tx, invitation, personId, at);
  const name = findPerson(tx, personId)?.name ?? "";
  audit(
    tx,
    { actor: personId, action: "team.join", subject, detail: { name, role, room }, accountId, personId },
    at,
  );
  notify(
    tx,
    {
      accountId,
      kind: "team.joined",
      title: room === undefined ? `${name} joined as ${role}` : `${name} joined “${room}” as ${role}`,
      entityKey: "library",
      entityId: "library",
      personId: madeBy ?? ownerOf(tx, accountId) ?? null,
      madeBy: personId,
    },
    at,
  );
}
