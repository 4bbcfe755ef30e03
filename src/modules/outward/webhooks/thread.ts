import type { Deps } from "../../../kernel/deps.ts";
import { onOutbox } from "../../../kernel/events.ts";
import { meter } from "../../../kernel/meter.ts";
import { createThread } from "../../../kernel/thread.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
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
  let isStopping = false;
  let isRung = false;
  /** False from the end of a thread until the next look: one that dies at once must not start again at every event. */
  let mayStart = true;

  const thread = createThread<ToThread, FromThread>({
    spawn: start,
    greeting: { kind: "start", path: deps.db.$client.filename, settings: deps.settings },
    onMessage(said) {
      if (said.kind === "log") deps.log(...said.record);
      if (said.kind === "happened") meter(deps.db, said.happening);
      if (said.kind === "stopped") thread.kill();
    },
    onEnd(error) {
      mayStart = false;
      if (error) deps.log("error", "The thread that delivers webhooks failed", { error: error.message });
    },
  });
  const look = () => {
    isRung = false;
    if (isStopping) return;
    try {
      if (thread.isRunning() || (mayStart && hasWork(deps.db))) thread.send({ kind: "wake" });
    } catch (error) {
      deps.log("error", "The delivery of webhooks could not be started; will try again", { error });
    }
  };
  // Called within a transaction, once per event. A single look follows when the transaction has ended.
  const stopListening = onOutbox(deps.db, () => {
    if (!isRung) queueMicrotask(look);
    isRung = true;
  });
  look();
  const looking = setInterval(() => {
    mayStart = true;
    if (!thread.isRunning()) look();
  }, LOOK_EVERY_MS).unref();

  return {
    async stop() {
      isStopping = true;
      stopListening();
      clearInterval(looking);
      if (!thread.isRunning()) return;
      thread.send({ kind: "stop" });
      await thread.ended();
    },
  };
}
