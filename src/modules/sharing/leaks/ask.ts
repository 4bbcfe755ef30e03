import type { Db } from "../../../../db/client.ts";
import type { LeakOutcome, LeakPool, LeakTask } from "./task.ts";

/** The threads that look into leaks over each database, where there are any. */
const pools = new WeakMap<Db, LeakPool>();

/** Lets a thread look into leaks from now on. Returns a function to stop it. */
export function startReadingLeaks(db: Db, pool: LeakPool): { stop: () => void } {
  pools.set(db, pool);
  return {
    stop() {
      pools.delete(db);
      pool.close();
    },
  };
}

/** Does a task: in a thread where there is one, otherwise here. The caller knows the kind of its answer. */
export type Ask = <Answer extends LeakOutcome>(task: LeakTask) => Promise<Answer>;

/** Returns what does the tasks of a look-up. It throws MediaError for faults in a file, and the signal's reason. */
export function createAsk(db: Db, signal: AbortSignal): Ask {
  return async (task) => {
    const pool = pools.get(db);
    const answer = pool
      ? await pool.run(task, signal)
      : await (await import("./measure.ts")).measure(task, signal);
    // The task says which answer comes.
    return answer as never;
  };
}
