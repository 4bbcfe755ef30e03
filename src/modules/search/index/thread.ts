import { createThread } from "../../../kernel/thread.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import type { EngineTask, SearchEngine } from "./engine.ts";
import type { FromThread, ThreadReport, ToThread } from "./worker.ts";

/** A thread that searches; started when it is first needed, and anew when it has died. */
export type SearchThread = SearchEngine & {
  /** Starts the thread now, so that it reads what would be slow to search for the first time. */
  warm(): void;
  /** Ends the thread; whoever still waits gets an error. */
  close(): void;
};

type Waiting = {
  task: EngineTask;
  attempts: number;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
};

/** A thread that died over a search gets it once more; then the search is to blame. */
const MAX_ATTEMPTS = 2;
/** A thread that says nothing for so long after a search was given up is stuck in it. */
const STUCK_MS = 20 * SECOND_MS;

/**
 * Returns an engine whose searches run in one thread over the database at `path`. `spawn` starts the thread; `report` is
 * told what it says beside its answers.
 */
export function createSearchThread(
  path: string,
  spawn: () => Worker,
  report: (said: ThreadReport) => void = () => {},
): SearchThread {
  const waiting = new Map<number, Waiting>();
  let watch: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;
  let isClosed = false;

  const stopWatching = () => {
    clearTimeout(watch);
    watch = undefined;
  };

  const thread = createThread<ToThread, FromThread>({
    spawn,
    greeting: { kind: "open", path },
    onMessage(said) {
      stopWatching();
      if (said.kind === "pong") return;
      if (said.kind === "log" || said.kind === "kept") return report(said);
      const asked = waiting.get(said.id);
      waiting.delete(said.id);
      if (said.kind === "done") asked?.resolve(said.answer);
      else asked?.reject(said.error);
    },
    onEnd(cause) {
      stopWatching();
      retry(cause);
    },
  });

  /** What the dead thread had in hand goes to a new one. */
  const retry = (cause?: Error) => {
    for (const [id, asked] of waiting) {
      asked.attempts += 1;
      if (isClosed || asked.attempts > MAX_ATTEMPTS) {
        waiting.delete(id);
        asked.reject(new Error("The search thread ended in the middle of a search", { cause }));
      } else thread.send({ kind: "task", id, task: asked.task });
    }
  };

  const lookAfter = () => {
    if (!thread.isRunning() || watch) return;
    thread.send({ kind: "ping" });
    watch = setTimeout(thread.kill, STUCK_MS).unref();
  };

  const ask = <Answer>(task: EngineTask, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isClosed || signal.aborted)
        return reject(signal.reason ?? new Error("The search thread is closed"));
      const id = nextId++;
      // The thread answers each kind of task with its own kind of answer.
      waiting.set(id, { task, attempts: 1, resolve: resolve as (answer: unknown) => void, reject });
      const giveUp = () => {
        if (!waiting.delete(id)) return;
        reject(signal.reason);
        lookAfter();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      thread.send({ kind: "task", id, task });
    });

  return {
    search: (task, signal) => ask({ kind: "search", ...task }, signal),
    similar: (task, signal) => ask({ kind: "similar", ...task }, signal),
    warm: () => thread.send({ kind: "warm" }),
    close() {
      isClosed = true;
      thread.end();
      stopWatching();
      retry();
    },
  };
}
