import { transact } from "../../../../../db/client.ts";
import { originalsOf, withLocalCopy } from "../../../../blobs/store.ts";
import type { HeardPassages } from "../../../../ears/places.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { isFullDisk } from "../../../../kernel/trouble.ts";
import { refreshTracks } from "../learning/refresh.ts";
import type { HearWholeTask } from "../task.ts";
import type { WorkerPool } from "../worker-pool.ts";

import { putHeardPassages } from "./store.ts";
import { findUnplaced, nextUnplaced, promiseOlder, type Unplaced } from "./unplaced.ts";

/** The thread that listens to whole tracks. */
export type HearWholePool = WorkerPool<HearWholeTask, HeardPassages | null>;

type HearDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/**
 * Returns the handler of the job `hear_whole`: listens to a whole track, passage by passage, and promises the next older one
 * where the payload says from where. A file that cannot be read is passed over until the next start.
 */
export function hearWholeHandler(deps: HearDeps, pool: HearWholePool): JobHandler {
  return async ({ trackId, below }, { signal }) => {
    const track = trackId === undefined ? undefined : findUnplaced(deps.db, String(trackId));
    if (track) await hearWhole(deps, pool, track, signal);
    if (below === undefined) return;
    let next = await nextUnplaced(deps.db, Number(below), signal);
    while (next && originalsOf(deps.settings).find(next.sha256) === undefined)
      next = await nextUnplaced(deps.db, next.seq, signal);
    const found = next;
    if (found) transact(deps.db, (tx) => promiseOlder(tx, found, deps.now()));
  };
}

async function hearWhole(
  deps: HearDeps,
  pool: HearWholePool,
  { trackId, versionId, sha256 }: Unplaced,
  signal: AbortSignal,
): Promise<void> {
  const { db, settings, log, ffmpegPath, selfCommand } = deps;
  try {
    const heard = await withLocalCopy(settings, sha256, (path) =>
      pool.run({ path, ffmpegPath, selfCommand, only: "places" }, signal),
    );
    // Null: it was heard, and is no music.
    if (heard === undefined) return;
    transact(db, (tx) => {
      const current = findUnplaced(tx, trackId);
      if (current?.versionId !== versionId) return;
      putHeardPassages(tx, trackId, heard);
      refreshTracks(tx, current.ownerId, [trackId]);
    });
  } catch (error) {
    if (signal.aborted || isFullDisk(error)) throw error;
    log("warn", "A track could not be listened to as a whole", { trackId, error });
  }
}
