import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findOperatingPerson, findOperator } from "../../people/accounts/service.ts";

/** Returns true for the library that the operator owns: the oldest, where there are several. */
export function isOperator(deps: Pick<Deps, "db">, accountId: LibraryId): boolean {
  return findOperator(deps)?.id === accountId;
}

/** Passes for the operator, whatever library they are in. @throws DomainError `insufficient_scope` for everybody else. */
export function requireOperator(deps: Pick<Deps, "db">, personId: PersonId): void {
  if (findOperatingPerson(deps)?.id !== personId)
    throw new DomainError("insufficient_scope", "Only the account of the server's operator may do this");
}
