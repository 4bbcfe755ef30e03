import { transact } from "../../../../db/client.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { RelateDeps } from "./ask.ts";
import { RELATE_OLD_JOB } from "./old.ts";
import { nextKinTrack } from "./queries.ts";
import { relateTrack } from "./relate.ts";
import type { RelatePool } from "./task.ts";

/** Returns the handler of {@link RELATE_OLD_JOB}: compares the next older track. What it finds is only asked about. */
export function relateOldHandler(deps: RelateDeps, pool: RelatePool): JobHandler {
  return async ({ below }, { signal, isLastAttempt }) => {
    const track = nextKinTrack(deps.db, Number(below));
    if (!track) return;
    try {
      await relateTrack(deps, track, { isNew: false, pool, signal });
    } catch (error) {
      // One track that cannot be compared does not end it for the others.
      if (signal.aborted || !isLastAttempt) throw error;
      deps.log("warn", "A track could not be compared with others", { trackId: track.id, error });
    }
    const next = { name: RELATE_OLD_JOB, payload: { below: track.seq }, uniqueKey: RELATE_OLD_JOB };
    transact(deps.db, (tx) => enqueue(tx, next, deps.now()));
  };
}
