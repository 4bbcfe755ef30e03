import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ASSIGNABLE_SCOPES } from "../../../kernel/scopes.ts";
import { peopleIn } from "../people/service.ts";
import { allowedToMaker, cutToMaker, ownerOf } from "../team/service.ts";
import * as queries from "./queries.ts";
import { openSecret } from "./sealed.ts";
import { createKey, getKey, toMasked } from "./service.ts";
import { type CreatedKey, type CreateKey, type CurrentKey, type ListedKey, MAX_OWN_KEYS } from "./shapes.ts";

type KeyDeps = Pick<Deps, "db" | "now" | "secrets">;

/** True for a key that the person made. What nobody made, such as a key of the operator, is the owner's. */
const isMine = ({ personId, allowed }: SessionActor, madeBy: PersonId | null) =>
  madeBy === personId || (madeBy === null && allowed.needs.has("own:library"));

/**
 * Creates a key for a member: of those who do not manage keys, at most {@link MAX_OWN_KEYS}, with scopes that they have.
 *
 * @throws DomainError `invalid_scope`, `key_limit_reached`; `validation_failed` when the name is blank.
 */
export function createOwnKey(deps: KeyDeps, actor: SessionActor, wanted: CreateKey): CreatedKey {
  const { accountId, personId } = actor;
  requireOwnScopes(actor, wanted.scopes);
  return transact(deps.db, (tx) => {
    if (
      !mayDo(actor, "manage:keys") &&
      queries.countLiveKeys(tx, accountId, deps.now(), personId) >= MAX_OWN_KEYS
    )
      throw new DomainError("key_limit_reached", `You may have ${MAX_OWN_KEYS} keys: revoke one first`);
    return createKey(within(deps, tx), accountId, wanted, { madeBy: personId });
  });
}

/** @throws DomainError `invalid_scope` for scopes that the role does not have. */
export function requireOwnScopes({ allowed }: SessionActor, scopes: readonly string[] = []): void {
  const own: readonly string[] = allowed.scopes;
  const beyond = scopes.filter((scope) => !own.includes(scope) && isKnown(scope));
  if (beyond.length > 0)
    throw new DomainError("invalid_scope", "Your role in this library does not have this scope", {
      data: { scopes: beyond },
    });
}

/** What is no scope at all is refused elsewhere. */
const isKnown = (scope: string) => (ASSIGNABLE_SCOPES as readonly string[]).includes(scope);

/**
 * Passes for a key that the member may change: their own, and anybody's for those who manage keys.
 *
 * @throws DomainError `key_not_found`.
 */
export function requireKey(db: Db, actor: SessionActor, id: string): void {
  const { madeBy } = getKey(db, actor.accountId, id);
  if (!mayDo(actor, "manage:keys") && !isMine(actor, madeBy))
    throw new DomainError("key_not_found", "There is no such key");
}

/**
 * Returns who is the maker of a key after a member gave it a new secret. It stays whose it was, but a key of the owner or of nobody
 * becomes theirs, since nothing else would limit whoever has the secret, or end it with them.
 */
export function makerAfter(db: Db, { accountId, personId }: SessionActor, id: string): PersonId | null {
  const { madeBy } = getKey(db, accountId, id);
  return madeBy === null || madeBy === ownerOf(db, accountId) ? personId : madeBy;
}

/** Returns the keys that are not revoked and that the member may change, newest first, without secrets. */
export function listOwnKeys(deps: KeyDeps, actor: SessionActor): ListedKey[] {
  const rows = queries.listKeys(deps.db, actor.accountId);
  return toListed(
    deps,
    actor,
    mayDo(actor, "manage:keys") ? rows : rows.filter(({ madeBy }) => isMine(actor, madeBy)),
  );
}

/**
 * Returns the newest key that is not revoked and that the member made, with its secret where the operator allows it: nobody sees
 * the secret of somebody else. Audited.
 */
export function currentOwnKey(
  deps: KeyDeps & Pick<Deps, "settings">,
  actor: SessionActor,
): CurrentKey | null {
  const { accountId } = actor;
  const newest = (db: Db) => {
    const row = queries.listKeys(db, accountId).find(({ madeBy }) => isMine(actor, madeBy));
    const [listed] = row ? toListed(within(deps, db), actor, [row]) : [];
    return row && listed && { row, listed };
  };
  if (!deps.settings.revealKeys) {
    const found = newest(deps.db);
    return found ? { ...found.listed, key: null } : null;
  }
  // A rotation of the master secret seals the copy anew: it is read where it is opened.
  return transact(deps.db, (tx) => {
    const found = newest(tx);
    if (!found) return null;
    const { row, listed } = found;
    audit(tx, { actor: accountId, action: "key.reveal", subject: row.id }, deps.now());
    const secret = openSecret(deps, row);
    return { ...listed, key: secret === undefined ? null : `${row.id}.${secret}` };
  });
}

function toListed(deps: KeyDeps, { accountId }: SessionActor, rows: readonly queries.KeyRow[]): ListedKey[] {
  const by = peopleIn(
    deps,
    accountId,
    rows.map(({ madeBy }) => madeBy),
  );
  const at = deps.now();
  return rows.map((row) => {
    const maker = queries.findKeyProof(deps.db, row.id);
    const allowed = maker ? allowedToMaker(maker, at) : null;
    const scopes = allowed === null ? [] : (cutToMaker(row.scopes, allowed) ?? ASSIGNABLE_SCOPES);
    return { ...toMasked(row), madeBy: by(row.madeBy), effectiveScopes: [...scopes] };
  });
}
