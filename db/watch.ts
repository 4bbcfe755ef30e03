import { AsyncLocalStorage } from "node:async_hooks";

/** What sees the transactions of a piece of work. Both functions are called inside the transaction. */
export type Watch<Db> = {
  begin: (tx: Db) => void;
  end: (tx: Db) => void;
  /** Nothing that the work writes is kept. */
  isRehearsal: boolean;
  /** Timers that the work has set go on after it; they are not part of it. */
  isOver: boolean;
};

const watches = new AsyncLocalStorage<Watch<never>>();
const TAKEN_BACK = Symbol("rehearsal");

/** Does a piece of work; `watch` sees every transaction that it makes. */
export async function watched<Db, Result>(watch: Watch<Db>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await watches.run(watch as Watch<never>, work);
  } finally {
    watch.isOver = true;
  }
}

/** Runs a transaction as the current watch demands; `run` must undo everything when what it is given throws. */
export function underWatch<Db, Result>(
  db: Db,
  work: () => Result,
  run: (work: () => Result) => Result,
): Result {
  const watch = watches.getStore() as Watch<Db> | undefined;
  if (!watch || watch.isOver) return run(work);
  let result: { value: Result } | undefined;
  try {
    return run(() => {
      watch.begin(db);
      result = { value: work() };
      watch.end(db);
      if (watch.isRehearsal) throw TAKEN_BACK;
      return result.value;
    });
  } catch (error) {
    if (error === TAKEN_BACK && result) return result.value;
    throw error;
  }
}
