import type { LibraryId } from "../../../../../db/schema.ts";
import { createThread } from "../../../../kernel/thread.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import type { EngineTask, SearchEngine } from "./engine.ts";
import type { FromThread, ThreadReport, ToThread } from "./worker.ts";

/** A search thread, started when first needed and again after it has died. */
export type SearchThread = SearchEngine & {
  /** Starts the thread now, so that it reads the accounts whose first search would be slow. */
  warm(): void;
  /** Starts the thread now, and has it read an account's index, so that the account's first search need not wait for either. */
  ready(ownerId: LibraryId): void;
  /** Ends the thread; waiting searches fail with an error. */
  close(): void;
};

type Waiting = {
  task: EngineTask;
  attempts: number;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
};

/** If the thread dies during a search, the next thread gets the search once more; after that, the search fails. */
const MAX_ATTEMPTS = 2;
/** If a thread is silent for this long after a search was abandoned, it is stuck in the search. */
const STUCK_MS = 20 * SECOND_MS;

/** What the log says of a thread that ended by itself, or was stuck. The next message starts another. */
const endOf = (cause: Error | undefined, searches: number): ThreadReport => ({
  kind: "log",
  level: "error",
  message: "The search thread ended; the next search starts another",
  fields: { searches, ...(cause && { error: cause.message }) },
});

/**
 * Returns an engine whose searches run in one thread over the database at `path`. `spawn` starts the thread; `report`
 * receives its messages other than answers, and statements that take `slowQueryMs` or longer; 0: none.
 */
export function createSearchThread(
  path: string,
  spawn: () => Worker,
  report: (said: ThreadReport) => void = () => {},
  slowQueryMs = 0,
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
    greeting: { kind: "open", path, slowQueryMs },
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
      if (!isClosed) report(endOf(cause, waiting.size));
      retry(cause);
    },
  });

  /** Hands the searches of the dead thread to a new one. */
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
      // The thread gives each kind of task its own kind of answer.
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
    ready: (ownerId) => thread.send({ kind: "ready", ownerId }),
    close() {
      isClosed = true;
      thread.end();
      stopWatching();
      retry();
    },
  };
}
