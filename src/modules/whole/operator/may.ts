import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findOperator } from "../../people/accounts/service.ts";

/** Returns true for the operator's account. */
export function isOperator(deps: Pick<Deps, "db">, accountId: string): boolean {
  return findOperator(deps)?.id === accountId;
}

/** @throws DomainError `insufficient_scope` for every account but the operator's. */
export function requireOperator(deps: Pick<Deps, "db">, accountId: string): void {
  if (!isOperator(deps, accountId))
    throw new DomainError("insufficient_scope", "Only the account of the server's operator may do this");
}
