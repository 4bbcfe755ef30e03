import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SECOND_MS } from "../../kernel/time.ts";
import { isFullDisk } from "../../kernel/trouble.ts";
import {
  type AnalysisOutcome,
  type AnalysisTask,
  encodeHeard,
  encodeOutcome,
  type Heard,
  type ListenTask,
  type WorkerPool,
} from "../../modules/library/analysis/service.ts";
import { RefusedError, UnavailableError } from "../command.ts";
import { type Job, JobLostError, pause, type WorkServer } from "./server.ts";

/** What the places of a worker share. */
export type Workplace = {
  server: WorkServer;
  version: string;
  pool: WorkerPool<AnalysisTask | ListenTask, AnalysisOutcome | Heard>;
  ffmpegPath: string | undefined;
  selfCommand: readonly string[];
  /** For downloads. */
  folder: string;
  /** Ends when there is no job, instead of waiting for one. */
  once: boolean;
  /** Aborts when the worker is to stop. */
  stop: AbortSignal;
  print: (data: object) => void;
  say: (text: string) => void;
};

/** A worker that is asked to stop hears the answer first: the server may have given it a job at that moment. */
const WAIT_SEC = 2;
/** A worker with `--once` gives up on a server that stays away. */
const TRIES_ONCE = 4;
/** A machine on which so many jobs fail in a row has a fault of its own. */
const MAX_FAILURES = 3;
const BEATS_PER_LEASE = 4;

/**
 * Does one job after another until the worker stops or, with `once`, none is left.
 *
 * @throws RefusedError when the server refuses this worker or its jobs keep failing; UnavailableError.
 */
export async function workAt(workplace: Workplace): Promise<void> {
  const { stop, print } = workplace;
  let failures = 0;
  while (!stop.aborted) {
    const job = await claim(workplace);
    if (!job && workplace.once) return;
    if (!job) continue;
    const from = performance.now();
    const ending = await perform(workplace, job);
    const seconds = Math.round(performance.now() - from) / SECOND_MS;
    print({ job: job.id, kind: job.kind, ...ending, seconds });
    failures = ending.outcome === "failed" ? failures + 1 : 0;
    if (failures === MAX_FAILURES)
      throw new RefusedError(`${failures} jobs in a row failed on this machine, the last: ${ending.error}`);
    if (ending.outcome === "released") await pause(1, stop);
  }
}

/** Returns the next job; null when there is none yet, or the worker stops. */
async function claim({ server, version, ffmpegPath, once, stop, say }: Workplace): Promise<Job | null> {
  const wish = { version, ffmpeg: ffmpegPath !== undefined, waitSec: once ? 0 : WAIT_SEC };
  const tries = once ? TRIES_ONCE : Number.POSITIVE_INFINITY;
  const onAway = (message: string) => say(`${message}; trying again`);
  return await patiently(() => server.claim(wish), { tries, stop, onAway }).catch((error) => {
    if (stop.aborted) return null;
    throw error;
  });
}

type Patience = { tries?: number; stop: AbortSignal; onAway?: (message: string) => void };

/** Asks the server again while it cannot be reached. @throws The signal's reason; UnavailableError after the last of the tries. */
async function patiently<Answer>(
  ask: () => Promise<Answer>,
  { tries = Number.POSITIVE_INFINITY, stop, onAway }: Patience,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask();
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof UnavailableError) || attempt >= tries) throw error;
      if (attempt === 1) onAway?.(error.message);
      await pause(attempt, stop);
      stop.throwIfAborted();
    }
}

/** How a job ended here, and why if it came to nothing. */
type Ending = { outcome: "done" | "failed" | "lost" | "released"; error?: string };

async function perform(workplace: Workplace, job: Job): Promise<Ending> {
  const { server, folder, stop } = workplace;
  const lost = new AbortController();
  const beat = () =>
    server.renew(job).catch((error) => {
      // The next beat may reach the server again.
      if (error instanceof JobLostError) lost.abort(error);
    });
  const beating = setInterval(beat, (job.leaseSec * SECOND_MS) / BEATS_PER_LEASE);
  const path = join(folder, job.id);
  try {
    await measureAndSend(workplace, { job, path, signal: AbortSignal.any([stop, lost.signal]) });
    return { outcome: "done" };
  } catch (error) {
    if (lost.signal.aborted || error instanceof JobLostError) return { outcome: "lost" };
    return await giveBack(workplace, job, error);
  } finally {
    clearInterval(beating);
    await rm(path, { force: true });
  }
}

/** Tells the server that a job came to nothing. Only a fault of the job itself counts as an attempt. */
async function giveBack({ server, stop }: Workplace, job: Job, error: unknown): Promise<Ending> {
  const why = error instanceof Error ? error.message : String(error);
  const isForAll = error instanceof RefusedError;
  const isFault = !(stop.aborted || isForAll || error instanceof UnavailableError);
  // If the server cannot be told, the job comes back to it when its lease has run out.
  await server.release(job, isFault ? why : undefined).catch(() => undefined);
  if (isForAll) throw error;
  return { outcome: isFault ? "failed" : "released", ...(!stop.aborted && { error: why }) };
}

type Task = { job: Job; path: string; signal: AbortSignal };

async function measureAndSend(workplace: Workplace, { job, path, signal }: Task): Promise<void> {
  const { server, version, pool, selfCommand } = workplace;
  await server.download(job, path, signal).catch((error) => {
    if (isFullDisk(error)) throw new RefusedError("The disk of the temporary folder is full on this machine");
    throw error;
  });
  const ffmpegPath = job.ffmpeg ? workplace.ffmpegPath : undefined;
  const task: AnalysisTask = { path, ffmpegPath, selfCommand };
  const result =
    job.kind === "listen"
      ? encodeHeard((await pool.run({ ...task, only: "ears" }, signal)) as Heard)
      : encodeOutcome((await pool.run(task, signal)) as AnalysisOutcome);
  // The lease is renewed meanwhile, or runs out: then the job is another's.
  await patiently(() => server.send(job, { version, ...result }), { stop: signal });
}
