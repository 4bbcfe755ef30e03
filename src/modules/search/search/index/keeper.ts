import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Log } from "../../../../kernel/log.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../kernel/time.ts";
import { contentVersion } from "./content-version.ts";
import type { Mirror } from "./mirror.ts";
import type { Shard } from "./shard.ts";
import { freeze } from "./snapshot.ts";
import { writeSnapshot } from "./snapshot-file.ts";
import { manyChanges, type SnapshotRow, WORTH_KEEPING } from "./snapshots.ts";

/** Writes the shards of a mirror to files when they have changed enough, one at a time, in the background. */
export type Keeper = {
  /** Queues an account's shard for writing if it has changed enough. */
  note(ownerId: LibraryId): void;
};

/** Delay between the search that finds a file worth writing and the writing: the client may search again soon. */
const SETTLE_MS = 2 * SECOND_MS;
/** Delay after a failure: a full disk stays full for a while. */
const REST_MS = 10 * MINUTE_MS;

/** Returns a keeper. It calls `offer` for each file once it is complete and flushed; until then it is unusable. */
export function createKeeper(
  { mirror, folder, log }: { mirror: Mirror; folder: string; log: Log },
  offer: (row: SnapshotRow) => void,
): Keeper {
  const due = new Set<string>();
  let isBusy = false;
  let restUntil = 0;

  const keepAll = async () => {
    isBusy = true;
    for (const ownerId of due) {
      await setTimeout(SETTLE_MS);
      const shard = mirror.shards.get(ownerId);
      try {
        if (shard && isDue(shard)) offer(await keep(shard, folder));
      } catch (error) {
        log("warn", "The search index could not be written to its file", { error });
        restUntil = performance.now() + REST_MS;
      } finally {
        due.delete(ownerId);
      }
    }
    isBusy = false;
  };

  return {
    note(ownerId) {
      const shard = mirror.shards.get(ownerId);
      if (!shard || !isDue(shard) || performance.now() < restUntil) return;
      due.add(ownerId);
      if (!isBusy) void keepAll();
    },
  };
}

function isDue({ kept, length, alive }: Shard): boolean {
  if (alive < WORTH_KEEPING) return false;
  if (!kept) return true;
  const added = length - kept.length;
  const died = length - alive - (kept.length - kept.alive);
  return Math.max(added, died) >= manyChanges(alive);
}

/** Writes a shard to a new file and returns the row that makes the file valid. */
export async function keep(shard: Shard, folder: string): Promise<SnapshotRow> {
  const { ownerId, revision, length, alive } = shard;
  const name = crypto.randomUUID();
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await writeSnapshot(path, freeze(shard), name);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  shard.kept = { length, alive };
  return { ownerId, name, content: contentVersion(), revision, tracks: alive };
}
