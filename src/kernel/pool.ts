/** Runs a limited number of tasks at once. */
export type Pool = {
  /** Starts a task as soon as there is room for it. @throws What an earlier task threw. */
  add: (work: () => Promise<void>) => Promise<void>;
  /** Waits until all tasks are done. @throws What one of them threw. */
  end: () => Promise<void>;
};

/** Makes a pool that runs at most `limit` tasks at once. */
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
