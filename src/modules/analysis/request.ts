import type { Db } from "../../../db/client.ts";
import { enqueue } from "../../jobs/queue.ts";
import { setStatus } from "./queries.ts";

/** The job that analyses a track's active version; payload `{ trackId }`, unique key the track's id. */
export const ANALYZE_JOB = "analyze";
const MAX_ATTEMPTS = 3;

/** Queues an analysis of the track's active version. Call it in the transaction that makes it necessary. */
export function requestAnalysis(tx: Db, trackId: string, at: number): void {
  setStatus(tx, trackId, "pending");
  enqueue(tx, { name: ANALYZE_JOB, payload: { trackId }, uniqueKey: trackId, maxAttempts: MAX_ATTEMPTS }, at);
}
