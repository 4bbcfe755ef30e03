/** Does works at once, a limited number of them. */
export type Pool = {
  /** Begins a work as soon as there is room for it. @throws what an earlier work threw. */
  add: (work: () => Promise<void>) => Promise<void>;
  /** Waits until all are done. @throws what one of them threw. */
  end: () => Promise<void>;
};

/** Makes a pool that does at most `limit` works at once. */
export function createPool(limit: number): Pool {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const check = () => {
    if (failure) throw failure.error;
  };
  return {
    async add(work) {
      if (running.size >= limit) await Promise.race(running);
      check();
      const run = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    async end() {
      await Promise.all(running);
      check();
    },
  };
}
