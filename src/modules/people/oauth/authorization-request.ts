import type { OrdinaryScope } from "../../../kernel/scopes.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { isResource, issuerOf } from "./addresses.ts";
import type { Client } from "./client.ts";
import type { Fields } from "./fields.ts";
import { OAuthError } from "./oauth-error.ts";
import { isSameRedirect, withParameters } from "./redirect-uri.ts";
import { readScopes } from "./scopes.ts";

/** A SHA-256 hash in base64url. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** What a client asks an owner for, once the client and its redirect address are verified. */
export type AuthorizationRequest = {
  /** Undefined when the client named no scopes. */
  scopes: OrdinaryScope[] | undefined;
  state: string | null;
  codeChallenge: string;
};

/**
 * Returns the address that the answer to a request goes to. A client with one address may leave it out.
 *
 * @throws OAuthError `invalid_request` when the address is not the client's: no browser is ever sent there.
 */
export function readRedirect(
  { redirectUris }: Pick<Client, "redirectUris">,
  asked: string | undefined,
): string {
  if (asked !== undefined) {
    if (redirectUris.some((registered) => isSameRedirect(registered, asked))) return asked;
    throw new OAuthError("invalid_request", "The redirect_uri is not registered for this client");
  }
  const [only, second] = redirectUris;
  if (only !== undefined && second === undefined) return only;
  throw new OAuthError("invalid_request", "The redirect_uri is missing");
}

/**
 * Reads the rest of an authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3; RFC 8707, section 2).
 *
 * @throws OAuthError `invalid_request`, `unsupported_response_type`, `invalid_scope`, `invalid_target`.
 */
export function readRequest(settings: Settings, fields: Fields): AuthorizationRequest {
  const { response_type, response_mode, code_challenge, code_challenge_method, resource, scope, state } =
    fields;
  if (response_type === undefined) throw new OAuthError("invalid_request", "The response_type is missing");
  if (response_type !== "code")
    throw new OAuthError("unsupported_response_type", "The response_type must be code");
  if (response_mode !== undefined && response_mode !== "query")
    throw new OAuthError("invalid_request", "The response_mode must be query");
  if (code_challenge === undefined) throw new OAuthError("invalid_request", "A code_challenge is required");
  // A missing method means "plain" (RFC 7636, section 4.3), which gives no protection.
  if (code_challenge_method !== "S256")
    throw new OAuthError("invalid_request", "Transform algorithm not supported: the method must be S256");
  if (!S256_CHALLENGE.test(code_challenge))
    throw new OAuthError("invalid_request", "The code_challenge must be a SHA-256 hash in base64url");
  if (resource !== undefined && !isResource(settings, resource))
    throw new OAuthError("invalid_target", "The resource must be the tool server's address");
  return { scopes: readScopes(scope), state: state ?? null, codeChallenge: code_challenge };
}

/** Returns the address that takes a code or a refusal back to the client, with `iss` (RFC 9207). */
export function answerAddress(
  settings: Settings,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: { code: string } | OAuthError,
): string {
  const parameters =
    answer instanceof OAuthError
      ? { error: answer.code, error_description: answer.message }
      : { code: answer.code };
  return withParameters(redirectUri, { ...parameters, state, iss: issuerOf(settings) });
}
