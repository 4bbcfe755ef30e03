/** Who a request with an API key acts as. */
export type KeyActor = {
  keyId: string;
  /** The account whose library is touched; null for a platform key, which has none. */
  accountId: string | null;
};

/** A {@link KeyActor} with a library: every route but the platform ones has one. */
export type OwnerActor = KeyActor & { accountId: string };

/** Who a request with a session token acts as. */
export type SessionActor = { sessionId: string; accountId: string };
