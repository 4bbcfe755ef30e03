import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { enqueue } from "../../../../jobs/queue.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";

/** The job that applies an account's newest model to its whole library; payload `{ ownerId }`. */
export const REFRESH_JOB = "refresh-suggestions";

/** Corrections come in bursts: one refresh covers them all, and runs at most twice per minute. */
const REST_MS = 30 * SECOND_MS;
/**
 * Queues a refresh of the account's whole library. Call it in the transaction that changes the model.
 *
 * @param isTakenBack True: an earlier correction was undone, and must no longer affect suggestions.
 */
export function requestRefresh(tx: Db, ownerId: LibraryId, at: number, isTakenBack = false): void {
  const runAt = isTakenBack ? at : at + REST_MS;
  enqueue(tx, { name: REFRESH_JOB, payload: { ownerId }, uniqueKey: ownerId, runAt }, at);
}
