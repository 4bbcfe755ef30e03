import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { forgetMailsTo } from "../../mail/outbox/service.ts";
import { deletePerson as deleteRow, findPerson, proveOwner, refuseOperator } from "../people/service.ts";
import { listMemberships } from "../team/service.ts";
import { leaveAll } from "./ending.ts";

type DeletionDeps = Pick<Deps, "db" | "now">;

/**
 * Deletes a person for the operator: they leave every library, and their sign-in ends. Their name stays in what they wrote. Audited.
 *
 * @throws DomainError `not_found`; `invalid_transition` for the operator, and for the owner of a library.
 */
export function deletePerson({ db, now }: DeletionDeps, id: PersonId): void {
  transact(db, (tx) => endPerson(tx, id, "operator", now()));
}

/**
 * Deletes the person of a session, as {@link deletePerson} does, once they have proved who they are.
 *
 * @throws DomainError `invalid_transition` for the operator, and for the owner of a library; as {@link proveOwner}.
 */
export async function deleteOwnPerson(
  deps: DeletionDeps & Pick<Deps, "settings">,
  {
    actor,
    currentPassword,
    attempts,
  }: { actor: PersonActor; currentPassword: string | undefined; attempts: Attempts },
): Promise<void> {
  // Nobody proves who they are for nothing.
  requireDeletable(deps.db, actor.personId);
  const proved = await proveOwner(deps, actor, currentPassword, attempts);
  transact(deps.db, (tx) => {
    proved(tx);
    endPerson(tx, actor.personId, actor.personId, deps.now());
  });
}

function endPerson(tx: Db, id: PersonId, actor: string, at: number): void {
  const { email } = requireDeletable(tx, id);
  leaveAll(tx, id, at);
  forgetMailsTo(tx, { id, email });
  audit(tx, { actor, action: "person.delete", subject: id }, at);
  deleteRow(tx, id);
}

function requireDeletable(db: Db, id: PersonId): { email: string } {
  const person = findPerson(db, id);
  if (!person) throw new DomainError("not_found", "There is no such person");
  refuseOperator(person, "deleted");
  const owned = listMemberships(db, id).find(({ role }) => role === "owner");
  if (owned)
    throw new DomainError(
      "invalid_transition",
      `${person.email} owns the library ${owned.name}: give it to somebody else first, or delete it`,
    );
  return person;
}
