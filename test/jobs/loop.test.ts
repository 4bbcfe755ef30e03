import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../db/client.ts";
import { LEASE_MS } from "../../src/jobs/claim.ts";
import type { JobHandler, JobRun } from "../../src/jobs/job.ts";
import { type JobLoop, startLoop } from "../../src/jobs/loop.ts";
import { releaseAll } from "../../src/jobs/settle.ts";
import { openEmptyAt } from "../support/empty-library.ts";
import { createManualTimer, createQueueTest, settle } from "./support.ts";

let loop: JobLoop | undefined;
afterEach(() => loop?.stop());

/** Makes a handler whose runs last until the test ends them, or until they are aborted. */
function createHeldHandler() {
  const runs: (JobRun & {
    payload: Record<string, unknown>;
    end: () => void;
    fail: (error: Error) => void;
  })[] = [];
  const handler: JobHandler = (payload, run) =>
    new Promise((resolve, reject) => {
      runs.push({ ...run, payload, end: resolve, fail: reject });
      run.signal.addEventListener("abort", () => reject(run.signal.reason));
    });
  return { handler, runs };
}

function startTest(concurrency = 2, queue = createQueueTest()) {
  const manual = createManualTimer();
  const held = createHeldHandler();
  loop = startLoop(queue.deps, { press: { run: held.handler, concurrency } }, manual.timer);
  return { ...queue, ...held, manual, loop };
}

