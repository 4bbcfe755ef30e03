import { conditionOf } from "./condition.ts";
import type { Deps } from "./deps.ts";
import { isFullDisk } from "./trouble.ts";

/** Small writes that nobody waits for. They are done at once, or later if the disk is full. */
export type Keeping = {
  /** Does the work. What it throws is logged. Work that found no room is kept, and done in order when there is. */
  attempt(work: () => void): void;
  /** Tries again what was kept. */
  retry(): void;
};

/** While nothing can be written. */
const MAX_KEPT = 1000;

/**
 * Makes a {@link Keeping}. The oldest of more than 1,000 is dropped.
 *
 * @param failure Begins the log line when something cannot be written.
 */
export function createKeeping({ db, log }: Pick<Deps, "db" | "log">, failure: string): Keeping {
  const kept: (() => void)[] = [];
  let dropped = 0;

  /** Returns false for work that should be tried again. */
  const isDone = (work: () => void): boolean => {
    try {
      work();
    } catch (error) {
      conditionOf(db).report(error);
      if (isFullDisk(error)) return false;
      log("error", failure, { error });
    }
    return true;
  };
  const keep = (work: () => void) => {
    if (kept.length === 0) log("warn", `${failure}: the disk is full. It is kept until there is room`);
    kept.push(work);
    if (kept.length <= MAX_KEPT) return;
    kept.shift();
    dropped++;
    if (dropped % 100 === 1) log("warn", `${failure}: the oldest were dropped`, { dropped });
  };
  const retry = () => {
    while (kept[0] && isDone(kept[0])) kept.shift();
  };
  return {
    attempt(work) {
      retry();
      if (kept.length > 0 || !isDone(work)) keep(work);
    },
    retry,
  };
}
