import type { Db } from "../../../../db/client.ts";
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
  enqueue(tx, { name: RELATE_JOB, payload: { trackId, isNew }, uniqueKey: trackId }, at);
}
