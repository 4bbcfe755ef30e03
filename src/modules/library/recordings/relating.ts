import { type Db, prepared } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";

/**
 * The job that finds which other tracks are of a track's song; payload `{ trackId, isNew }`, unique key the track's id. Who runs it is
 * not for the library to know.
 */
export const RELATE_JOB = "relate";

/**
 * Queues that a track is compared with the others of its library. Call it in the transaction that makes it necessary.
 *
 * @param options `isNew`: it was analysed for the first time, so it may be kept with others by itself, and its owner is asked what it
 *   sounds like.
 */
export function requestRelating(tx: Db, trackId: string, { isNew }: { isNew: boolean }, at: number): void {
  // A crash has an analysis repeated, and then the track is still as new as the job that waits says.
  const payload = { trackId, isNew: isNew || waitsAsNew(tx, trackId) };
  enqueue(tx, { name: RELATE_JOB, payload, uniqueKey: trackId }, at);
}

const waitingAsNew = prepared((db: Db) =>
  db.$client.prepare<{ isNew: 1 }, [string]>(
    `SELECT 1 AS isNew FROM jobs WHERE name = '${RELATE_JOB}' AND unique_key = ? AND state <> 'dead'
       AND payload ->> '$.isNew' = 1`,
  ),
);
const waitsAsNew = (db: Db, trackId: string): boolean => waitingAsNew(db).get(trackId) !== null;
