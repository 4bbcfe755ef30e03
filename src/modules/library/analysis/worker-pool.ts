import { createThread } from "../../../kernel/thread.ts";
import { SECOND_MS } from "../../../kernel/time.ts";

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

type PoolOptions = {
  /** A thread that has not released an aborted task after this time is ended. */
  abortGraceMs?: number;
  /** A thread that had nothing to do for this time is ended. Left out: it stays until the pool is closed. */
  idleMs?: number;
};

/** Returns a pool that starts without threads. `start` starts one; a thread that died is replaced when needed. */
export function createWorkerPool<Task, Outcome>(
  start: () => Worker,
  { abortGraceMs = ABORT_GRACE_MS, idleMs }: PoolOptions = {},
): WorkerPool<Task, Outcome> {
  const all = new Set<Place<Task, Outcome>>();
  const idle: Place<Task, Outcome>[] = [];
  let ending: ReturnType<typeof setTimeout> | undefined;

  const addPlace = () => {
    const place = createPlace<Task, Outcome>(start, abortGraceMs);
    all.add(place);
    return place;
  };
  const endIdle = () => {
    for (const place of idle.splice(0)) {
      place.end();
      all.delete(place);
    }
  };
  const release = (place: Place<Task, Outcome>) => {
    idle.push(place);
    if (idleMs === undefined) return;
    clearTimeout(ending);
    ending = setTimeout(endIdle, idleMs);
    ending.unref();
  };

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      const place = idle.pop() ?? addPlace();
      const answer = await place.ask(task, signal);
      release(place);
      if (answer.kind === "done" && !signal.aborted) return answer.outcome;
      throw signal.aborted ? signal.reason : (answer as { error: unknown }).error;
    },
    close() {
      clearTimeout(ending);
      for (const place of all) place.end();
    },
  };
}

/** Holds one thread at a time, with one task at a time. */
type Place<Task, Outcome> = {
  /** Resolves with the thread's answer, or with an error once the thread is gone. */
  ask(task: Task, signal: AbortSignal): Promise<FromWorker<Outcome>>;
  end(): void;
};

function createPlace<Task, Outcome>(spawn: () => Worker, abortGraceMs: number): Place<Task, Outcome> {
  let settle: (answer: FromWorker<Outcome>) => void = () => {};
  const thread = createThread<ToWorker<Task>, FromWorker<Outcome>>({
    spawn,
    onMessage: (answer) => settle(answer),
    onEnd: (error = new Error("The worker thread ended in the middle of a task")) =>
      settle({ kind: "error", error }),
  });
  return {
    end: thread.end,
    async ask(task, signal) {
      const { promise: answer, resolve } = Promise.withResolvers<FromWorker<Outcome>>();
      settle = resolve;
      let grace: ReturnType<typeof setTimeout> | undefined;
      const abort = () => {
        thread.send({ kind: "abort" });
        grace = setTimeout(thread.kill, abortGraceMs);
      };
      signal.addEventListener("abort", abort);
      thread.send({ kind: "task", task });
      try {
        return await answer;
      } finally {
        clearTimeout(grace);
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
