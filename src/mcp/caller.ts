import type { Principal } from "../kernel/actor.ts";
import { DomainError } from "../kernel/errors.ts";

/** What a request to the tool server showed, and from where it came. */
export type Caller = {
  principal: Principal;
  /** Checks the credential again, for work that goes on for minutes. @throws DomainError once it is no longer good. */
  renew: () => Principal;
  /** A grant of the sign-in flow may be widened by asking its person; a key may not. */
  isGrant: boolean;
  ip: string;
  /** The client takes messages before the answer, such as progress. */
  takesStream: boolean;
  /** The client takes plain JSON; one that takes a stream alone gets even a single answer as one. */
  takesJson: boolean;
  /** Aborts when the client said by a message of its own that it no longer wants the answer. */
  cancelled?: AbortSignal;
};

/** Proves who is at the door of the tool server; each throws the refusal that fits. */
export type Credentials = {
  /** Checks `X-API-Key`, and `X-Act-As-User` where it is there. */
  key: (key: string, actAsUser: string | null) => Principal;
  /** Checks an access token of the sign-in flow. */
  bearer: (token: string) => Principal;
};

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Returns who sent a request. A key wins over a token, also when the key is not good (decision 5.7).
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
