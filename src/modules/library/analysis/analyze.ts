import { transact } from "../../../../db/client.ts";
import { withLocalCopy } from "../../../blobs/store.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { meter } from "../../../kernel/meter.ts";
import { isFullDisk } from "../../../kernel/trouble.ts";
import { tellFileMissing } from "../../people/notifications/service.ts";
import { stopProcessing, updateVersion } from "../catalog/service.ts";
import { requestCarrying } from "../recordings/service.ts";
import { withEmbeddedCover } from "./cover.ts";
import { storeOutcome } from "./outcome.ts";
import { findSubject, findVersionSubject, type Subject, setFailed, setStatus } from "./queries.ts";
import { GIVEN_UP } from "./service.ts";
import type { AnalysisFailure, AnalysisOutcome, AnalysisTask } from "./task.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** The threads that run analyses. */
export type AnalysisPool = WorkerPool<AnalysisTask, AnalysisOutcome>;

/** What an analysis needs besides its file. */
export type AnalysisDeps = Pick<
  Deps,
  "db" | "now" | "log" | "settings" | "secrets" | "ffmpegPath" | "selfCommand"
>;

const FILE_MISSING: AnalysisFailure = {
  code: "file_missing",
  reason: "The audio file is missing from the library's storage. Restore a backup, or upload the file again.",
};

/**
 * Returns the handler of the job `analyze`: measures the track's active version, or the one that the payload names, in a
 * thread and stores the outcome. A fault in the file is final at once; anything else is tried three times.
 */
export function analyzeHandler(deps: AnalysisDeps, pool: AnalysisPool): JobHandler {
  const analyze: JobHandler = async (payload, run) => {
    const { signal, isLastAttempt } = run;
    const subject = beginAnalysis(deps, payload);
    if (!subject) return;
    try {
      const { ffmpegPath, selfCommand } = deps;
      const outcome = await withLocalCopy(deps.settings, subject.sha256, (path) =>
        pool.run({ path, ffmpegPath, selfCommand }, signal),
      );
      if (!outcome) return failForWantOfFile(deps, subject);
      await finishAnalysis(deps, { subject, outcome, signal });
    } catch (error) {
      const isFinal = isLastAttempt && !signal.aborted && !isFullDisk(error) && isStill(deps, subject);
      leaveAnalysis(deps, subject, { isFinal });
      // Deleted meanwhile. If another version has taken its place, that one is analysed.
      if (!signal.aborted && !isStill(deps, subject)) return analyze(payload, run);
      throw error;
    }
  };
  return analyze;
}

/** False when the version was deleted, or another one is active that is to be analysed. */
function isStill({ db }: Pick<Deps, "db">, { trackId, versionId, isVersionOnly }: Subject): boolean {
  if (isVersionOnly) return findVersionSubject(db, versionId) !== undefined;
  return findSubject(db, trackId)?.versionId === versionId;
}

/**
 * Returns the subject of a job `analyze`, and shows that the track's analysis is under way; undefined when it was deleted,
 * or when the version that it names has been measured.
 */
export function beginAnalysis(
  { db }: Pick<Deps, "db">,
  { trackId, versionId }: Record<string, unknown>,
): Subject | undefined {
  if (versionId !== undefined) return findVersionSubject(db, String(versionId));
  const subject = findSubject(db, String(trackId));
  if (subject) setStatus(db, subject.trackId, "processing");
  return subject;
}

/**
 * Stores measurements, made here or on another machine.
 *
 * @param inTransaction Called first in the transaction that stores it; an error from it changes nothing.
 */
export async function finishAnalysis(
  deps: AnalysisDeps,
  { subject, outcome, signal }: { subject: Subject; outcome: AnalysisOutcome; signal: AbortSignal },
  inTransaction: () => void = () => undefined,
): Promise<void> {
  const { artwork: picture, ...rest } = outcome;
  const artwork = subject.isVersionOnly ? undefined : picture;
  await withEmbeddedCover(deps, { subject, artwork, signal }, (cover) =>
    transact(deps.db, () => {
      inTransaction();
      storeOutcome(deps, subject, rest, cover);
    }),
  );
}

/** Ends an analysis that came to nothing. `isFinal`: it is not tried again. */
export function leaveAnalysis(deps: AnalysisDeps, subject: Subject, { isFinal }: { isFinal: boolean }): void {
  if (isFinal) storeOutcome(deps, subject, { info: null, failure: GIVEN_UP });
  else if (!subject.isVersionOnly) stopProcessing(deps.db, subject.trackId);
}

/** Also notifies the owner, who may not look at the analysis of a track that has been there for years. */
export function failForWantOfFile(deps: AnalysisDeps, { filename: name, ...subject }: Subject): void {
  transact(deps.db, (tx) => {
    meter(tx, { kind: "analysis", result: "failed" });
    if (subject.isVersionOnly) updateVersion(tx, subject.versionId, { analysedAt: deps.now() });
    else setFailed(tx, subject.trackId, FILE_MISSING);
    requestCarrying(tx, subject.versionId, { isMissing: true }, deps.now());
    tellFileMissing(within(deps, tx), { ...subject, name });
  });
}
