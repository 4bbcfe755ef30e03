import type { JobHandler, JobTable } from "./jobs/job.ts";
import { type JobLoop, startLoop } from "./jobs/loop.ts";
import { releaseAll } from "./jobs/settle.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { MODULES } from "./modules/index.ts";
import type { Pools } from "./modules/module.ts";
import {
  createAlignPool,
  createAnalysisPool,
  createCheckPool,
  createHearWholePool,
  createListenPool,
  createRelatePool,
} from "./threads.ts";

/** The background work of the program. */
export type Workers = {
  /** Looks for work now. Rarely needed, because a new job wakes the loop. */
  wake(): void;
  /** Runs every job that is due, and the jobs that they queue, and resolves when none is left. */
  drain(): Promise<void>;
  /** Aborts the running jobs, releases them, and ends the threads. */
  stop(): Promise<void>;
};

/** Resolves when it is known whether there is ffmpeg, or with the signal's abort. */
type UntilKnown = (signal: AbortSignal) => Promise<void>;

/**
 * Returns every kind of job, with its handler and how many run at once. The code of a handler is loaded at its first job,
 * once it is known whether ffmpeg is there.
 */
function jobTable(deps: Deps, pools: Pools, untilKnown: UntilKnown): JobTable {
  const loaded =
    (load: () => Promise<JobHandler>): JobHandler =>
    async (payload, run) => {
      await untilKnown(run.signal);
      run.signal.throwIfAborted();
      return (await load())(payload, run);
    };
  const kinds = MODULES.flatMap(({ jobs }) => Object.entries(jobs?.(deps, pools) ?? {}));
  return Object.fromEntries(kinds.map(([name, { load, ...kind }]) => [name, { ...kind, run: loaded(load) }]));
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
    analysing?: Pools["analysing"];
    ffmpeg?: Promise<unknown>;
  } = {},
): Workers {
  const stopping = new AbortController();
  const untilKnown: UntilKnown = async (signal) => {
    if (ffmpeg) await Promise.race([ffmpeg, aborted(signal)]);
  };
  if (recover) recoverAll(deps);
  const recovered = recover ? recoverMore(deps, untilKnown, stopping.signal) : undefined;
  const [listening, checking, relating] = [createListenPool(), createCheckPool(), createRelatePool()];
  const hearing = createHearWholePool();
  const pools: Pools = {
    analysing,
    listening,
    hearing,
    checking,
    aligning: createAlignPool,
    relating,
  };
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
      listening.close();
      hearing.close();
      checking.close();
      relating.close();
    },
  };
}

function recoverAll(deps: Deps): void {
  releaseAll(deps);
  for (const { recover } of MODULES) recover?.(deps);
}

/** Repairs what depends on ffmpeg or takes long, while requests are served. No request relies on these repairs. */
async function recoverMore(deps: Deps, untilKnown: UntilKnown, signal: AbortSignal): Promise<void> {
  try {
    await untilKnown(signal);
    for (const { recoverLater } of MODULES) if (!signal.aborted) await recoverLater?.(deps, signal);
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
