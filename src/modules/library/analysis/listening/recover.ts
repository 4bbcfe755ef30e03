import { transact } from "../../../../../db/client.ts";
import { enqueue } from "../../../../jobs/queue.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { hasUnheard, isListening, LISTEN_JOB } from "./unheard.ts";

/**
 * Queues every track whose analysis is older than the ears, the newest first. Called at startup, after the job
 * queue has recovered; interrupted work goes on where it stopped. Returns whether there is anything to hear.
 */
export function recoverListening({ db, now }: Pick<Deps, "db" | "now">): boolean {
  if (!hasUnheard(db)) return false;
  const fromTheNewest = { name: LISTEN_JOB, payload: { below: Number.MAX_SAFE_INTEGER }, uniqueKey: "" };
  transact(db, (tx) => {
    if (!isListening(tx)) enqueue(tx, fromTheNewest, now());
  });
  return true;
}
