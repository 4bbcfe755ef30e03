import { existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { DAY_MS, parseUtcDay } from "../kernel/time.ts";
import { move } from "./move.ts";
import { listSetAside, removeEmptyFolders, type SetAside, type Shelf } from "./quarantine.ts";
import { type HoldReason, listHolds, whileNothingHeld } from "./removal.ts";
import { originalsOf } from "./store.ts";

/** The result of emptying the quarantine. */
export type Emptied = {
  deleted: number;
  bytes: number;
  /** Why some or all files were kept: removal is held, or a backup runs. */
  heldBy: HoldReason | "backup" | undefined;
};

type EmptyDeps = Pick<Deps, "db" | "now" | "settings">;

/** Small enough that backups and writers wait only a moment. */
const BATCH_FILES = 25;

/**
 * Deletes files from the quarantine that were set aside on a day that ended more than `olderThanMs` ago. A file that a
 * row names again is not deleted but moved back. Deletes nothing while removal is held or a backup runs.
 *
 * @param olderThanMs When left out, deletes files of any day.
 */
export async function emptyQuarantine(
  deps: EmptyDeps,
  shelves: readonly Shelf[],
  olderThanMs?: number,
): Promise<Emptied> {
  const emptied: Emptied = { deleted: 0, bytes: 0, heldBy: listHolds(deps.db)[0]?.reason };
  const due = listSetAside(deps.settings, shelves).filter(
    ({ date }) => olderThanMs === undefined || deps.now() >= endOfDay(date) + olderThanMs,
  );
  for (let start = 0; start < due.length && !emptied.heldBy; start += BATCH_FILES) {
    const batch = due.slice(start, start + BATCH_FILES);
    const isDone = whileNothingHeld(deps.settings, () => deleteBatch(deps, batch, emptied));
    if (!isDone) emptied.heldBy = "backup";
    await setImmediate();
  }
  if (emptied.heldBy) return emptied;
  const remote = await originalsOf(deps.settings).emptyRemote(deps, olderThanMs);
  return {
    deleted: emptied.deleted + remote.deleted,
    bytes: emptied.bytes + remote.bytes,
    heldBy: remote.heldBy,
  };
}

/** When the day has ended: until then a file may have been set aside on it. */
const endOfDay = (date: string): number => (parseUtcDay(date) ?? Number.POSITIVE_INFINITY) + DAY_MS;

function deleteBatch({ db, settings }: EmptyDeps, batch: readonly SetAside[], emptied: Emptied): true {
  // The write lock ensures that no row names a file meanwhile.
  transact(db, (tx) => {
    for (const { path, home, shelf } of batch) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found) continue;
      if (!shelf.isNamed(tx, basename(home))) {
        rmSync(path);
        emptied.deleted++;
        emptied.bytes += found.size;
      } else if (!existsSync(home)) move(path, home);
      removeEmptyFolders(settings, path);
    }
  });
  return true;
}
