import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Allowed } from "../../../kernel/roles.ts";
import { ALL_SCOPES, ASSIGNABLE_SCOPES } from "../../../kernel/scopes.ts";
import * as queries from "./queries.ts";

/** Somebody who made keys in a library. */
type Maker = { accountId: LibraryId; personId: PersonId };

/** Returns the keys that somebody made in a library and that work at `at`, newest first. */
export function listKeysOf(db: Db, { accountId, personId }: Maker, at: number): queries.KeyRow[] {
  return queries
    .listKeys(db, accountId)
    .filter(({ madeBy, expiresAt }) => madeBy === personId && (expiresAt ?? at + 1) > at);
}

/** Who keeps keys of somebody who goes, and what they may. */
export type Keeper = { personId: PersonId; allowed: Allowed };

/** True when somebody has every scope of a key, so that it may go on under their name. */
export function mayKeep({ scopes }: Pick<queries.KeyRow, "scopes">, { allowed }: Pick<Keeper, "allowed">) {
  return missingScope(scopes, allowed.scopes) === undefined;
}

function missingScope(scopes: readonly string[] | null, own: readonly string[]): string | undefined {
  const wanted = scopes === null || scopes.includes(ALL_SCOPES) ? ASSIGNABLE_SCOPES : scopes;
  return wanted.find((scope) => !own.includes(scope));
}

/**
 * Ends the keys that somebody made in a library, but for those that somebody keeps under their own name. Returns how many ended.
 * Audited. Call it in the transaction that ends the membership.
 *
 * @throws DomainError `key_not_found` for one to keep that is not among them; `insufficient_scope` when the keeper lacks a scope of it.
 */
export function endKeysOf(
  tx: Db,
  maker: Maker,
  { keep, keeper, at }: { keep: readonly string[]; keeper: Keeper | undefined; at: number },
): number {
  const keys = listKeysOf(tx, maker, at);
  if (keep.some((id) => !keys.some((key) => key.id === id)))
    throw new DomainError("key_not_found", "There is no such key of this member");
  const kept = keeper === undefined ? [] : keys.filter(({ id }) => keep.includes(id));
  for (const key of kept) if (keeper) keepKey(tx, key, keeper, at);
  const ended = keys.filter((key) => !kept.includes(key));
  for (const { id, name } of ended) {
    queries.updateKey(tx, id, { revokedAt: at });
    note(tx, maker.accountId, "key.revoke", { id, name }, at);
  }
  return ended.length;
}

function keepKey(tx: Db, { id, name, scopes, accountId }: queries.KeyRow, keeper: Keeper, at: number): void {
  const required = missingScope(scopes, keeper.allowed.scopes);
  if (required !== undefined)
    throw new DomainError("insufficient_scope", `You lack a scope of the key ${name}`, {
      data: { required },
    });
  queries.updateKey(tx, id, { madeBy: keeper.personId });
  if (accountId !== null) note(tx, accountId, "key.keep", { id, name }, at);
}

function note(
  tx: Db,
  accountId: LibraryId,
  action: "key.keep" | "key.revoke",
  { id: subject, name }: Pick<queries.KeyRow, "id" | "name">,
  at: number,
): void {
  audit(tx, { actor: accountId, action, subject, detail: { name }, accountId }, at);
}

/** Revokes every key that a person made, in any library; returns how many there were. Call it in a transaction. Audited. */
export function revokeKeysOf(tx: Db, personId: PersonId, at: number): number {
  const keys = queries.listKeysOf(tx, personId);
  for (const { id } of keys) {
    queries.updateKey(tx, id, { revokedAt: at });
    audit(tx, { actor: personId, action: "key.revoke", subject: id }, at);
  }
  return keys.length;
}