describe("the job loop", () => {
  test("starts a queued job at once, without a timer", async () => {
    const { add, runs } = startTest();
    await settle();

    add({ payload: { side: "A" } });
    await settle();

    expect(runs).toMatchObject([{ payload: { side: "A" }, attempt: 1, isLastAttempt: false }]);
  });

  test("runs as many jobs of a name at once as allowed, and the next when one ends", async () => {
    const { add, runs, rows } = startTest(2);
    for (const n of [1, 2, 3]) add({ payload: { n } });
    await settle();
    expect(runs.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }]);

    runs[0]?.end();
    await settle();

    expect(runs.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(rows()).toHaveLength(2);
  });

  test("leaves jobs of unknown names for a program that knows them", async () => {
    const { add, rows, loop } = startTest();

    add({ name: "unheard" });
    await loop.idle();

    expect(rows()).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });

  test("waits for a job's time, in steps of at most a fifth of a second", async () => {
    const { add, runs, advance, manual } = startTest();
    add({ runAt: createQueueTest().deps.now() + 250 });
    await settle();
    expect(manual.delays()).toEqual([200]);

    advance(200);
    await manual.fire();
    expect(manual.delays()).toEqual([50]);
    expect(runs).toHaveLength(0);
    advance(50);
    await manual.fire();

    expect(runs).toHaveLength(1);
  });

  test("notices a job that another process queued, at its next check", async () => {
    const dir = mkdtempSync(join(tmpdir(), "dubplate-test-"));
    const path = join(dir, "jobs.db");
    const { runs, manual, loop } = startTest(1, createQueueTest(openEmptyAt(path)));
    const elsewhere = createQueueTest(openDb(path));
    await settle();

    elsewhere.add();
    await settle();
    expect(runs).toHaveLength(0);
    await manual.fire();

    expect(runs).toHaveLength(1);
    await loop.stop();
    rmSync(dir, { recursive: true });
  });

  test("a failed job is logged and tried again after its pause", async () => {
    const { add, runs, rows, advance, manual, logged, loop } = startTest();
    add();
    await settle();

    runs[0]?.fail(new Error("scratch"));
    await loop.idle();
    expect(rows()).toMatchObject([{ state: "waiting", attempts: 1, lastError: "Error: scratch" }]);
    expect(logged).toMatchObject([{ level: "warn", message: "Job press failed" }]);
    advance(6000);
    await manual.fire();

    expect(runs[1]).toMatchObject({ attempt: 2 });
  });

  test("a handler is told which try is its last", async () => {
    const { add, runs } = startTest();

    add({ maxAttempts: 1 });
    await settle();

    expect(runs).toMatchObject([{ isLastAttempt: true }]);
  });

  test("a job that gives way to others waits for them, and is put back when one comes", async () => {
    const { add, deps, logged, rows } = createQueueTest();
    const [patient, urgent] = [createHeldHandler(), createHeldHandler()];
    const table = {
      polish: { run: patient.handler, concurrency: 1, givesWayTo: ["press"] },
      press: { run: urgent.handler, concurrency: 1 },
    };
    loop = startLoop(deps, table, createManualTimer().timer);
    add({ name: "polish" });
    await settle();
    expect(patient.runs).toHaveLength(1);

    for (const n of [1, 2]) add({ payload: { n } });
    await settle();
    expect(patient.runs[0]?.signal.aborted).toBe(true);
    expect(rows().find(({ name }) => name === "polish")).toMatchObject({ state: "waiting", attempts: 0 });
    urgent.runs[0]?.end();
    await settle();
    expect([patient.runs.length, urgent.runs.length]).toEqual([1, 2]);
    urgent.runs[1]?.end();
    await settle();

    expect(patient.runs).toMatchObject([{}, { attempt: 1 }]);
    expect(logged).toEqual([]);
  });

  test("renews leases, and aborts a run that lost its job", async () => {
    const { add, deps, runs, rows, advance, manual } = startTest();
    add();
    await settle();
    const leaseUntil = rows()[0]?.leaseUntil ?? 0;

    advance(LEASE_MS / 2);
    await manual.fire();
    expect(rows()[0]?.leaseUntil).toBe(leaseUntil + LEASE_MS / 2);
    expect(runs[0]?.signal.aborted).toBe(false);
    releaseAll(deps);
    advance(LEASE_MS / 2);
    await manual.fire();

    expect(runs[0]?.signal.aborted).toBe(true);
    // Claimed by the next run of the same loop.
    expect(runs).toHaveLength(2);
    expect(rows()).toMatchObject([{ state: "running", attempts: 2 }]);
  });

  test("keeps its jobs after the machine slept for an hour", async () => {
    const { add, runs, rows, advance, manual } = startTest();
    add();
    await settle();

    advance(60 * LEASE_MS);
    await manual.fire();

    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
    expect(rows()).toMatchObject([{ state: "running", attempts: 1 }]);
  });

  test("stopping aborts the running jobs and releases them without a counted try", async () => {
    const { add, runs, rows, loop } = startTest();
    add();
    add({ payload: { n: 2 } });
    await settle();

    await loop.stop();

    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(rows().map(({ state, attempts }) => ({ state, attempts }))).toEqual([
      { state: "waiting", attempts: 0 },
      { state: "waiting", attempts: 0 },
    ]);
  });

  test("a job that finishes while the program stops stays done", async () => {
    const queue = createQueueTest();
    const stubborn: JobHandler = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    loop = startLoop(queue.deps, { press: { run: stubborn, concurrency: 1 } });
    queue.add();
    await settle();

    await loop.stop();

    expect(queue.rows()).toEqual([]);
  });

  test("is idle when nothing runs and nothing is due, including jobs queued by jobs", async () => {
    const queue = createQueueTest();
    const done: unknown[] = [];
    const promising: JobHandler = async ({ left }) => {
      done.push(left);
      if (Number(left) > 0) queue.add({ payload: { left: Number(left) - 1 } });
    };
    loop = startLoop(queue.deps, { press: { run: promising, concurrency: 1 } });
    queue.add({ payload: { left: 2 } });

    await loop.idle();

    expect(done).toEqual([2, 1, 0]);
    expect(queue.rows()).toEqual([]);
  });

  test("continues when the database fails for a while", async () => {
    const { add, deps, runs, logged, advance, manual, loop } = startTest();
    add({ runAt: deps.now() + 1000 });
    await settle();
    deps.db.$client.run("ALTER TABLE jobs RENAME TO jobs_away");
    loop.wake();
    await settle();
    expect(logged).toMatchObject([{ level: "error" }]);
    deps.db.$client.run("ALTER TABLE jobs_away RENAME TO jobs");

    advance(5000);
    await manual.fire();

    expect(runs).toHaveLength(1);
  });
});
