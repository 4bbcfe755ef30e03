import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId, Role } from "../../../../db/schema.ts";
import { roleRefusal, type SessionActor } from "../../../kernel/actor.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { type Allowed, allowedTo, type Need } from "../../../kernel/roles.ts";
import * as queries from "./queries.ts";

/** A member, and what they may. */
export type Acting = queries.MemberRow & { allowed: Allowed };

/** Who changes a team: a member, or (`personId` null) the operator, who may what the owner may. */
export type TeamActor = Pick<SessionActor, "accountId" | "memberId" | "allowed"> & {
  personId: PersonId | null;
};

/** Returns the operator, as somebody who changes the team of a library. */
export const operatorIn = (accountId: LibraryId): TeamActor => ({
  accountId,
  personId: null,
  memberId: "",
  allowed: allowedTo("owner", true, true),
});

/** Returns what the audit log says of who changes a team. What the operator does to it is in the library's log too. */
export const auditedAs = ({ personId, accountId }: TeamActor) =>
  personId === null ? { actor: "operator", accountId } : { actor: personId };

/** Returns the membership of a person at `at`, with what they may; undefined when they are not in the library. */
export function findActing(db: Db, accountId: LibraryId, personId: PersonId, at: number): Acting | undefined {
  const member = queries.findMembership(db, accountId, personId);
  if (!member || !queries.isMember(db, accountId, personId, at)) return undefined;
  return { ...member, allowed: allowedTo(member.role, member.seesSplits, member.seesListening) };
}

/** Returns a member with this id, as {@link findActing} does. */
export function findActingMember(db: Db, accountId: LibraryId, id: string, at: number): Acting | undefined {
  const member = queries.findMember(db, accountId, id);
  return member && findActing(db, accountId, member.personId, at);
}

/**
 * Returns the member who changes the team; for the operator, the owner. Ask in the transaction that does so: since the request began, the member may have been
 * removed or given another role.
 *
 * @throws DomainError `not_a_member`, `insufficient_scope`.
 */
export function requireActing(tx: Db, actor: TeamActor, need: Need | "member", at: number): Acting {
  if (actor.personId === null) {
    const owner = queries.findOwner(tx, actor.accountId);
    if (owner) return { ...owner, allowed: actor.allowed };
    throw new DomainError("not_found", "There is no such library");
  }
  const acting = findActing(tx, actor.accountId, actor.personId, at);
  if (acting?.id !== actor.memberId) throw new DomainError("not_a_member", "You are not in this library");
  if (need !== "member") requireNeed(acting, need);
  return acting;
}

/** @throws DomainError `insufficient_scope`. */
export function requireNeed({ allowed, role }: Acting, need: Need): void {
  if (!allowed.needs.has(need)) throw roleRefusal(need, role);
}

/** What it takes to make members of a role, and to change and remove them. */
export const needFor = (role: Role): Need => (role === "manager" ? "own:library" : "manage:team");
