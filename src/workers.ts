import type { JobHandler, JobTable } from "./jobs/job.ts";
import { type JobLoop, startLoop } from "./jobs/loop.ts";
import { releaseAll } from "./jobs/settle.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import type { AnalysisPool } from "./modules/library/analysis/analyze.ts";
import type { ListenPool } from "./modules/library/analysis/listening/listen.ts";
import {
  ANALYZE_JOB,
  type AnalysisOutcome,
  type AnalysisTask,
  EMBEDDED_COVERS_JOB,
  type Heard,
  LISTEN_JOB,
  type ListenTask,
  REFRESH_JOB,
  recoverAnalyses,
  recoverLearning,
  recoverListening,
  retryWaitingForFfmpeg,
  type WorkerPool,
} from "./modules/library/analysis/service.ts";
import { createWorkerPool } from "./modules/library/analysis/worker-pool.ts";
import { recoverRenditions, TRANSCODE_JOB } from "./modules/library/renditions/service.ts";
import { FILL_JOB, recoverSounds } from "./modules/library/sounds/service.ts";
import { LEARN_JOB } from "./modules/library/tags/service.ts";

/** The background work of the program. */
export type Workers = {
  /** Looks for work now. Rarely needed, because a new job wakes the loop. */
  wake(): void;
  /** Runs every job that is due, and the jobs that they queue, and resolves when none is left. */
  drain(): Promise<void>;
  /** Aborts the running jobs, releases them, and ends the threads. */
  stop(): Promise<void>;
};

/**
 * Returns a pool of analysis threads, not yet started. It is created here because a compiled program resolves every
 * path relative to `main.ts`, and `worker.ts` is a separate entry point there.
 */
export function createAnalysisPool(): AnalysisPool {
  return createWorkerPool(startAnalysisThread);
}

/** Returns the pool of a worker of another machine's server: its threads measure and listen again. Not yet started. */
export function createWorkPool(): WorkerPool<AnalysisTask | ListenTask, AnalysisOutcome | Heard> {
  return createWorkerPool(startAnalysisThread);
}

const startAnalysisThread = () =>
  new Worker(new URL("./modules/library/analysis/worker.ts", import.meta.url).href);

/** Starts the thread that delivers webhooks. It is created here for the same reason. */
export function createDeliveryWorker(): Worker {
  return new Worker(new URL("./modules/outward/webhooks/worker.ts", import.meta.url).href, { smol: true });
}

/** Starts a search thread. It is created here for the same reason. */
export function spawnSearchThread(): Worker {
  return new Worker(new URL("./modules/search/search/index/worker.ts", import.meta.url).href);
}

type Pools = { analysing: AnalysisPool; listening: ListenPool };
/** Resolves when it is known whether there is ffmpeg, or with the signal's abort. */
type UntilKnown = (signal: AbortSignal) => Promise<void>;

/** Returns every kind of job, with its handler and how many run at once. */
function jobTable(deps: Deps, { analysing, listening }: Pools, untilKnown: UntilKnown): JobTable {
  /** Returns a handler whose code is loaded at its first job, once it is known whether ffmpeg is there. */
  const loaded =
    (load: () => Promise<JobHandler>): JobHandler =>
    async (payload, run) => {
      await untilKnown(run.signal);
      run.signal.throwIfAborted();
      return (await load())(payload, run);
    };
  const analyze = async () =>
    (await import("./modules/library/analysis/analyze.ts")).analyzeHandler(deps, analysing);
  const listen = async () =>
    (await import("./modules/library/analysis/listening/listen.ts")).listenHandler(deps, listening);
  const transcode = async () =>
    (await import("./modules/library/renditions/transcode.ts")).transcodeHandler(deps);
  const learn = async () => (await import("./modules/library/analysis/learning/learn.ts")).learnHandler(deps);
  const refresh = async () =>
    (await import("./modules/library/analysis/learning/refresh.ts")).refreshHandler(deps);
  const embeddedCovers = async () =>
    (await import("./modules/library/analysis/cover.ts")).embeddedCoversHandler(deps);
  const fill = async () => (await import("./modules/library/sounds/fill.ts")).fillHandler(deps);
  const { analysisConcurrency } = deps.settings;
  return {
    [ANALYZE_JOB]: {
      run: loaded(analyze),
      concurrency: analysisConcurrency,
      onLost: () => recoverAnalyses(deps),
    },
    // One at a time: renditions can wait for analyses.
    [TRANSCODE_JOB]: { run: loaded(transcode), concurrency: 1 },
    [LEARN_JOB]: { run: loaded(learn), concurrency: 1 },
    [REFRESH_JOB]: { run: loaded(refresh), concurrency: 1 },
    [FILL_JOB]: { run: loaded(fill), concurrency: 1 },
    [EMBEDDED_COVERS_JOB]: { run: loaded(embeddedCovers), concurrency: 1 },
    // No request waits for it.
    [LISTEN_JOB]: {
      run: loaded(listen),
      concurrency: Math.min(1, analysisConcurrency),
      givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB],
    },
  };
}

