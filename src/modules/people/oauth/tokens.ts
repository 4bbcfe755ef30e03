import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { newToken } from "../../../kernel/ids.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../kernel/time.ts";
import { isActiveAccount } from "../accounts/service.ts";
import { isMember } from "../team/service.ts";
import { isResource, resourceOf } from "./addresses.ts";
import { isDocumentAddress } from "./client-document.ts";
import type { Fields } from "./fields.ts";
import { OAuthError } from "./oauth-error.ts";
import * as queries from "./queries.ts";
import { readScopes } from "./scopes.ts";
import { GRANT_IDLE_DAYS } from "./shapes.ts";

const ACCESS_MS = HOUR_MS;
const REFRESH_MS = GRANT_IDLE_DAYS * DAY_MS;
/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

type TokenDeps = Pick<Deps, "db" | "now" | "log" | "settings">;

/** The token response of RFC 6749, section 5.1. */
export type TokenAnswer = {
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
};

/**
 * Answers a request to the token endpoint.
 *
 * @throws OAuthError `invalid_request`, `invalid_client`, `unsupported_grant_type`, `invalid_grant`, `invalid_target`,
 *   `invalid_scope`.
 */
export function exchange(deps: TokenDeps, fields: Fields): TokenAnswer {
  const { grant_type, resource } = fields;
  if (grant_type === undefined) throw new OAuthError("invalid_request", "The grant_type is missing");
  if (grant_type !== "authorization_code" && grant_type !== "refresh_token")
    throw new OAuthError(
      "unsupported_grant_type",
      "The grant_type must be authorization_code or refresh_token",
    );
  const clientId = identify(deps, fields);
  if (resource !== undefined && !isResource(deps.settings, resource))
    throw new OAuthError("invalid_target", "The resource must be the tool server's address");
  return grant_type === "authorization_code"
    ? redeemCode(deps, clientId, fields)
    : refresh(deps, clientId, fields);
}

/**
 * Ends a token (RFC 7009): a refresh token ends its whole grant, an access token only itself. An unknown token is
 * ignored.
 *
 * @throws OAuthError `invalid_request`, `invalid_client`; `invalid_grant` when the token belongs to another client.
 */
export function revokeToken(deps: TokenDeps, fields: Fields): void {
  const clientId = identify(deps, fields);
  const { token } = fields;
  if (token === undefined) throw new OAuthError("invalid_request", "The token is missing");
  transact(deps.db, (tx) => {
    const tokenHash = sha256(token);
    const found = queries.findToken(tx, tokenHash);
    if (!found) return;
    if (found.grant.clientId !== clientId)
      throw new OAuthError("invalid_grant", "The token belongs to another client");
    if (found.token.kind === "access") queries.deleteToken(tx, tokenHash);
    else endGrant(tx, found.grant, "grant.revoke", deps.now());
  });
}

/** Returns the client that a request names; public clients prove nothing more. */
function identify({ db }: Pick<Deps, "db">, { client_id: id }: Fields): string {
  if (id === undefined) throw new OAuthError("invalid_client", "The client_id is missing");
  // A client with a document is identified by its address; the check of the code or token shows whether it is its own.
  if (isDocumentAddress(id) || queries.findClient(db, id)) return id;
  throw new OAuthError(
    "invalid_client",
    "The client is unknown, or its registration was deleted: register it again",
  );
}

function redeemCode(deps: TokenDeps, clientId: string, fields: Fields): TokenAnswer {
  const { code, code_verifier: verifier } = fields;
  if (code === undefined) throw new OAuthError("invalid_request", "The code is missing");
  if (verifier === undefined) throw new OAuthError("invalid_request", "The code_verifier is missing");
  // A refusal is thrown after the transaction, so that a grant it ended stays ended.
  return orThrow(
    transact(deps.db, (tx) => {
      const found = queries.findCode(tx, sha256(code));
      if (!found) return invalidGrant("The code is unknown");
      const { grant } = found;
      const at = deps.now();
      if (found.code.usedAt !== null) {
        // The first use may have been a thief's (RFC 6749, section 4.1.2).
        endGrant(tx, grant, "grant.code_replayed", at);
        deps.log("warn", "An authorization code was used twice; its grant was ended", { grantId: grant.id });
        return invalidGrant("The code was already used");
      }
      const refusal = whyNotRedeemed(tx, found, { ...fields, clientId, verifier }, at);
      if (refusal !== undefined) {
        // One attempt per code: after a wrong one, nothing is left to guess.
        endGrant(tx, grant, "grant.code_refused", at);
        return invalidGrant(refusal);
      }
      queries.markCodeUsed(tx, found.code.codeHash, at);
      return issue(tx, grant, grant.scopes, at);
    }),
  );
}

