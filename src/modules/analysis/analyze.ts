import { transact } from "../../../db/client.ts";
import { withLocalCopy } from "../../blobs/store.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Deps } from "../../kernel/deps.ts";
import { meter } from "../../kernel/meter.ts";
import { isFullDisk } from "../../kernel/trouble.ts";
import { stopProcessing } from "../catalog/service.ts";
import { tellFileMissing } from "../notifications/service.ts";
import { withEmbeddedCover } from "./cover.ts";
import { storeOutcome } from "./outcome.ts";
import { findSubject, type Subject, setFailed, setStatus } from "./queries.ts";
import { GIVEN_UP } from "./service.ts";
import type { AnalysisFailure, AnalysisOutcome, AnalysisTask } from "./task.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** The threads that run analyses. */
export type AnalysisPool = WorkerPool<AnalysisTask, AnalysisOutcome>;

type AnalysisDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets" | "ffmpegPath" | "selfCommand">;

const FILE_MISSING: AnalysisFailure = {
  code: "file_missing",
  reason: "The audio file is missing from the library's storage. Restore a backup, or upload the file again.",
};

/**
 * Returns the handler of the job `analyze`: measures the track's active version in a thread and stores the outcome. A
 * fault in the file is final at once; anything else is tried three times.
 */
export function analyzeHandler(deps: AnalysisDeps, pool: AnalysisPool): JobHandler {
  return async ({ trackId }, { signal, isLastAttempt }) => {
    const subject = findSubject(deps.db, String(trackId));
    if (!subject) return; // deleted since
    setStatus(deps.db, subject.trackId, "processing");
    try {
      await analyze(deps, pool, subject, signal);
    } catch (error) {
      if (isLastAttempt && !signal.aborted && !isFullDisk(error))
        storeOutcome(deps, subject, { info: null, failure: GIVEN_UP });
      else stopProcessing(deps.db, subject.trackId);
      throw error;
    }
  };
}

async function analyze(
  deps: AnalysisDeps,
  pool: AnalysisPool,
  subject: Subject,
  signal: AbortSignal,
): Promise<void> {
  const { ffmpegPath, selfCommand } = deps;
  const measured = await withLocalCopy(deps.settings, subject.sha256, (path) =>
    pool.run({ path, ffmpegPath, selfCommand }, signal),
  );
  if (!measured) return failForWantOfFile(deps, subject);
  const { artwork, ...outcome } = measured;
  await withEmbeddedCover(deps, { subject, artwork, signal }, (cover) =>
    storeOutcome(deps, subject, outcome, cover),
  );
}

/** Also notifies the owner, who may not look at the analysis of a track that has been there for years. */
function failForWantOfFile(deps: AnalysisDeps, { filename: name, ...subject }: Subject): void {
  transact(deps.db, (tx) => {
    meter(tx, { kind: "analysis", result: "failed" });
    setFailed(tx, subject.trackId, FILE_MISSING);
    tellFileMissing({ ...deps, db: tx }, { ...subject, name });
  });
}
