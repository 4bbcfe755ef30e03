import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createWorkerPool, type WorkerPool } from "../../src/modules/library/analysis/worker-pool.ts";
import type { Order } from "./obedient-worker.ts";

let started = 0;
/** Resolves when the thread that was started last has ended. */
let ended = Promise.resolve();
let pool: WorkerPool<Order, string>;
beforeEach(() => {
  started = 0;
  pool = createPool(PATIENT_MS);
});
afterEach(() => pool.close());

/** Longer than any machine needs to hand a thread a message. */
const PATIENT_MS = 600_000;
const IMPATIENT_MS = 50;

const createPool = (abortGraceMs: number, idleMs?: number): WorkerPool<Order, string> =>
  createWorkerPool(
    () => {
      started++;
      const worker = new Worker(new URL("./obedient-worker.ts", import.meta.url).href);
      ended = new Promise((resolve) => worker.addEventListener("close", () => resolve(), { once: true }));
      return worker;
    },
    { abortGraceMs, ...(idleMs !== undefined && { idleMs }) },
  );

const never = new AbortController().signal;

describe("a pool of threads", () => {
  test("starts no thread before the first task, and reuses it", async () => {
    expect(started).toBe(0);

    expect(await pool.run("answer", never)).toBe("the answer");
    expect(await pool.run("answer", never)).toBe("the answer");

    expect(started).toBe(1);
  });

  test("starts as many threads as tasks run at once", async () => {
    await Promise.all([pool.run("answer", never), pool.run("answer", never)]);

    expect(started).toBe(2);
  });

  test("passes on a thread's error, and keeps the thread", async () => {
    await expect(pool.run("report", never)).rejects.toThrow("no room");
    await pool.run("answer", never);

    expect(started).toBe(1);
  });

  test.each([
    ["throws", "throw", "out of its mind"],
    ["exits", "exit", "The worker thread ended in the middle of a task"],
  ] as const)("fails the task of a thread that %s, and replaces the thread", async (_, order, message) => {
    await expect(pool.run(order, never)).rejects.toThrow(message);

    expect(await pool.run("answer", never)).toBe("the answer");
    expect(started).toBe(2);
  });

  test("an aborted task ends with the reason, and its thread keeps working if it obeys", async () => {
    const stop = new AbortController();
    const task = pool.run("wait", stop.signal);

    stop.abort(new Error("closing time"));

    await expect(task).rejects.toThrow("closing time");
    expect(await pool.run("answer", never)).toBe("the answer");
    expect(started).toBe(1);
  });

  test("a thread that does not obey in time is terminated", async () => {
    pool = createPool(IMPATIENT_MS);
    const stop = new AbortController();
    const task = pool.run("hang", stop.signal);

    stop.abort(new Error("closing time"));

    await expect(task).rejects.toThrow("closing time");
    expect(await pool.run("answer", never)).toBe("the answer");
    expect(started).toBe(2);
  });

  test("a thread with nothing to do is ended where the pool says so, and another is started for the next task", async () => {
    pool = createPool(PATIENT_MS, 1);
    await pool.run("answer", never);

    await ended;

    expect(await pool.run("answer", never)).toBe("the answer");
    expect(started).toBe(2);
  });

  test("closing the pool fails its running tasks", async () => {
    const task = pool.run("wait", never);

    pool.close();

    await expect(task).rejects.toThrow("ended in the middle");
  });

  test("a task aborted before its start needs no thread", async () => {
    await expect(pool.run("answer", AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");

    expect(started).toBe(0);
  });
});