/**
 * Repairs what the last run left unfinished, and starts running jobs. Only one process of a library may do this: it
 * treats every job marked as running as interrupted by a crash.
 *
 * @param options `loops: false` runs jobs only on request, with `drain`. `recover: false` repairs nothing and is
 *   safe beside another process: jobs are claimed one by one, and a lost claim is noticed. `analysing` stands in for
 *   the threads of this process. `ffmpeg` is a search for it that is still under way: jobs wait for its end.
 */
export function startWorkers(
  deps: Deps,
  {
    loops = true,
    recover = true,
    analysing = createAnalysisPool(),
    ffmpeg,
  }: {
    loops?: boolean;
    recover?: boolean;
    analysing?: AnalysisPool;
    ffmpeg?: Promise<unknown>;
  } = {},
): Workers {
  const stopping = new AbortController();
  const untilKnown: UntilKnown = async (signal) => {
    if (ffmpeg) await Promise.race([ffmpeg, aborted(signal)]);
  };
  if (recover) recoverAll(deps);
  const recovered = recover ? recoverMore(deps, untilKnown, stopping.signal) : undefined;
  const pools: Pools = { analysing, listening: createWorkerPool(startAnalysisThread) };
  const table = jobTable(deps, pools, untilKnown);
  const loop: JobLoop | undefined = loops ? startLoop(deps, table) : undefined;
  return {
    wake: () => loop?.wake(),
    async drain() {
      await recovered;
      await (loop ? loop.idle() : drainOnce(deps, table));
    },
    async stop() {
      stopping.abort();
      await Promise.all([loop?.stop(), recovered]);
      pools.analysing.close();
      pools.listening.close();
    },
  };
}

function recoverAll(deps: Deps): void {
  releaseAll(deps);
  recoverAnalyses(deps);
  recoverLearning(deps);
  if (recoverListening(deps))
    deps.log("info", "Listening again to tracks that were analysed with older ears");
  if (recoverSounds(deps)) deps.log("info", "Making the vectors that tracks are compared by");
}

/** Repairs what depends on ffmpeg or takes long, while requests are served. No request relies on these repairs. */
async function recoverMore(deps: Deps, untilKnown: UntilKnown, signal: AbortSignal): Promise<void> {
  try {
    await untilKnown(signal);
    if (signal.aborted) return;
    const retried = retryWaitingForFfmpeg(deps);
    if (retried > 0)
      deps.log("info", "ffmpeg was found: analysing the tracks that needed it", { tracks: retried });
    const renditions = await recoverRenditions(deps, signal);
    if (renditions > 0) deps.log("info", "Making missing renditions", { renditions });
  } catch (error) {
    deps.log(
      "error",
      "Tracks and renditions that need ffmpeg could not be recovered; the next start tries again",
      { error },
    );
    conditionOf(deps.db).report(error);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function drainOnce(deps: Deps, table: JobTable): Promise<void> {
  const loop = startLoop(deps, table);
  await loop.idle();
  await loop.stop();
}
