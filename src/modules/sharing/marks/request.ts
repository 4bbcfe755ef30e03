import { type Db, prepared } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";

/** The job that has a track's marked copies made for the links that open it; payload `{ trackId }`, which is also the unique key. */
export const MARK_LINKS_JOB = "mark_links";

const hasMarkedLinks = prepared((db) =>
  db.$client.prepare<{ is: 0 | 1 }, [string]>(
    `SELECT EXISTS (SELECT 1 FROM tracks t JOIN shares s ON s.owner_id = t.owner_id
       WHERE t.id = ?1 AND t.deleted_at IS NULL AND s.is_marked = 1 AND s.revoked_at IS NULL) AS "is"`,
  ),
);

/**
 * Queues that a track's marked copies are made, before somebody asks for them. Call it in the transaction that has the track play
 * another version. Does nothing where no link of the library is marked.
 */
export function requestMarking(tx: Db, trackId: string, at: number): void {
  if (hasMarkedLinks(tx).get(trackId)?.is !== 1) return;
  enqueue(tx, { name: MARK_LINKS_JOB, payload: { trackId }, uniqueKey: trackId }, at);
}
