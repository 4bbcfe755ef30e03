import { transact } from "../../../../../db/client.ts";
import { renewLease } from "../../../../jobs/claim.ts";
import { findElsewhere, type JobElsewhere, type Proof } from "../../../../jobs/elsewhere.ts";
import { completeJob, failJob, releaseJob } from "../../../../jobs/settle.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { type AnalysisDeps, failForWantOfFile, finishAnalysis, leaveAnalysis } from "../analyze.ts";
import { listenOn, passOver, storeHeard } from "../listening/listen.ts";
import { LISTEN_JOB, type Unheard } from "../listening/unheard.ts";
import type { Subject } from "../queries.ts";
import { type AudioOf, findAudio } from "./audio.ts";
import { requireVersion } from "./claim.ts";
import { decodeHeard, decodeOutcome } from "./decode.ts";
import type { WorkResult } from "./shapes.ts";

/**
 * Returns the audio file of a job that a worker holds. A job whose file turns out to be missing is ended.
 *
 * @throws DomainError `job_lost`, `file_missing`, `storage_unavailable`.
 */
export async function audioOf(
  deps: AnalysisDeps,
  proof: Proof,
): Promise<{ sizeBytes: number; body: Blob | ReadableStream<Uint8Array> }> {
  const job = getHeld(deps, proof);
  const audio = findAudio(deps, job.subject as AudioOf);
  try {
    if (!audio) throw new DomainError("file_missing", "The file is missing from the server's storage");
    return { sizeBytes: audio.sizeBytes, body: await audio.open() };
  } catch (error) {
    if (error instanceof DomainError && error.code === "file_missing") await endForWantOfFile(deps, job);
    throw error;
  }
}

async function endForWantOfFile(deps: AnalysisDeps, job: JobElsewhere): Promise<void> {
  if (completeJob(deps, job) === "lost") return;
  if (job.name === LISTEN_JOB) await goOnListening(deps, job);
  else failForWantOfFile(deps, job.subject as Subject);
}

/** Keeps a job for its worker for another lease. @throws DomainError `job_lost`. */
export function renew(deps: AnalysisDeps, proof: Proof): void {
  if (!renewLease(deps, getHeld(deps, proof))) throw lost();
}

/**
 * Stores the result of a job and ends the job, in one transaction: a job that its worker lost meanwhile changes nothing.
 *
 * @throws DomainError `job_lost`, `worker_unfit`, `validation_failed`.
 */
export async function takeResult(
  deps: AnalysisDeps,
  proof: Proof,
  result: WorkResult,
  signal: AbortSignal,
): Promise<void> {
  const job = getHeld(deps, proof);
  requireVersion(result.version);
  const end = () => {
    if (completeJob(deps, job) === "lost") throw lost();
  };
  if (job.name === LISTEN_JOB) return await takeHeard(deps, job, result, end);
  const outcome = decodeOutcome(result);
  // Rendering a picture takes a while.
  renewLease(deps, job);
  await finishAnalysis(deps, { subject: job.subject as Subject, outcome, signal }, end);
}

async function takeHeard(
  deps: AnalysisDeps,
  job: JobElsewhere,
  result: WorkResult,
  end: () => void,
): Promise<void> {
  const heard = decodeHeard(result);
  transact(deps.db, () => {
    end();
    storeHeard(deps, job.subject as Unheard, heard);
  });
  await goOnListening(deps, job);
}

/** Whether the worker still waits for the answer or not. A server that ends here goes on at its next start. */
const goOnListening = (deps: AnalysisDeps, { payload }: JobElsewhere) =>
  listenOn(deps, payload, new AbortController().signal);

/**
 * Gives a job back. With an error the attempt counts, and the last one is final; a track that cannot be listened to is
 * passed over.
 *
 * @throws DomainError `job_lost`.
 */
export async function release(deps: AnalysisDeps, proof: Proof, error: string | undefined): Promise<void> {
  const job = getHeld(deps, proof);
  if (job.name === LISTEN_JOB) return await releaseListening(deps, job, error);
  const isFinal = error !== undefined && job.attempts >= job.maxAttempts;
  const settled = transact(deps.db, () => {
    leaveAnalysis(deps, job.subject as Subject, { isFinal });
    return error === undefined ? releaseJob(deps, job) : failJob(deps, job, new Error(error));
  });
  if (error === undefined) return;
  const { id, name, attempts } = job;
  const fields = { id, name, attempts, settled, worker: proof.worker, error };
  deps.log(isFinal ? "error" : "warn", "A job failed on another machine", fields);
}

async function releaseListening(
  deps: AnalysisDeps,
  job: JobElsewhere,
  error: string | undefined,
): Promise<void> {
  if (error === undefined) return void releaseJob(deps, job);
  passOver(deps, job.subject as Unheard, error);
  if (completeJob(deps, job) !== "lost") await goOnListening(deps, job);
}

function getHeld(deps: AnalysisDeps, proof: Proof): JobElsewhere {
  const job = findElsewhere(deps, proof);
  if (!job) throw lost();
  return job;
}

const lost = () =>
  new DomainError("job_lost", "This job no longer belongs to this worker: claim another one");
