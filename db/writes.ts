import type { Db } from "./client.ts";

/** Returns a number that changes when another connection writes to the database. Reads no table. */
export function dataVersion({ $client }: Db): number {
  return $client.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
}

/** Reports writes of one kind on the connection that makes them, which {@link dataVersion} does not show. */
export type OwnWrites = {
  /** Calls the connection's listener, if it has one. */
  report(db: Db): void;
  /**
   * Calls `listener` at every report on this connection. A connection has one listener. The transaction is still open
   * then, so the listener may only take note. Returns a function that removes the listener.
   */
  listen(db: Db, listener: () => void): () => void;
};

/** Returns reports without listeners. */
export function createOwnWrites(): OwnWrites {
  const listeners = new WeakMap<Db, () => void>();
  return {
    report: (db) => listeners.get(db)?.(),
    listen(db, listener) {
      listeners.set(db, listener);
      return () => {
        if (listeners.get(db) === listener) listeners.delete(db);
      };
    },
  };
}
