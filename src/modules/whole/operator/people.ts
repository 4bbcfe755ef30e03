import type { PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { listPeople, setPersonActive } from "../../people/accounts/service.ts";
import type { ServerPerson } from "./shapes.ts";

type PeopleDeps = Pick<Deps, "db" | "now">;

/** Returns everybody who signs in, in the order in which they came. */
export function listPeopleFor({ db }: Pick<Deps, "db">): ServerPerson[] {
  return listPeople({ db }).map(({ operator, createdAt, lastSeenAt, ...person }) => ({
    ...person,
    createdAt: toIso(createdAt),
    isOperator: operator,
    lastSeenAt: toIsoOrNull(lastSeenAt),
  }));
}

/**
 * Blocks a person, or lets them in again.
 *
 * @throws DomainError `not_found`; `invalid_transition` for the operator.
 */
export function changePersonOf(deps: PeopleDeps, id: string, active: boolean): ServerPerson {
  setPersonActive(deps, id as PersonId, active); // whatever else it is, nobody has it
  const changed = listPeopleFor(deps).find((person) => person.id === id);
  if (changed) return changed;
  throw new DomainError("not_found", "There is no such person");
}
