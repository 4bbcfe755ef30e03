import { setTimeout } from "node:timers/promises";
import { transact } from "../../../../db/client.ts";
import type { JobHandler, JobRun } from "../../../jobs/job.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import type { RelateDeps } from "./ask.ts";
import { RELATE_OLD_JOB } from "./old.ts";
import { type KinTrack, nextKinTrack } from "./queries.ts";
import { relateTrack } from "./relate.ts";
import type { RelatePool } from "./task.ts";

/** After so long the place is stored: a job that is killed or gives way goes on from there. Most tracks write nothing. */
const MAX_RUN_MS = 2 * SECOND_MS;
/** Between two tracks it rests as long as the last one took, at most this: requests come first. */
const MAX_REST_MS = SECOND_MS;

/** Returns the handler of {@link RELATE_OLD_JOB}: compares the next older tracks. What it finds is only asked about. */
export function relateOldHandler(deps: RelateDeps, pool: RelatePool): JobHandler {
  return async ({ below }, run) => {
    let place = Number(below);
    const startedAt = performance.now();
    while (performance.now() - startedAt < MAX_RUN_MS) {
      const track = nextKinTrack(deps.db, place);
      if (!track) return;
      await relateOld(deps, track, { pool, run });
      place = track.seq;
    }
    const next = { name: RELATE_OLD_JOB, payload: { below: place }, uniqueKey: RELATE_OLD_JOB };
    transact(deps.db, (tx) => enqueue(tx, next, deps.now()));
  };
}

type Relating = { pool: RelatePool; run: JobRun };

async function relateOld(deps: RelateDeps, track: KinTrack, { pool, run }: Relating): Promise<void> {
  const { signal, isLastAttempt } = run;
  const from = performance.now();
  try {
    await relateTrack(deps, track, { isNew: false, pool, signal });
  } catch (error) {
    // One track that cannot be compared does not end it for the others.
    if (signal.aborted || !isLastAttempt) throw error;
    deps.log("warn", "A track could not be compared with others", { trackId: track.id, error });
  }
  await setTimeout(Math.min(MAX_REST_MS, performance.now() - from), undefined, { signal });
}
