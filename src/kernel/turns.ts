/** Lets one request at a time work on an upload. */
export type Turns = {
  /**
   * Waits for its turn and does `work`. Asks the request before it to stop: a sender that comes back has lost its first
   * connection, although the server may not have noticed yet.
   */
  take: <Result>(id: string, work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
};

type Turn = { controller: AbortController; done: Promise<unknown> };

/** Creates {@link Turns} for the uploads of one server. */
export function createTurns(): Turns {
  const last = new Map<string, Turn>();
  return {
    take: (id, work) => {
      const before = last.get(id);
      before?.controller.abort();
      const controller = new AbortController();
      const result = Promise.resolve(before?.done).then(() => work(controller.signal));
      const turn: Turn = { controller, done: result.catch(() => undefined) };
      last.set(id, turn);
      void turn.done.then(() => {
        if (last.get(id) === turn) last.delete(id);
      });
      return result;
    },
  };
}
