import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findPerson } from "../people/service.ts";
import { type Acting, auditedAs, needFor, requireActing, requireNeed, type TeamActor } from "./acting.ts";
import { readEnd, requireAppointing } from "./invitations.ts";
import * as queries from "./queries.ts";
import type { ChangeMember, Member } from "./shapes.ts";
import { getMember } from "./team.ts";

/**
 * Changes the role of a member, what else they see, or when the membership ends. It counts from their next request on. Audited.
 *
 * @throws DomainError `member_not_found`; `invalid_transition` for the owner; `insufficient_scope` when the member is a manager and
 *   the owner does not ask; `validation_failed` when a manager appoints a manager, or for an end in the past; `not_a_member`.
 */
export function changeMember(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: TeamActor,
  id: string,
  { role, seesSplits, seesListening, until }: ChangeMember,
): Member {
  return transact(db, (tx) => {
    const at = now();
    const acting = requireActing(tx, actor, "manage:team", at);
    const member = getChangeable(tx, acting, id);
    if (role !== undefined) requireAppointing(acting, role);
    requireOneRole(member, { role, seesSplits, seesListening });
    const columns = {
      ...(role !== undefined && { role }),
      ...(seesSplits !== undefined && { seesSplits }),
      ...(seesListening !== undefined && { seesListening }),
      ...(until !== undefined && { endsAt: readEnd(until, at) }),
    };
    if (Object.keys(columns).length > 0) {
      queries.updateMember(tx, id, columns);
      const name = findPerson(tx, member.personId)?.name;
      const detail = { name, ...columns, ...(role !== undefined && { from: member.role }) };
      audit(tx, { ...auditedAs(actor), action: "team.change", subject: id, detail }, at);
    }
    return getMember(tx, actor, id, at);
  });
}

/** @throws DomainError `invalid_transition` for a guest, who has a role in each room. */
function requireOneRole(
  { reach }: queries.MemberRow,
  { role, seesSplits, seesListening }: { [Field in keyof ChangeMember]?: ChangeMember[Field] | undefined },
): void {
  if (reach === "library" || (role ?? seesSplits ?? seesListening) === undefined) return;
  throw new DomainError(
    "invalid_transition",
    "A guest has a role in each room: change it there, or invite them into the library",
  );
}

/**
 * Returns a member of the library that somebody may change or remove.
 *
 * @throws DomainError `member_not_found`; `invalid_transition` for the owner; `insufficient_scope` for a manager, unless the owner
 *   asks.
 */
export function getChangeable(tx: Db, acting: Acting, id: string): queries.MemberRow {
  const member = queries.findMember(tx, acting.accountId, id);
  if (!member) throw new DomainError("member_not_found", "There is no such member");
  if (member.role === "owner")
    throw new DomainError("invalid_transition", "The owner stays the owner until they hand the library over");
  requireNeed(acting, needFor(member.role));
  return member;
}
