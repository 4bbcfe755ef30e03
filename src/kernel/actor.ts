/** Who a request with an API key acts as. */
export type KeyActor = {
  keyId: string;
  /** The account whose library the request uses. Null for a platform key, which has no library. */
  accountId: string | null;
};

/** A {@link KeyActor} with a library. Every route except the platform routes acts as one. */
export type OwnerActor = KeyActor & { accountId: string };

/** A caller with a valid credential, before any scope is checked. Null scopes mean every assignable scope. */
export type Principal = { actor: KeyActor; scopes: readonly string[] | null };

/** Who a request with a session token acts as. */
export type SessionActor = { sessionId: string; accountId: string };
