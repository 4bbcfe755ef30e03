/** A worker thread. The first message starts it, and so does the first message after it died. */
export type Thread<To> = {
  isRunning(): boolean;
  /** Sends a message; first starts the thread if it is not running. Does nothing after `end`. */
  send(message: To): void;
  /** Ends the running thread, whatever it is doing. */
  kill(): void;
  /** Like `kill`, and starts no other thread. */
  end(): void;
  /** Resolves when the running thread has ended; at once when none is running. */
  ended(): Promise<void>;
};

export type ThreadOptions<To, From> = {
  spawn: () => Worker;
  /** Sent to every thread that starts, before anything else. */
  greeting?: To;
  onMessage(message: From): void;
  /** Called when a thread has ended, with the error that ended it, if any. Messages it had not read are lost. */
  onEnd(error: Error | undefined): void;
};

/** Returns a thread that is not running yet. */
export function createThread<To, From>(options: ThreadOptions<To, From>): Thread<To> {
  const { spawn, greeting, onMessage, onEnd } = options;
  let running: { worker: Worker; ended: Promise<void> } | undefined;
  let isOver = false;

  const start = () => {
    const worker = spawn();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let error: Error | undefined;
    worker.addEventListener("message", ({ data }: MessageEvent<From>) => onMessage(data));
    worker.addEventListener("error", ({ message }) => {
      error = new Error(message);
    });
    // A thread that throws dies, and until this event it swallows messages.
    worker.addEventListener("close", () => {
      running = undefined;
      resolve();
      onEnd(error);
    });
    if (greeting) worker.postMessage(greeting);
    return { worker, ended };
  };

  return {
    isRunning: () => running !== undefined,
    send(message) {
      if (isOver) return;
      running ??= start();
      running.worker.postMessage(message);
    },
    kill: () => running?.worker.terminate(),
    end() {
      isOver = true;
      running?.worker.terminate();
    },
    ended: async () => running?.ended,
  };
}
