import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import {
  ACT_AS_USER,
  ALL_SCOPES,
  ASSIGNABLE_SCOPES,
  isAssignable,
  isPlatformScope,
} from "../../../kernel/scopes.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { requireText } from "../../../kernel/text.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";
import { sealSecret } from "./sealed.ts";
import { type CreateKey, MAX_LIVE_KEYS, MAX_PLATFORM_KEY_DAYS, type MaskedKey } from "./shapes.ts";

export { principalOfKey } from "./authenticate.ts";
export { endKeysOf, type Keeper, listKeysOf, mayKeep, revokeKeysOf } from "./of-person.ts";
export { listSealed, switchOffWebhook } from "./queries.ts";
export { resealKeys } from "./sealed.ts";
export { deleteUsageOf } from "./usage.ts";

type KeyDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns the scopes that an owner may assign. */
export function scopeCatalog(): { scopes: string[] } {
  return { scopes: [...ASSIGNABLE_SCOPES] };
}

/**
 * Creates a key for an account. `isOperator` also allows `act-as-user` and the legacy `all`; `madeBy` is the member who makes
 * it: the key may never do more than they may.
 *
 * @throws DomainError `invalid_scope`, `key_limit_reached`; `validation_failed` when the name is blank.
 */
export function createKey(
  deps: KeyDeps,
  accountId: LibraryId,
  { name, scopes, days }: CreateKey,
  { isOperator = false, madeBy = null }: { isOperator?: boolean; madeBy?: PersonId | null } = {},
): { key: string; id: string } {
  const trimmed = requireText("name", name);
  if (scopes) checkScopes(scopes, isOperator ? [ACT_AS_USER, ALL_SCOPES] : []);

  return transact(deps.db, (tx) => {
    const at = deps.now();
    if (queries.countLiveKeys(tx, accountId, at) >= MAX_LIVE_KEYS)
      throw new DomainError(
        "key_limit_reached",
        `An account may have ${MAX_LIVE_KEYS} keys: revoke one first`,
      );
    const expiresAt = days === undefined ? null : at + days * DAY_MS;
    const row = { accountId, name: trimmed, scopes: scopes ? [...new Set(scopes)] : null, expiresAt, madeBy };
    const issued = issueKey(within(deps, tx), row, at);
    const actor = isOperator ? "operator" : accountId;
    const detail = { name: trimmed, scopes: scopes ?? "every" };
    audit(tx, { actor, action: "key.create", subject: issued.id, detail }, at);
    return issued;
  });
}

/**
 * Creates a platform key, for the operator only. It always expires. Audited.
 *
 * @throws DomainError `invalid_scope`, `validation_failed`.
 */
export function createPlatformKey(
  deps: KeyDeps,
  { name, scopes, days }: { name: string; scopes: readonly string[]; days: number },
): { id: string; key: string; expiresAt: string } {
  const unknown = scopes.filter((scope) => !isPlatformScope(scope));
  if (unknown.length > 0 || scopes.length === 0) throw invalidScope(unknown);
  if (!Number.isInteger(days) || days < 1 || days > MAX_PLATFORM_KEY_DAYS)
    throw invalidField("days", "range", `must be 1 to ${MAX_PLATFORM_KEY_DAYS}`);
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const expiresAt = at + days * DAY_MS;
    const issued = issueKey(
      within(deps, tx),
      { accountId: null, name: requireText("name", name), scopes: [...scopes], expiresAt },
      at,
    );
    audit(
      tx,
      { actor: "operator", action: "platform_key.create", subject: issued.id, detail: { scopes, days } },
      at,
    );
    return { ...issued, expiresAt: toIso(expiresAt) };
  });
}

/** Returns an account's keys that are not revoked, newest first, without secrets. */
export function listKeys({ db }: Pick<Deps, "db">, accountId: LibraryId): MaskedKey[] {
  return queries.listKeys(db, accountId).map(toMasked);
}

/**
 * Replaces the scopes of a key.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `key_not_editable`, `invalid_scope`.
 */
export function replaceScopes(
  { db, now }: KeyDeps,
  accountId: LibraryId,
  id: string,
  scopes: readonly string[],
) {
  return transact(db, (tx) => {
    const at = now();
    const key = getLiveKey(tx, accountId, id, at);
    if (key.scopes?.some((scope) => scope === ACT_AS_USER || isPlatformScope(scope)))
      throw new DomainError(
        "key_not_editable",
        "The operator set the scopes of this key: ask them to change it",
      );
    checkScopes(scopes, []);
    const unique = [...new Set(scopes)];
    queries.updateKey(tx, id, { scopes: unique });
    const detail = { name: key.name, scopes: unique };
    audit(tx, { actor: accountId, action: "key.scopes", subject: id, detail }, at);
    return { ok: true as const, id, scopes: unique };
  });
}

/** Moves what other modules keep for a key to its replacement, in the same transaction as the rotation. */
export type OnRotated = (tx: Db, from: string, to: string) => void;

/**
 * Gives a key a new id and secret and keeps everything else, but for its maker where `madeBy` says so. The old key stops working
 * at once.
 *
 * @throws DomainError `key_not_found`, `key_not_active`.
 */
