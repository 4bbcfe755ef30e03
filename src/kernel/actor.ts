import type { PersonId, Role } from "../../db/schema.ts";
import { DomainError } from "./errors.ts";
import type { Allowed } from "./roles.ts";

/** Who a request with an API key acts as. */
export type KeyActor = {
  keyId: string;
  /** The account whose library the request uses. Null for a platform key, which has no library. */
  accountId: string | null;
};

/** A {@link KeyActor} with a library. Every route except the platform routes acts as one. */
export type OwnerActor = KeyActor & { accountId: string };

/** A caller with a valid credential, before any scope is checked. Null scopes mean every assignable scope. */
export type Principal = { actor: KeyActor; scopes: readonly string[] | null };

/** Who a request with a session token acts as, whatever the library. */
export type PersonActor = { sessionId: string; personId: PersonId };

/** A {@link PersonActor} in a library, as the member that they are there. */
export type SessionActor = PersonActor & {
  /** The library. */
  accountId: string;
  memberId: string;
  role: Role;
  allowed: Allowed;
};

/** Narrows who a session stands for to a member of a library. @throws DomainError `not_a_member`. */
export function requireMember(actor: PersonActor | SessionActor): SessionActor {
  if ("memberId" in actor) return actor;
  throw new DomainError("not_a_member", "You are not in this library");
}
