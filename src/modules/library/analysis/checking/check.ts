import { transact } from "../../../../../db/client.ts";
import { originalsOf, withLocalCopy } from "../../../../blobs/store.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { isFullDisk } from "../../../../kernel/trouble.ts";
import { putFaults } from "../../readiness/service.ts";
import { putPassages } from "../../sounds/service.ts";
import { putStructure } from "../queries.ts";
import type { Checked, CheckTask } from "../task.ts";
import type { WorkerPool } from "../worker-pool.ts";
import { lacksPassages, nextUnchecked, promiseCheck, uncheckedVersions } from "./unchecked.ts";

/** The thread that looks for faults, structures and passages. */
export type CheckPool = WorkerPool<CheckTask, Checked>;

type CheckDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/**
 * Returns the handler of the job `measure_readiness`: looks for faults, structures and passages in the versions of a track, and promises the next older one.
 * A file that cannot be read is passed over until the next start.
 */
export function checkHandler(deps: CheckDeps, pool: CheckPool): JobHandler {
  const { db, now } = deps;
  return async ({ trackId, below }, { signal }) => {
    if (trackId !== undefined)
      for (const version of uncheckedVersions(db, String(trackId)))
        await checkVersion(deps, pool, { trackId: String(trackId), ...version }, signal);
    let next = await nextUnchecked(db, Number(below), signal);
    // A job that finds no file would only be written and deleted: beside requests, thousands of them are felt.
    while (next && !hasFile(deps, next.trackId)) next = await nextUnchecked(db, next.seq, signal);
    const found = next;
    if (found) transact(db, (tx) => promiseCheck(tx, found, now()));
  };
}

/** True when a file of one of the unchecked versions of a track is there, as far as that is known without asking a bucket. */
const hasFile = ({ db, settings }: Pick<CheckDeps, "db" | "settings">, trackId: string): boolean =>
  uncheckedVersions(db, trackId).some(({ sha256 }) => originalsOf(settings).locate(sha256) !== undefined);

async function checkVersion(
  { db, now, settings, log, ffmpegPath, selfCommand }: CheckDeps,
  pool: CheckPool,
  { trackId, id, sha256 }: { trackId: string; id: string; sha256: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    const found = await withLocalCopy(settings, sha256, (path) =>
      pool.run({ path, ffmpegPath, selfCommand, only: "faults" }, signal),
    );
    if (!found) return;
    transact(db, (tx) => {
      // It may have been deleted or checked meanwhile.
      if (!uncheckedVersions(tx, trackId).some((version) => version.id === id)) return;
      putFaults(tx, id, found.faults, now());
      putStructure(tx, id, found.structure);
      if (lacksPassages(tx, trackId, id)) putPassages(tx, trackId, found.passages);
    });
  } catch (error) {
    if (signal.aborted || isFullDisk(error)) throw error;
    log("warn", "The sound of a version could not be checked", { versionId: id, error });
  }
}
