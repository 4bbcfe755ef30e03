import type { Deps } from "../../kernel/deps.ts";
import { onOutbox } from "../../kernel/events.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { hasWork } from "./queries.ts";
import type { FromThread, ToThread } from "./worker.ts";

/** How often to check for a webhook set by another process, and for a dead thread to replace. */
const LOOK_EVERY_MS = 5 * SECOND_MS;

/** The delivery of events in a separate thread, so that signing, sending and writing do not slow down requests. */
export type DeliveryThread = {
  /** Aborts the running attempts and ends the thread. */
  stop(): Promise<void>;
};

/**
 * Delivers the events of a library. The thread starts only when there is a receiver or a waiting delivery.
 *
 * @param start Creates the thread.
 */
export function startDeliveryThread(deps: Deps, start: () => Worker): DeliveryThread {
  let worker: Worker | undefined;
  let isStopping = false;
  let isRung = false;

  const send = (message: ToThread) => worker?.postMessage(message);
  const begin = () => {
    const thread = start();
    worker = thread;
    thread.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data.kind === "log") deps.log(...data.record);
    });
    thread.addEventListener("error", ({ message }) =>
      deps.log("error", "The thread that delivers webhooks failed", { error: message }),
    );
    thread.addEventListener("close", () => {
      worker = undefined;
    });
    const { filename: path } = deps.db.$client;
    send({ kind: "start", path, settings: deps.settings, secretKey: deps.secrets("webhook-secrets") });
  };
  const look = () => {
    isRung = false;
    if (isStopping) return;
    try {
      if (worker) send({ kind: "wake" });
      else if (hasWork(deps.db)) begin();
    } catch (error) {
      deps.log("error", "The delivery of webhooks could not be started; will try again", { error });
    }
  };
  // Called within a transaction, once per event. A single look follows when the transaction is over.
  const stopListening = onOutbox(deps.db, () => {
    if (!isRung) queueMicrotask(look);
    isRung = true;
  });
  look();
  const looking = setInterval(() => {
    if (!worker) look();
  }, LOOK_EVERY_MS).unref();

  return {
    async stop() {
      isStopping = true;
      stopListening();
      clearInterval(looking);
      const thread = worker;
      if (!thread) return;
      await new Promise<void>((resolve) => {
        thread.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
          if (data.kind === "stopped") resolve();
        });
        thread.addEventListener("close", () => resolve());
        send({ kind: "stop" });
      });
      thread.terminate();
    },
  };
}
