import { transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { stopProcessing } from "../catalog/service.ts";
import * as queries from "./queries.ts";
import { ANALYZE_JOB, requestAnalysis } from "./request.ts";
import type { AnalysisFailure } from "./task.ts";

export { applySuggestions, autoTag, autoTagBatch } from "./auto-tag.ts";
export { EMBEDDED_COVERS_JOB } from "./cover.ts";
export { EMBED_JOB, recoverEmbeddings } from "./embed.ts";
export { recoverLearning } from "./learning/learn.ts";
export { REFRESH_JOB } from "./learning/refresh.ts";
export { findMeasuredTempoAndKey } from "./measured.ts";
export { ANALYZE_JOB, requestAnalysis } from "./request.ts";
export { getSuggestedTags } from "./suggested.ts";

/** What a track shows after something unforeseen went wrong three times. */
export const GIVEN_UP: AnalysisFailure = {
  code: "analysis_failed",
  reason:
    "The analysis stopped unexpectedly three times. Start it again; if that does not help, look at the log.",
};
const STOPPED_PROGRAM: AnalysisFailure = {
  code: "analysis_failed",
  reason: "The program stopped each time this file was analysed. Export the file again and upload it.",
};

/**
 * Puts right, at the start, what a crash left half done: every processing track is pending again, and every pending
 * one has its job. Call it after the job queue has recovered.
 */
export function recoverAnalyses({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => {
    stopProcessing(tx);
    for (const { trackId, isGivenUp } of queries.listForgotten(tx, ANALYZE_JOB))
      if (isGivenUp) queries.setFailed(tx, trackId, STOPPED_PROGRAM);
      else requestAnalysis(tx, trackId, now());
  });
}

/** Promises another analysis of each track whose format needed ffmpeg, once there is one. Returns how many. */
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
