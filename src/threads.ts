import { SECOND_MS } from "./kernel/time.ts";
import type { AnalysisPool } from "./modules/library/analysis/analyze.ts";
import type { ListenPool } from "./modules/library/analysis/listening/listen.ts";
import type { HearWholePool } from "./modules/library/analysis/places/hear-whole.ts";
import type {
  AlignPool,
  AnalysisOutcome,
  AnalysisTask,
  Checked,
  CheckTask,
  Heard,
  ListenTask,
  ReferencePool,
  WorkerPool,
} from "./modules/library/analysis/service.ts";
import { createWorkerPool } from "./modules/library/analysis/worker-pool.ts";
import type { RelatePool } from "./modules/library/kinship/service.ts";
import type { LeakPool } from "./modules/sharing/leaks/service.ts";

// The threads are made here, because a compiled program resolves every path relative to `main.ts`, where each of their
// files is an entry point of its own.

/** Returns a pool of analysis threads, not yet started. */
export const createAnalysisPool = (): AnalysisPool => createWorkerPool(startAnalysisThread);

/** Returns a pool of threads that listen, not yet started. */
export const createListenPool = (): ListenPool => createWorkerPool(startAnalysisThread);

/** Returns a pool of threads that listen to whole tracks, not yet started. They end soon after the last track. */
export const createHearWholePool = (): HearWholePool =>
  createWorkerPool(startAnalysisThread, { idleMs: IDLE_MS });

/** Returns a pool of threads that look for faults in files, not yet started. */
export const createCheckPool = (): WorkerPool<CheckTask, Checked> => createWorkerPool(startAnalysisThread);

/** A reference is often followed by another: the same one with other words. */
const REFERENCE_IDLE_MS = 60 * SECOND_MS;

/** Returns the pool of the thread that measures references, not yet started. It ends soon after the last one. */
export const createReferencePool = (): ReferencePool =>
  createWorkerPool(startAnalysisThread, { idleMs: REFERENCE_IDLE_MS });

/** Returns a pool of threads that lay recordings on each other, not yet started. */
export const createAlignPool = (): AlignPool =>
  createWorkerPool(
    () =>
      new Worker(new URL("./modules/sharing/comments/carry/worker.ts", import.meta.url).href, { smol: true }),
  );

/** What is uploaded together is compared one after the other: the thread and what it decoded serve the next job. */
const IDLE_MS = 5 * SECOND_MS;

/** Returns a pool of threads that compare tracks, not yet started. They end soon after the last comparison. */
export const createRelatePool = (): RelatePool =>
  createWorkerPool(() => new Worker(new URL("./modules/library/kinship/worker.ts", import.meta.url).href), {
    idleMs: IDLE_MS,
  });

/** Returns the pool of the thread that looks into leaks, not yet started. It ends soon after the last one. */
export const createLeakPool = (): LeakPool =>
  createWorkerPool(() => new Worker(new URL("./modules/sharing/leaks/worker.ts", import.meta.url).href), {
    idleMs: IDLE_MS,
  });

/** Returns the pool of a worker of another machine's server: its threads measure and listen again. Not yet started. */
export const createWorkPool = (): WorkerPool<AnalysisTask | ListenTask, AnalysisOutcome | Heard> =>
  createWorkerPool(startAnalysisThread);

const startAnalysisThread = () =>
  new Worker(new URL("./modules/library/analysis/worker.ts", import.meta.url).href);

/** Starts the thread that delivers webhooks. */
export const createDeliveryWorker = (): Worker =>
  new Worker(new URL("./modules/outward/webhooks/worker.ts", import.meta.url).href, { smol: true });

/** Starts a search thread. */
export const spawnSearchThread = (): Worker =>
  new Worker(new URL("./modules/search/search/index/worker.ts", import.meta.url).href);

/** Starts the thread that merges the database's log. */
export const createCheckpointThread = (): Worker =>
  new Worker(new URL("./store/checkpoints/worker.ts", import.meta.url).href, { smol: true });
