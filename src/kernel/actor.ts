import type { LibraryId, PersonId, Role } from "../../db/schema.ts";
import { DomainError } from "./errors.ts";
import type { Allowed, Need, Room } from "./roles.ts";
import type { Scope } from "./scopes.ts";

/** How much of a library somebody reaches. */
export type Reach = {
  /** The rooms of a guest, who reaches nothing else. Left out: the whole library. */
  rooms?: readonly Room[];
};

/** Whom an actor acts for, and what that person may. */
export type OnBehalf = Reach & {
  /** The member whose session it is, who made the key or let the program in. Left out: no member, or another account's place is taken. */
  personId?: PersonId;
  memberId?: string;
  /** Of a person who acts themselves. Left out: a key or a program does. */
  sessionId?: string;
  /** Left out: nobody's role limits the actor, as for an owner's keys, the operator's and the platform's. */
  allowed?: Allowed;
};

/** Who a request with an API key acts as. */
export type KeyActor = OnBehalf & {
  keyId: string;
  /** The account whose library the request uses. Null for a platform key, which has no library. */
  accountId: LibraryId | null;
};

/** A {@link KeyActor} with a library. Every route except the platform routes acts as one. */
export type OwnerActor = KeyActor & { accountId: LibraryId };

/** A caller with a valid credential, before any scope is checked. Null scopes mean every assignable scope. */
export type Principal = {
  actor: KeyActor;
  scopes: readonly string[] | null;
  /** Of a member whose session it is. */
  role?: Role;
};

/** Who a request with a session token acts as, whatever the library. */
export type PersonActor = { sessionId: string; personId: PersonId };

/** A {@link PersonActor} in a library, as the member that they are there. */
export type SessionActor = PersonActor &
  Reach & {
    /** The library. */
    accountId: LibraryId;
    memberId: string;
    role: Role;
    allowed: Allowed;
  };

/** Who reaches only rooms of a library. */
export type Guest = { accountId: LibraryId; rooms: readonly Room[]; allowed: Allowed };

/** Whoever reads an answer, as far as their role decides what they see. */
export type Viewer = Pick<OnBehalf, "allowed">;

/** Whoever acts in a library, with a session, a key or a grant. */
export type Member = OnBehalf & { accountId: LibraryId };

/** True when something is of the person for whom an actor acts, or the actor may everything of the library. */
export function isOwn({ personId, ...viewer }: OnBehalf, madeBy: PersonId | null): boolean {
  return mayDo(viewer, "manage:library") || (personId !== undefined && personId === madeBy);
}

/** True when the role of whom an actor acts for allows what is needed. It says nothing of the scopes of a key. */
export function mayDo({ allowed }: Viewer, need: Need): boolean {
  return allowed === undefined || allowed.needs.has(need);
}

/**
 * Passes when the role of whom an actor acts for allows what is needed, beside the need of the operation.
 *
 * @throws DomainError `insufficient_scope`.
 */
export function requireNeed({ allowed }: Viewer, need: Need): void {
  if (allowed !== undefined && !allowed.needs.has(need)) throw roleRefusal(need, allowed.role);
}

/** Something that has a maker, and that everyone may change where it says so. */
type Made = { madeBy: PersonId | null; isEveryones?: boolean };

/**
 * Passes when the role of whom an actor acts for allows what is needed with this thing too, where it allows that only with
 * one's own.
 *
 * @throws DomainError `insufficient_scope`.
 */
export function requireOwn({ personId, allowed }: OnBehalf, need: Need, made: Made): void {
  requireNeed(allowed ? { allowed } : {}, need);
  const isOwns = made.isEveryones || (personId !== undefined && personId === made.madeBy);
  if (allowed?.own.has(need) && !isOwns) throw roleRefusal(need, allowed.role);
}

/**
 * Returns the member that a session stands for, who may what is needed.
 *
 * @throws DomainError `not_a_member`; `insufficient_scope` when the role does not allow it.
 */
export function admitMember(actor: PersonActor | SessionActor, need: Need | "member"): SessionActor {
  const member = requireMember(actor);
  if (need === "member" || member.allowed.needs.has(need)) return member;
  throw roleRefusal(need, member.role);
}

/** The refusal for a member whose role does not allow what is needed. */
export function roleRefusal(required: Need | Scope | "member", role: Role): DomainError {
  return new DomainError("insufficient_scope", "Your role in this library does not allow this", {
    data: { required, role },
  });
}

/** Narrows who a session stands for to a member of a library. @throws DomainError `not_a_member`. */
export function requireMember(actor: PersonActor | SessionActor): SessionActor {
  if ("memberId" in actor) return actor;
  throw new DomainError("not_a_member", "You are not in this library");
}