export function rotateKey(
  deps: KeyDeps,
  accountId: LibraryId,
  id: string,
  onRotated: OnRotated,
  madeBy: PersonId | null = null,
): { id: string; createdAt: string; key: string } {
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const old = getLiveKey(tx, accountId, id, at);
    const issued = issueKey(
      within(deps, tx),
      { ...carriedOver(old), ...(madeBy !== null && { madeBy }) },
      at,
    );
    queries.updateKey(tx, id, { revokedAt: at, rotatedTo: issued.id });
    onRotated(tx, id, issued.id);
    const detail = { name: old.name, to: issued.id };
    audit(tx, { actor: accountId, action: "key.rotate", subject: id, detail }, at);
    return { id: issued.id, createdAt: toIso(at), key: issued.key };
  });
}

/**
 * Revokes a key of the account (null: a platform key) permanently. A repeated call changes nothing (decision 3.7).
 *
 * @throws DomainError `key_not_found`.
 */
export function revokeKey(
  { db, now }: Pick<Deps, "db" | "now">,
  accountId: LibraryId | null,
  id: string,
): { ok: true } {
  return transact(db, (tx) => revoke(tx, getKey(tx, accountId, id), accountId ?? "operator", now()));
}

/** Like {@link revokeKey} for any key of the library, for the operator. */
export function revokeAnyKey({ db, now }: Pick<Deps, "db" | "now">, id: string): { ok: true } {
  return transact(db, (tx) => {
    const key = queries.findAnyKey(tx, id);
    if (!key) throw noSuchKey();
    return revoke(tx, key, "operator", now());
  });
}

function revoke(tx: Db, { id, name, revokedAt }: queries.KeyRow, actor: string, at: number): { ok: true } {
  if (revokedAt !== null) return { ok: true };
  queries.updateKey(tx, id, { revokedAt: at });
  audit(tx, { actor, action: "key.revoke", subject: id, detail: { name } }, at);
  return { ok: true };
}

/** Returns the platform keys, newest first, for the operator. */
export function listPlatformKeys({ db }: Pick<Deps, "db">) {
  return queries
    .listPlatformKeys(db)
    .map((row) => ({ ...toMasked(row), revokedAt: toIsoOrNull(row.revokedAt) }));
}

/** What a new key has besides its id and secret. */
type NewKey = Omit<Parameters<typeof queries.insertKey>[1], "id" | "secretHash" | "secretCopy" | "createdAt">;

function issueKey({ db, secrets }: Pick<Deps, "db" | "secrets">, row: NewKey, at: number) {
  const id = newId("key");
  const secret = newToken(32);
  const secretCopy = sealSecret(secrets, id, secret);
  queries.insertKey(db, { ...row, id, secretHash: sha256(secret), secretCopy, createdAt: at });
  return { key: `${id}.${secret}`, id };
}

function carriedOver({
  accountId,
  name,
  scopes,
  expiresAt,
  webhookUrl,
  webhookActive,
  webhookSecret,
  madeBy,
}: queries.KeyRow) {
  return { accountId, name, scopes, expiresAt, webhookUrl, webhookActive, webhookSecret, madeBy };
}

/**
 * Returns a key of the account (null: a platform key).
 *
 * @throws DomainError `key_not_found`.
 */
export function getKey(db: Db, accountId: LibraryId | null, id: string): queries.KeyRow {
  const key = queries.findKey(db, accountId, id);
  if (key) return key;
  throw noSuchKey();
}

const noSuchKey = () => new DomainError("key_not_found", "There is no such key");

/**
 * Returns a key of the account that is usable at `at`.
 *
 * @throws DomainError `key_not_found`, `key_not_active`.
 */
export function getLiveKey(db: Db, accountId: LibraryId, id: string, at: number): queries.KeyRow {
  const key = getKey(db, accountId, id);
  if (key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at)) return key;
  throw new DomainError("key_not_active", "This key is revoked or has expired");
}

type WebhookColumns = Partial<Pick<queries.KeyRow, "webhookUrl" | "webhookActive" | "webhookSecret">>;

/** Stores where a key's events go and how they are signed. */
export function updateWebhook(tx: Db, id: string, columns: WebhookColumns): void {
  queries.updateKey(tx, id, columns);
}

/**
 * Splits the scopes of a key that was made elsewhere: into those that an owner may give, null for every one, and others.
 * `all` is what every one is, and an owner may give that.
 */
export function ownScopesOf(scopes: readonly string[] | null): { own: string[] | null; foreign: string[] } {
  const foreign = (scopes ?? []).filter((scope) => !isAssignable(scope) && scope !== ALL_SCOPES);
  const own =
    scopes === null || scopes.includes(ALL_SCOPES) ? null : [...new Set(scopes.filter(isAssignable))];
  return { own, foreign };
}

function checkScopes(scopes: readonly string[], alsoAllowed: readonly string[]): void {
  const unknown = scopes.filter((scope) => !isAssignable(scope) && !alsoAllowed.includes(scope));
  if (unknown.length > 0) throw invalidScope(unknown);
}

function invalidScope(unknown: readonly string[]): DomainError {
  return new DomainError("invalid_scope", "A scope is unknown or cannot be assigned", {
    data: { scopes: unknown },
  });
}

/** Returns a key as its owner sees it, without the secret. */
export function toMasked(row: queries.KeyRow): MaskedKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes ?? [...ASSIGNABLE_SCOPES],
    webhookUrl: row.webhookUrl,
    webhookActive: row.webhookActive,
    createdAt: toIso(row.createdAt),
    lastUsedAt: toIsoOrNull(row.lastUsedAt),
    expiresAt: toIsoOrNull(row.expiresAt),
  };
}
