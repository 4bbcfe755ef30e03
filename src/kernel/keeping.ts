import { conditionOf } from "./condition.ts";
import type { Deps } from "./deps.ts";
import { isFullDisk } from "./trouble.ts";

/** Small writes that no request waits for. They happen at once, or later if the disk is full. */
export type Keeping = {
  /**
   * Does the work, and logs what it throws. Work that fails on a full disk is kept, and done in order once there is
   * room.
   */
  attempt(work: () => void): void;
  /** Tries the kept work again. */
  retry(): void;
};

/** Work that waits for room. */
const MAX_KEPT = 1000;

/**
 * Makes a {@link Keeping}. It keeps at most 1,000 pieces of work, and drops the oldest.
 *
 * @param failure Begins the log line when something cannot be written.
 */
export function createKeeping({ db, log }: Pick<Deps, "db" | "log">, failure: string): Keeping {
  const kept: (() => void)[] = [];
  let dropped = 0;

  /** Returns false when the work should be tried again. */
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
