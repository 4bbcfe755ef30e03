import { LEASE_MS } from "../../../../jobs/claim.ts";
import { claimForWorker, noteSubject } from "../../../../jobs/elsewhere.ts";
import type { ClaimedJob } from "../../../../jobs/job.ts";
import { completeJob } from "../../../../jobs/settle.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { PROGRAM } from "../../../../kernel/program.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import { type AnalysisDeps, beginAnalysis, failForWantOfFile } from "../analyze.ts";
import { beginListening, listenOn } from "../listening/listen.ts";
import { LISTEN_JOB } from "../listening/unheard.ts";
import { ANALYZE_JOB } from "../request.ts";
import { type AudioOf, findAudio } from "./audio.ts";
import type { Claimed, ClaimWish } from "./shapes.ts";
import { WORK_VERSION } from "./version.ts";

/** How often a request that waits looks for a job. */
const LOOK_MS = 200;
export const LEASE_SEC = LEASE_MS / SECOND_MS;

type Given = NonNullable<Claimed["job"]>;

/**
 * Gives a worker a job: an analysis that is due or, when there is none, a track to listen to again. Waits for one as long
 * as the worker wishes.
 *
 * @throws DomainError `worker_unfit` for a worker that would measure other values than this server.
 */
export async function claim(
  deps: AnalysisDeps,
  worker: string,
  { version, ffmpeg, waitSec = 0 }: ClaimWish,
  signal: AbortSignal,
): Promise<Claimed> {
  requireVersion(version);
  if (deps.ffmpegPath !== undefined && !ffmpeg)
    throw new DomainError(
      "worker_unfit",
      "The server decodes with ffmpeg, and this worker has none: install ffmpeg on the worker's machine",
    );
  const until = performance.now() + waitSec * SECOND_MS;
  for (;;) {
    const job = (await giveAnalysis(deps, worker)) ?? (await giveListening(deps, worker, signal));
    if (job || performance.now() >= until || signal.aborted) return { job: job ?? null };
    await Bun.sleep(LOOK_MS);
  }
}

/** @throws DomainError `worker_unfit`. */
export function requireVersion(version: string): void {
  if (version === WORK_VERSION) return;
  const [program = ""] = version.split(" ");
  const said = program === PROGRAM.version ? `another build of Dubplate ${program}` : `Dubplate ${program}`;
  throw new DomainError(
    "worker_unfit",
    `The server runs Dubplate ${PROGRAM.version} and this worker is ${said}: install the server's on the worker's machine`,
  );
}

/** Goes on to the next job where there is nothing to measure. */
async function giveAnalysis(deps: AnalysisDeps, worker: string): Promise<Given | undefined> {
  for (;;) {
    const claimed = claimForWorker(deps, ANALYZE_JOB, worker);
    if (!claimed) return undefined;
    const subject = beginAnalysis(deps, claimed.job.payload);
    const given = subject && give(deps, "analyze", claimed, subject);
    if (given) return given;
    if (subject) failForWantOfFile(deps, subject);
    completeJob(deps, claimed.job);
  }
}

async function giveListening(
  deps: AnalysisDeps,
  worker: string,
  signal: AbortSignal,
): Promise<Given | undefined> {
  for (;;) {
    const claimed = claimForWorker(deps, LISTEN_JOB, worker);
    if (!claimed) return undefined;
    const track = beginListening(deps, claimed.job.payload);
    const given = track && give(deps, "listen", claimed, track);
    if (given) return given;
    await listenOn(deps, claimed.job.payload, signal);
    completeJob(deps, claimed.job);
  }
}

/** Returns what a worker is told of a job: nothing about whose it is. Undefined when the file is missing. */
function give(
  deps: AnalysisDeps,
  kind: Given["kind"],
  { job, token }: { job: ClaimedJob; token: string },
  subject: AudioOf,
): Given | undefined {
  const audio = findAudio(deps, subject);
  if (!audio) return undefined;
  noteSubject(deps.db, job, subject);
  return {
    id: job.id,
    token,
    kind,
    sha256: subject.sha256,
    sizeBytes: audio.sizeBytes,
    ffmpeg: deps.ffmpegPath !== undefined,
    leaseSec: LEASE_SEC,
  };
}
