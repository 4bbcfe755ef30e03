import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { notify } from "../notifications/service.ts";
import {
  findPerson,
  findPersonByEmail,
  normaliseEmail,
  type PersonRow,
  proveOwner,
  requireProof,
} from "../people/service.ts";
import {
  addMember,
  auditedAs,
  findActingMember,
  findMembership,
  type MemberRow,
  operatorIn,
  requireActing,
  requireLibraryPlace,
  requirePlace,
  setOwner,
  type TeamActor,
} from "../team/service.ts";
import { endOver } from "./ending.ts";
import type { HandOver } from "./shapes.ts";

/**
 * Makes a member the owner of the library. The owner until now stays as manager, and every member is told. Audited.
 *
 * @throws DomainError `proof_needed` without a password, when the session has proved nothing for ten minutes; `validation_failed` for a
 *   wrong password; `rate_limit_exceeded` after too many wrong ones; `member_not_found`; `invalid_transition` for oneself;
 *   `insufficient_scope` and `not_a_member` when the library has been handed over meanwhile.
 */
export async function handOver(
  deps: Pick<Deps, "db" | "now" | "settings">,
  actor: SessionActor,
  { memberId, currentPassword }: HandOver,
  attempts: Attempts,
): Promise<void> {
  const proved =
    currentPassword === undefined
      ? requireProof(deps, actor)
      : await proveOwner(deps, actor, currentPassword, attempts);
  transact(deps.db, (tx) => {
    proved?.(tx);
    const at = deps.now();
    const owner = requireActing(tx, actor, "own:library", at);
    if (memberId === owner.id)
      throw new DomainError("invalid_transition", "You are the owner of this library already");
    const next = findActingMember(tx, actor.accountId, memberId, at);
    if (!next) throw new DomainError("member_not_found", "There is no such member");
    makeOwner(tx, actor, { from: owner.id, to: next }, at);
  });
}

/**
 * Makes somebody the owner of a library for the operator, whatever its owner wants. They may be in it or not; the owner until now
 * stays as manager, and every member is told. Audited.
 *
 * @throws DomainError `not_found` for no such library or person; `invalid_transition` for its owner, and for somebody blocked;
 *   `team_full`.
 */
export function giveLibrary(
  { db, now }: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  email: string,
): PersonRow {
  return transact(db, (tx) => {
    const at = now();
    const actor = operatorIn(accountId);
    const owner = requireActing(tx, actor, "own:library", at);
    const person = findPersonByEmail(tx, normaliseEmail(email));
    if (!person) throw new DomainError("not_found", `Nobody signs in here as ${normaliseEmail(email)}`);
    if (!person.active) throw new DomainError("invalid_transition", `${person.email} is blocked`);
    if (person.id === owner.personId)
      throw new DomainError("invalid_transition", `${person.email} is the owner of this library already`);
    const earlier = findMembership(tx, accountId, person.id);
    if (earlier?.endsAt != null && earlier.endsAt <= at) endOver(tx, earlier, at);
    if (!findMembership(tx, accountId, person.id)) {
      requirePlace(tx, accountId, at);
      requireLibraryPlace(tx, person.id);
    }
    const to = addMember(tx, { accountId, personId: person.id, role: "manager" }, at);
    makeOwner(tx, actor, { from: owner.id, to }, at);
    return person;
  });
}

function makeOwner(
  tx: Db,
  actor: TeamActor,
  { from, to }: { from: string; to: Pick<MemberRow, "id" | "personId"> },
  at: number,
): void {
  const { accountId } = actor;
  setOwner(tx, { from, to: to.id });
  const name = findPerson(tx, to.personId)?.name ?? "";
  audit(tx, { ...auditedAs(actor), action: "team.owner", subject: to.id, detail: { name } }, at);
  const about = { kind: "team.owner_changed" as const, entityKey: "library" as const, entityId: "library" };
  notify(tx, { accountId, title: `${name} is the owner of this library now`, ...about }, at);
}
