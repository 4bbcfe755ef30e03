import type { Deps } from "../../kernel/deps.ts";
import { onOutbox } from "../../kernel/events.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { hasWork } from "./queries.ts";
import type { FromThread, ToThread } from "./worker.ts";

/** How soon a webhook that another process set is noticed, and a thread that died replaced. */
const LOOK_EVERY_MS = 5 * SECOND_MS;

/** The delivery of events, in a thread of its own: signing, sending and writing take nothing from requests. */
export type DeliveryThread = {
  /** Lets the attempts under way go and ends the thread. */
  stop(): Promise<void>;
};

/**
 * Delivers the events of a library. The thread is started when there is anybody to deliver to, and not before.
 *
 * @param start Makes the thread.
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
      deps.log("error", "The delivery of webhooks could not be started; trying again", { error });
    }
  };
  // Rung within a transaction, once for each event: looked at when that is over, once.
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
