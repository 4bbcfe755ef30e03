import { type Db, transact } from "../../db/client.ts";
import { jobs } from "../../db/schema.ts";
import type { Timer } from "../../src/jobs/bell.ts";
import type { NewJob } from "../../src/jobs/job.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { openEmpty } from "../support/empty-library.ts";

export const START = Date.UTC(2026, 0, 15, 12);

/** Makes a queue in memory with a clock that tests control. */
export function createQueueTest(db: Db = openEmpty()) {
  let at = START;
  const logged: { level: string; message: string }[] = [];
  const deps = {
    db,
    now: () => at,
    log: (level: string, message: string) => void logged.push({ level, message }),
  };
  return {
    deps,
    logged,
    advance: (ms: number) => {
      at += ms;
    },
    add: (job: Partial<NewJob> = {}) =>
      transact(db, (tx) => enqueue(tx, { name: "press", payload: {}, ...job }, at)),
    rows: () => db.select().from(jobs).all(),
  };
}

/** Makes a timer that fires when the test says so. `delays` are the pending waits. */
export function createManualTimer() {
  let waiting: { run: () => void; ms: number }[] = [];
  const timer: Timer = (run, ms) => {
    const entry = { run, ms };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((each) => each !== entry);
    };
  };
  return {
    timer,
    delays: () => waiting.map(({ ms }) => ms),
    /** Ends every wait, and runs everything that follows. */
    async fire() {
      for (const { run } of waiting.splice(0)) run();
      await settle();
    },
  };
}

/** Resolves when everything has happened that needs no timer. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}
