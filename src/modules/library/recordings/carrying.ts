import { type Db, prepared } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";

/**
 * The job that gives what was said of one version of a track its place in another; payload `{ versionId, isMissing }`, unique
 * key the version's id, or with `isMissing` that and `missing`. Who runs it is not for the library to know.
 */
export const CARRY_JOB = "carry";

/**
 * Queues that notes, and when words are sung, are carried into a version, and from it into the others of its track. Call it in the transaction that makes it
 * necessary. Does nothing for the only version of a track, and where nothing was said and no words have times.
 *
 * @param options `isMissing`: only notes that have no place yet. Otherwise the version sounds different now, or is known better,
 *   and every place is found anew that nobody chose by hand.
 */
export function requestCarrying(
  tx: Db,
  versionId: string,
  { isMissing }: { isMissing: boolean },
  at: number,
): void {
  if (hasSomething(tx).get(versionId)?.is !== 1) return;
  const uniqueKey = isMissing ? `${versionId} missing` : versionId;
  enqueue(tx, { name: CARRY_JOB, payload: { versionId, isMissing }, uniqueKey }, at);
}

const hasSomething = prepared((db) =>
  db.$client.prepare<{ is: 0 | 1 }, [string]>(
    `SELECT EXISTS (SELECT 1 FROM versions v JOIN versions o ON o.track_id = v.track_id AND o.id <> v.id
         WHERE v.id = ?1 AND (EXISTS (SELECT 1 FROM comments c WHERE c.track_id = v.track_id)
           OR EXISTS (SELECT 1 FROM versions s JOIN timed_lyrics l ON l.version_id = s.id WHERE s.track_id = v.track_id)))
       AS "is"`,
  ),
);
