import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { stopProcessing, updateVersion } from "../catalog/service.ts";
import * as queries from "./queries.ts";
import { ANALYZE_JOB, requestAnalysis } from "./request.ts";
import type { AnalysisFailure } from "./task.ts";

export { addFolderCover, EMBEDDED_COVERS_JOB } from "./cover.ts";
export { encodeHeard, encodeOutcome } from "./elsewhere/encode.ts";
export type { Claimed, ClaimWish, WorkResult } from "./elsewhere/shapes.ts";
export { recoverLearning } from "./learning/recover.ts";
export { REFRESH_JOB } from "./learning/request.ts";
export { transferLearning } from "./learning/transfer.ts";
export { recoverListening } from "./listening/recover.ts";
export { LISTEN_JOB, progressOf } from "./listening/unheard.ts";
export { findMeasuredTempoAndKey } from "./measured.ts";
export { playingAtEdge } from "./places/edges.ts";
export { type HeardIn, heardInTracks, placedNameOf } from "./places/heard.ts";
export { wordsOfFile } from "./profile.ts";
export { measureReferenceFile, startMeasuringReferences } from "./reference.ts";
export { ANALYZE_JOB, requestAnalysis, requestVersionAnalysis, versionAnalysisOf } from "./request.ts";
export type {
  AlignPool,
  AlignTask,
  AnalysisOutcome,
  AnalysisTask,
  Checked,
  CheckTask,
  Heard,
  ListenTask,
  MeasuredReference,
  ReferencePool,
} from "./task.ts";
export type { FromWorker, ToWorker, WorkerPool } from "./worker-pool.ts";

/** Returns what this program measures with, for a worker; it loads the measurements. */
export const workVersion = async () => (await import("./elsewhere/version.ts")).WORK_VERSION;

/** The failure that a track shows after three unexpected errors. */
export const GIVEN_UP: AnalysisFailure = {
  code: "analysis_failed",
  reason:
    "The analysis stopped unexpectedly three times. Start it again. If it fails again, check the server's log.",
};
const STOPPED_PROGRAM: AnalysisFailure = {
  code: "analysis_failed",
  reason: "The program stopped each time this file was analysed. Export the file again and upload it.",
};

/**
 * Repairs what a crash left half done, at startup and when a worker elsewhere was lost: every processing track whose job
 * nobody runs becomes pending again, and every pending track gets its job. A version that ended the program each time
 * counts as tried. Call it after the job queue has recovered.
 */
export function recoverAnalyses({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => {
    for (const trackId of queries.listStopped(tx, ANALYZE_JOB)) stopProcessing(tx, trackId);
    for (const { trackId, isGivenUp } of queries.listForgotten(tx, ANALYZE_JOB))
      if (isGivenUp) queries.setFailed(tx, trackId, STOPPED_PROGRAM);
      else requestAnalysis(tx, trackId, now());
    for (const id of queries.listGivenUpVersions(tx, ANALYZE_JOB))
      updateVersion(tx, id, { analysedAt: now() });
  });
}

/** Once ffmpeg is available, queues another analysis of each track that needed it. Returns how many. */
export function retryWaitingForFfmpeg({
  db,
  now,
  ffmpegPath,
}: Pick<Deps, "db" | "now" | "ffmpegPath">): number {
  if (ffmpegPath === undefined) return 0;
  return transact(db, (tx) => {
    const trackIds = queries.failedWith(tx, "needs_ffmpeg");
    for (const trackId of trackIds) requestAnalysis(tx, trackId, now());
    return trackIds.length;
  });
}