function whyNotRedeemed(
  tx: Db,
  { code, grant }: { code: queries.CodeRow; grant: queries.GrantRow },
  {
    clientId,
    verifier,
    redirect_uri,
  }: { clientId: string; verifier: string; redirect_uri?: string | undefined },
  at: number,
): string | undefined {
  if (grant.clientId !== clientId) return "The code belongs to another client";
  if (code.expiresAt <= at) return "The code has expired";
  // OAuth 2.1 lets a client leave it out; a client that sends it must send the same one.
  if (redirect_uri !== undefined && redirect_uri !== grant.redirectUri)
    return "The redirect_uri differs from the one in the authorization request";
  if (!VERIFIER.test(verifier) || !isChallengeOf(code.codeChallenge, verifier))
    return "The code_verifier does not match the code_challenge";
  if (!isActiveAccount({ db: tx }, grant.accountId)) return "The account is closed";
  return hasLeft(tx, grant, at) ? LEFT : undefined;
}

function isChallengeOf(challenge: string, verifier: string): boolean {
  const computed = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
  return isSameBytes(Buffer.from(computed), Buffer.from(challenge));
}

function refresh(deps: TokenDeps, clientId: string, { refresh_token: token, scope }: Fields): TokenAnswer {
  if (token === undefined) throw new OAuthError("invalid_request", "The refresh_token is missing");
  const asked = readScopes(scope);
  return orThrow(
    transact(deps.db, (tx) => {
      const found = queries.findToken(tx, sha256(token));
      if (found?.token.kind !== "refresh") return invalidGrant("The refresh_token is unknown");
      const { grant } = found;
      const at = deps.now();
      if (grant.clientId !== clientId) return invalidGrant("The refresh_token belongs to another client");
      if (found.token.usedAt !== null) {
        // One of the two has a stolen token, and the server cannot tell which (OAuth 2.1, section 4.3.1). A client
        // whose answer was lost is refused too, and asks its owner again.
        endGrant(tx, grant, "grant.token_reused", at);
        deps.log("warn", "A refresh token was used twice; its grant was ended", { grantId: grant.id });
        return invalidGrant("The refresh_token was already used");
      }
      const refusal = whyNotRefreshed(within(deps, tx), found, asked);
      if (refusal) return refusal;
      queries.markTokenUsed(tx, found.token.tokenHash, at);
      return issue(tx, grant, asked ?? grant.scopes, at);
    }),
  );
}

function whyNotRefreshed(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  { token, grant }: { token: queries.TokenRow; grant: queries.GrantRow },
  asked: readonly string[] | undefined,
): OAuthError | undefined {
  if (token.expiresAt <= now()) return invalidGrant("The refresh_token has expired");
  // New access tokens would be refused, so let the client ask its owner again.
  if (grant.resource !== resourceOf(settings))
    return invalidGrant("The address of the tool server has changed: ask for authorization again");
  if (!isActiveAccount({ db }, grant.accountId)) return invalidGrant("The account is closed");
  if (hasLeft(db, grant, now())) return invalidGrant(LEFT);
  return asked?.every((scope) => grant.scopes.includes(scope)) === false
    ? new OAuthError("invalid_scope", "A requested scope was not granted")
    : undefined;
}

const LEFT = "The person who allowed it is no longer in this library";

const hasLeft = (db: Db, { accountId, personId }: queries.GrantRow, at: number) =>
  personId !== null && !isMember(db, accountId, personId, at);

/** Issues a pair of tokens. The refresh token always covers the whole grant; the access token may cover less. */
function issue(tx: Db, grant: queries.GrantRow, scopes: string[], at: number): TokenAnswer {
  // The prefixes let programs that scan for leaked secrets recognize them.
  const access = `dpa_${newToken(32)}`;
  const renewal = `dpr_${newToken(32)}`;
  const shared = { grantId: grant.id };
  queries.insertToken(tx, {
    ...shared,
    kind: "access",
    tokenHash: sha256(access),
    scopes,
    expiresAt: at + ACCESS_MS,
  });
  queries.insertToken(tx, {
    ...shared,
    kind: "refresh",
    tokenHash: sha256(renewal),
    scopes: grant.scopes,
    expiresAt: at + REFRESH_MS,
  });
  queries.updateGrant(tx, grant.id, { expiresAt: at + REFRESH_MS });
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: ACCESS_MS / SECOND_MS,
    refresh_token: renewal,
    scope: scopes.join(" "),
  };
}

/** Ends a grant because of what its client did. */
function endGrant(tx: Db, { id, clientId }: queries.GrantRow, action: `grant.${string}`, at: number): void {
  queries.deleteGrant(tx, id);
  audit(tx, { actor: id, action, subject: id, detail: { clientId } }, at);
}

const invalidGrant = (message: string) => new OAuthError("invalid_grant", message);

function orThrow(outcome: TokenAnswer | OAuthError): TokenAnswer {
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}
