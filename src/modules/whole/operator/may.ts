import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findOperator } from "../../people/accounts/service.ts";

/** Returns true for the operator's account. */
export function isOperator(deps: Pick<Deps, "db">, accountId: LibraryId): boolean {
  return findOperator(deps)?.id === accountId;
}

/** Passes for the operator, whatever library they are in. @throws DomainError `insufficient_scope` for everybody else. */
export function requireOperator(deps: Pick<Deps, "db">, personId: PersonId): void {
  if (findOperator(deps)?.ownerId !== personId)
    throw new DomainError("insufficient_scope", "Only the account of the server's operator may do this");
}
