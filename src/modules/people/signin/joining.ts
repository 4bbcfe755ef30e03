import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { addPerson, findPerson, findPersonByEmail, normaliseEmail } from "../people/service.ts";
import { MAX_EMAIL, MAX_NAME } from "../people/shapes.ts";
import { findInvitationTo, type ReadInvitation } from "../team/service.ts";
import { providerOf } from "./house.ts";
import type { Claims } from "./openid.ts";
import * as queries from "./queries.ts";
import { type EndAccess, type Taken, takeWaysIn } from "./taken.ts";

type ProviderDeps = Pick<Deps, "db" | "now" | "settings">;

/** What a sign-in changes in modules that stand on sign-ins. */
export type Beyond = {
  endAccess: EndAccess;
  /** Makes a person a member by an open invitation. @throws DomainError `invalid_transition` for a member; `team_full`. */
  admit: (tx: Db, invitation: ReadInvitation, personId: PersonId, at: number) => void;
};

/** By which flow somebody comes. */
export type Coming = { beyond: Beyond; flow: queries.FlowRow };

/** Who signs in. `joined`: the library that they joined by doing so. */
export type Joined = { personId: PersonId; taken: Taken | null; joined: LibraryId | null };

/**
 * Finds who somebody is whom the provider names for the first time: by the address that it confirms, if that may let people in, or
 * somebody new by an invitation to it. Call it in a transaction.
 *
 * @throws DomainError `not_a_member`; as {@link Beyond.admit}.
 */
export function join(deps: ProviderDeps, claims: Claims, { beyond, flow }: Coming): Joined {
  const email = claims.confirmedEmail === null ? undefined : emailOf(claims.confirmedEmail);
  if (email === undefined) throw nobodyHere(deps);
  const person = findPersonByEmail(deps.db, email);
  const invitation = findInvitationTo(deps, email, flow.invitationId);
  if (!person) return joinAsNew(deps, claims, email, { beyond, invitation });
  if (!person.active || providerOf(deps.settings).joins !== "email") throw nobodyHere(deps);
  const taken = takeWaysIn(deps, person.id, beyond.endAccess);
  addIdentity(deps, person.id, claims);
  // They join what they came for; other invitations wait for them.
  return { personId: person.id, taken, joined: joinToo(deps, person.id, { beyond, flow }) };
}

function joinAsNew(
  deps: ProviderDeps,
  claims: Claims,
  email: string,
  { beyond, invitation }: Pick<Coming, "beyond"> & { invitation: ReadInvitation | undefined },
): Joined {
  if (!invitation) throw nobodyHere(deps);
  const personId = newId("usr") as PersonId;
  const name = (claims.name ?? email.replace(/@.*/, "")).slice(0, MAX_NAME);
  addPerson(deps.db, { id: personId, email, name, passwordHash: null, createdAt: deps.now() });
  addIdentity(deps, personId, claims);
  beyond.admit(deps.db, invitation, personId, deps.now());
  return { personId, taken: null, joined: invitation.accountId };
}

/** Lets a person who comes by an invitation to them join the library that it is for. Call it in a transaction. */
export function joinToo(deps: ProviderDeps, personId: PersonId, { beyond, flow }: Coming): LibraryId | null {
  const email = findPerson(deps.db, personId)?.email;
  if (flow.invitationId === null || email === undefined) return null;
  const invitation = findInvitationTo(deps, email, flow.invitationId);
  if (invitation) beyond.admit(deps.db, invitation, personId, deps.now());
  return invitation?.accountId ?? null;
}

function nobodyHere({ settings }: ProviderDeps): DomainError {
  const { name } = providerOf(settings);
  return new DomainError(
    "not_a_member",
    `Nobody here has a sign-in with this account of ${name}: ask for an invitation, or sign in as before and connect it under Settings > Security`,
  );
}

function emailOf(text: string): string | undefined {
  const email = normaliseEmail(text);
  return email.length <= MAX_EMAIL ? email : undefined;
}

const saidEmail = (email: string | null) => (email === null ? null : (emailOf(email) ?? null));

/** Records that an account at the provider was used. */
export function useIdentity(deps: ProviderDeps, identity: queries.IdentityRow, { email }: Claims): void {
  queries.useIdentity(deps.db, identity, saidEmail(email), deps.now());
}

/** Connects an account at the provider with a person. Audited. */
export function addIdentity(deps: ProviderDeps, personId: PersonId, { subject, email }: Claims): void {
  const { issuer, name } = providerOf(deps.settings);
  const at = deps.now();
  queries.insertIdentity(deps.db, {
    issuer,
    subject,
    personId,
    email: saidEmail(email),
    createdAt: at,
    lastUsedAt: at,
  });
  const entry = { actor: personId, subject: personId, detail: { provider: name } };
  audit(deps.db, { action: "account.provider_connect", ...entry }, at);
}
