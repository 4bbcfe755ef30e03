import { transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { notify } from "../notifications/service.ts";
import { findPerson, proveOwner, requireProof } from "../people/service.ts";
import { findActingMember, requireActing, setOwner } from "../team/service.ts";
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
    setOwner(tx, { from: owner.id, to: next.id });
    const name = findPerson(tx, next.personId)?.name ?? "";
    audit(tx, { actor: actor.personId, action: "team.owner", subject: next.id, detail: { name } }, at);
    const { accountId } = actor;
    const about = { kind: "team.owner_changed" as const, entityKey: "library" as const, entityId: "library" };
    notify(tx, { accountId, title: `${name} is the owner of this library now`, ...about }, at);
  });
}
