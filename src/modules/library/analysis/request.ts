import { type Db, transact } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { findProgress, setStatus } from "./queries.ts";

/**
 * The job that analyses a track's active version, or one version for itself; payload `{ trackId }` or
 * `{ trackId, versionId }`, unique key the track's or the version's id.
 */
export const ANALYZE_JOB = "analyze";
const MAX_ATTEMPTS = 3;

/** Queues an analysis of the track's active version. Call it in the transaction that makes it necessary. */
export function requestAnalysis(tx: Db, trackId: string, at: number): void {
  setStatus(tx, trackId, "pending");
  enqueue(tx, { name: ANALYZE_JOB, payload: { trackId }, uniqueKey: trackId, maxAttempts: MAX_ATTEMPTS }, at);
}

/** Until a version that could not be analysed is tried again: ffmpeg may have come, or the file may be back. */
const RETRY_AFTER_MS = DAY_MS;

/**
 * Queues an analysis of one version, active or not, that has none. The track keeps what it plays and shows: see
 * `storeOutcome`. Does nothing when the analysis is under way or failed within a day.
 */
export function requestVersionAnalysis({ db, now }: Pick<Deps, "db" | "now">, versionId: string): void {
  const at = now();
  const wanted = findWanted(db, versionId, at);
  if (!wanted) return;
  transact(db, (tx) => {
    const payload = { trackId: wanted.trackId, versionId };
    enqueue(tx, { name: ANALYZE_JOB, payload, uniqueKey: versionId, maxAttempts: MAX_ATTEMPTS }, at);
  });
}

function findWanted(db: Db, versionId: string, at: number) {
  const progress = findProgress(db, versionId, ANALYZE_JOB);
  if (!progress || progress.isMeasured || progress.isUnderWay) return undefined;
  return progress.triedAt === null || at - progress.triedAt >= RETRY_AFTER_MS ? progress : undefined;
}

/** Returns how far the analysis of a version is; `none` when it was never requested. */
export function versionAnalysisOf(db: Db, versionId: string): "none" | "pending" | "completed" | "failed" {
  const progress = findProgress(db, versionId, ANALYZE_JOB);
  if (!progress) return "none";
  if (progress.isMeasured) return "completed";
  if (progress.isUnderWay) return "pending";
  return progress.triedAt === null ? "none" : "failed";
}
