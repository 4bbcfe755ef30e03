/** Who a request with an API key acts as. */
export type KeyActor = {
  keyId: string;
  /** The account whose library is touched; null for a platform key, which has none. */
  accountId: string | null;
};

/** A {@link KeyActor} with a library: every route but the platform ones has one. */
export type OwnerActor = KeyActor & { accountId: string };

/** Somebody who has shown a credential, before anybody asked for a scope. Null stands for every assignable scope. */
export type Principal = { actor: KeyActor; scopes: readonly string[] | null };

/** Who a request with a session token acts as. */
export type SessionActor = { sessionId: string; accountId: string };
