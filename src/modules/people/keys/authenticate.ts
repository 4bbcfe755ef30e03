import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type KeyActor, type Principal, roleRefusal } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ACT_AS_USER, isPlatformScope, type Scope, satisfies } from "../../../kernel/scopes.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { isActiveAccount } from "../accounts/service.ts";
import { allowedToMaker, cutToMaker, onBehalfOf } from "../team/service.ts";
import * as queries from "./queries.ts";

/** Compared against when the key does not exist, so that an unknown id takes as long as a wrong secret. */
const NO_SECRET_HASH = Buffer.alloc(32);
const KEY_FORMAT = /^(key_[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/**
 * Returns the account that a request with this `X-API-Key` acts as. It reads the key every time, so a key revoked from
 * the command line is refused on the next request.
 *
 * @throws DomainError `missing_api_key`, `invalid_key` (malformed, unknown, revoked; decision 5.6; its maker has left), `expired_key`,
 *   `insufficient_scope`.
 */
export function authenticateKey(
  deps: Pick<Deps, "db" | "now">,
  header: string | null,
  required: Scope,
  actAsUser: string | null,
): KeyActor {
  const { actor, scopes } = proveKey(deps, header);
  if (!satisfies(scopes, required)) throw insufficientScope(required);
  return actAsUser === null ? actor : actAs(deps, actor.keyId, scopes, actAsUser);
}

/**
 * Returns the account and scopes of an `X-API-Key` without requiring a scope: the tool server checks the scope of each
 * call separately.
 *
 * @throws DomainError as {@link authenticateKey}; `insufficient_scope` only when `X-Act-As-User` is refused.
 */
export function principalOfKey(
  deps: Pick<Deps, "db" | "now">,
  header: string,
  actAsUser: string | null,
): Principal {
  const { actor, scopes } = proveKey(deps, header);
  return { actor: actAsUser === null ? actor : actAs(deps, actor.keyId, scopes, actAsUser), scopes };
}

/**
 * Returns the actor of a principal that has the scope `required`. A refusal of a member names their role.
 *
 * @throws DomainError `insufficient_scope`.
 */
export function admitPrincipal({ actor, scopes, role }: Principal, required: Scope): KeyActor {
  if (satisfies(scopes, required)) return actor;
  if (role === undefined) throw insufficientScope(required);
  throw isPlatformScope(required) ? insufficientScope(required, "session") : roleRefusal(required, role);
}

function proveKey(deps: Pick<Deps, "db" | "now">, header: string | null): Principal {
  if (header === null || header.trim() === "")
    throw new DomainError("missing_api_key", "Send an API key in the X-API-Key header");
  const [, id = "", secret = ""] = KEY_FORMAT.exec(header.trim()) ?? [];
  const proof = queries.findKeyProof(deps.db, id);
  const isRight = isSameBytes(sha256(secret), proof?.secretHash ?? NO_SECRET_HASH);
  if (!proof || !isRight || proof.revokedAt !== null || proof.isAccountActive === 0) throw invalidKey();
  if (proof.expiresAt !== null && proof.expiresAt <= deps.now())
    throw new DomainError("expired_key", "This API key has expired: create a new one");

  const allowed = allowedToMaker(proof, deps.now());
  if (allowed === null) throw invalidKey();
  const scopes: string[] | null = proof.scopes === null ? null : JSON.parse(proof.scopes);
  const actor: KeyActor = { keyId: id, accountId: proof.accountId, ...onBehalfOf(proof, allowed) };
  return { actor, scopes: cutToMaker(scopes, allowed) };
}

const invalidKey = () => new DomainError("invalid_key", "This API key is not valid");

/** Runs the request as another account (decision 5.3); each such request is audited. */
function actAs(
  { db, now }: Pick<Deps, "db" | "now">,
  keyId: string,
  scopes: readonly string[] | null,
  accountId: LibraryId,
): KeyActor {
  if (!scopes?.includes(ACT_AS_USER)) throw insufficientScope(ACT_AS_USER);
  if (!isActiveAccount({ db }, accountId))
    throw new DomainError("insufficient_scope", "X-Act-As-User does not name an account on this server");
  transact(db, (tx) => audit(tx, { actor: keyId, action: "key.act_as_user", subject: accountId }, now()));
  return { keyId, accountId };
}

function insufficientScope(required: string, name: "API key" | "session" = "API key"): DomainError {
  return new DomainError("insufficient_scope", `This ${name} lacks the scope ${required}`, {
    data: { required },
  });
}
