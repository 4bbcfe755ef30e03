import { SECOND_MS } from "../../kernel/time.ts";

/** A message to a worker thread. */
export type ToWorker<Task> = { kind: "task"; task: Task } | { kind: "abort" };
/** A worker's answer, one per task. */
export type FromWorker<Outcome> = { kind: "done"; outcome: Outcome } | { kind: "error"; error: unknown };

/** Threads that do one task after another: as many as there are concurrent tasks, started when first needed. */
export type WorkerPool<Task, Outcome> = {
  /**
   * Runs a task and returns its outcome.
   *
   * @throws What the worker reports, Error when its thread ended, or the signal's reason when aborted. It throws only
   *   after the thread has released the task.
   */
  run(task: Task, signal: AbortSignal): Promise<Outcome>;
  /** Ends every thread, tasks in hand included. */
  close(): void;
};

const ABORT_GRACE_MS = 2 * SECOND_MS;

/**
 * Returns a pool that starts without threads. `start` starts one; a thread that died is replaced when needed.
 *
 * @param abortGraceMs A thread that has not released an aborted task after this time is ended.
 */
export function createWorkerPool<Task, Outcome>(
  start: () => Worker,
  abortGraceMs = ABORT_GRACE_MS,
): WorkerPool<Task, Outcome> {
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  const hire = (): Worker => {
    const worker = start();
    all.add(worker);
    // A thread that throws dies and then swallows messages, so it must leave the pool.
    worker.addEventListener("close", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    return worker;
  };

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      const worker = idle.pop() ?? hire();
      const answer = await ask<Task, Outcome>(worker, task, { signal, abortGraceMs });
      if (all.has(worker)) idle.push(worker);
      if (answer.kind === "done" && !signal.aborted) return answer.outcome;
      throw signal.aborted ? signal.reason : (answer as { error: unknown }).error;
    },
    close() {
      for (const worker of all) worker.terminate();
    },
  };
}

/** Resolves with the worker's answer, or with an error once its thread is gone. */
function ask<Task, Outcome>(
  worker: Worker,
  task: Task,
  { signal, abortGraceMs }: { signal: AbortSignal; abortGraceMs: number },
): Promise<FromWorker<Outcome>> {
  return new Promise((resolve) => {
    const listeners = new AbortController();
    let lastWords: unknown = new Error("The worker thread ended in the middle of a task");
    let grace: ReturnType<typeof setTimeout> | undefined;
    const settle = (answer: FromWorker<Outcome>) => {
      clearTimeout(grace);
      listeners.abort();
      resolve(answer);
    };
    const options = { signal: listeners.signal };
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<FromWorker<Outcome>>) => settle(data),
      options,
    );
    worker.addEventListener("error", (event) => (lastWords = new Error(event.message)), options);
    worker.addEventListener("close", () => settle({ kind: "error", error: lastWords }), options);
    signal.addEventListener(
      "abort",
      () => {
        worker.postMessage({ kind: "abort" } satisfies ToWorker<Task>);
        grace = setTimeout(() => worker.terminate(), abortGraceMs);
      },
      options,
    );
    worker.postMessage({ kind: "task", task } satisfies ToWorker<Task>);
  });
}
