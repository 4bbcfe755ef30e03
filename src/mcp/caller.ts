import type { Principal } from "../kernel/actor.ts";
import { DomainError } from "../kernel/errors.ts";

/** Who sent a request to the tool server, from where, and which answers it accepts. */
export type Caller = {
  principal: Principal;
  /** Checks the credential again, for work that takes minutes. @throws DomainError when it is no longer valid. */
  renew: () => Principal;
  /** True for a grant of the sign-in flow, which the owner may extend when asked. A key cannot be extended. */
  isGrant: boolean;
  ip: string;
  /** The program that calls, as it names itself; empty when it does not. */
  client: string;
  /** The client accepts messages before the answer, such as progress. */
  takesStream: boolean;
  /** The client accepts plain JSON. A client that accepts only a stream gets even a single answer as a stream. */
  takesJson: boolean;
  /** Aborts when the client cancels the call with a separate message. */
  cancelled?: AbortSignal;
};

/** Authenticates callers of the tool server. Each function throws the refusal that fits. */
export type Credentials = {
  /** Checks `X-API-Key`, and `X-Act-As-User` when it is sent. */
  key: (key: string, actAsUser: string | null) => Principal;
  /** Checks an access token of the sign-in flow. */
  bearer: (token: string) => Principal;
};

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Returns who sent a request. A key takes precedence over a token, even when the key is invalid (decision 5.7).
 *
 * @throws DomainError `missing_api_key`, or what {@link Credentials} throw.
 */
export function identify(
  credentials: Credentials,
  headers: Headers,
): Pick<Caller, "principal" | "renew" | "isGrant"> {
  const key = headers.get("x-api-key");
  const token = BEARER.exec(headers.get("authorization") ?? "")?.[1];
  const isGrant = key === null && token !== undefined;
  if (key === null && token === undefined)
    throw new DomainError("missing_api_key", "Send an API key in the X-API-Key header, or sign in");
  const renew = () =>
    key === null ? credentials.bearer(token ?? "") : credentials.key(key, headers.get("x-act-as-user"));
  return { principal: renew(), renew, isGrant };
}
