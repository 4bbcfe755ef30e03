import { describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { RetryAfter, retryDelayMs } from "../../src/jobs/backoff.ts";
import { claimJob, LEASE_MS, nextDueAt, renewLease } from "../../src/jobs/claim.ts";
import type { ClaimedJob } from "../../src/jobs/job.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { completeJob, failJob, recoverLost, releaseAll, releaseJob } from "../../src/jobs/settle.ts";
import { createQueueTest, START } from "./support.ts";

type QueueTest = ReturnType<typeof createQueueTest>;

function claimed({ deps }: QueueTest): ClaimedJob {
  const job = claimJob(deps, "press");
  if (!job) throw new Error("Nothing to claim");
  return job;
}

describe("queueing a job", () => {
  test("a rolled-back transaction queues nothing", () => {
    const { deps, rows } = createQueueTest();
    const failing = () =>
      transact(deps.db, (tx) => {
        enqueue(tx, { name: "press", payload: {} }, START);
        throw new Error("no");
      });

    expect(failing).toThrow("no");

    expect(rows()).toEqual([]);
  });

  test("a job queued twice is one job with the newer payload and the earlier time", () => {
    const { add, rows } = createQueueTest();

    const first = add({ uniqueKey: "a", payload: { side: "A" }, runAt: START + 5 });
    const second = add({ uniqueKey: "a", payload: { side: "B" }, runAt: START + 9 });

    expect(second).toBe(first);
    expect(rows()).toMatchObject([{ payload: { side: "B" }, runAt: START + 5, state: "waiting" }]);
  });

  test("a job queued again gets its tries back", () => {
    const queue = createQueueTest();
    queue.add({ uniqueKey: "a" });
    failJob(queue.deps, claimed(queue), new Error("scratch"), 0.5);

    queue.add({ uniqueKey: "a" });

    expect(queue.rows()).toMatchObject([{ attempts: 0, runAt: START }]);
  });

  test("jobs with other names or without a key are separate", () => {
    const { add, rows } = createQueueTest();

    add({ uniqueKey: "a" });
    add({ uniqueKey: "a", name: "label" });
    add();
    add();

    expect(rows()).toHaveLength(4);
  });
});

describe("claiming a job", () => {
  test("returns the job that has been due longest, and none of another name", () => {
    const queue = createQueueTest();
    queue.add({ payload: { n: 2 }, runAt: START - 1 });
    queue.add({ payload: { n: 1 }, runAt: START - 2 });
    queue.add({ name: "label", runAt: START - 3 });

    expect([claimed(queue).payload, claimed(queue).payload]).toEqual([{ n: 1 }, { n: 2 }]);
    expect(claimJob(queue.deps, "press")).toBeUndefined();
  });

  test("does not return a job before its time", () => {
    const queue = createQueueTest();
    queue.add({ runAt: START + 1000 });

    expect(claimJob(queue.deps, "press")).toBeUndefined();
    expect(nextDueAt(queue.deps, "press")).toBe(START + 1000);
    queue.advance(1000);

    expect(claimed(queue)).toMatchObject({ attempts: 1, maxAttempts: 5 });
  });

  test("never returns two jobs with one key at a time", () => {
    const queue = createQueueTest();
    queue.add({ uniqueKey: "a" });
    const first = claimed(queue);
    queue.add({ uniqueKey: "a" });

    expect(claimJob(queue.deps, "press")).toBeUndefined();
    expect(nextDueAt(queue.deps, "press")).toBeUndefined();
    completeJob(queue.deps, first);

    expect(claimed(queue).id).not.toBe(first.id);
  });
});

describe("ending a job", () => {
  test("a finished job is removed", () => {
    const queue = createQueueTest();
    queue.add();

    expect(completeJob(queue.deps, claimed(queue))).toBe("done");

    expect(queue.rows()).toEqual([]);
  });

  test("a failing job waits longer each time and is dead after the last try, with the reason", () => {
    const queue = createQueueTest();
    queue.add({ maxAttempts: 4 });
    const waitedMs: number[] = [];
    const outcomes = [1, 2, 3, 4].map((attempt) => {
      const outcome = failJob(queue.deps, claimed(queue), new TypeError(`scratch ${attempt}`), 0.5);
      const dueAt = nextDueAt(queue.deps, "press") ?? queue.deps.now();
      waitedMs.push(dueAt - queue.deps.now());
      queue.advance(dueAt - queue.deps.now());
      return outcome;
    });

    expect(outcomes).toEqual(["waiting", "waiting", "waiting", "dead"]);
    expect(waitedMs).toEqual([5000, 10_000, 20_000, 0]);
    expect(queue.rows()).toMatchObject([
      { state: "dead", attempts: 4, lastError: "TypeError: scratch 4", leaseToken: null },
    ]);
    expect(claimJob(queue.deps, "press")).toBeUndefined();
  });

  test.each([
    [1, 0, 4000],
    [1, 0.5, 5000],
    [1, 1, 6000],
    [5, 0.5, 80_000],
    [10, 0.5, 2_560_000],
    [11, 0.5, 3_600_000],
    [1000, 1, 4_320_000],
  ])("the try after number %d, with chance %d, waits %d ms", (attempt, random, ms) => {
    expect(retryDelayMs(attempt, random)).toBe(ms);
  });

  test("a handler may set the time of the next try", () => {
    const queue = createQueueTest();
    queue.add();

    failJob(queue.deps, claimed(queue), new RetryAfter(90_000, "busy"));

    expect(nextDueAt(queue.deps, "press")).toBe(START + 90_000);
  });

  test("a released job has no counted try", () => {
    const queue = createQueueTest();
    queue.add();

    expect(releaseJob(queue.deps, claimed(queue))).toBe("waiting");

    expect(queue.rows()).toMatchObject([{ state: "waiting", attempts: 0, runAt: START, leaseToken: null }]);
  });

  test.each([
    ["fails", (queue: QueueTest, job: ClaimedJob) => failJob(queue.deps, job, new Error("scratch"))],
    ["is released", (queue: QueueTest, job: ClaimedJob) => releaseJob(queue.deps, job)],
    ["is lost", (queue: QueueTest) => releaseAll(queue.deps)],
  ])("one job remains when a job %s while the same job is queued again", (_, end) => {
    const queue = createQueueTest();
    queue.add({ uniqueKey: "a" });
    const job = claimed(queue);
    const newer = queue.add({ uniqueKey: "a" });

    end(queue, job);

    expect(queue.rows()).toMatchObject([{ id: newer, state: "waiting" }]);
  });
});

describe("losing a job", () => {
  test("a lease lasts a minute from its last renewal", () => {
    const queue = createQueueTest();
    queue.add();
    const job = claimed(queue);
    queue.advance(LEASE_MS - 1);
    expect(renewLease(queue.deps, job)).toBe(true);
    queue.advance(LEASE_MS);

    expect(recoverLost(queue.deps, queue.deps.now())).toBe(0);
    expect(recoverLost(queue.deps, queue.deps.now() + 1)).toBe(1);

    expect(queue.rows()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });

  test("a run that lost its job cannot end it", () => {
    const queue = createQueueTest();
    queue.add();
    const lost = claimed(queue);
    releaseAll(queue.deps);
    const current = claimed(queue);

    expect(renewLease(queue.deps, lost)).toBe(false);
    expect(completeJob(queue.deps, lost)).toBe("lost");
    expect(failJob(queue.deps, lost, new Error("scratch"))).toBe("lost");
    expect(releaseJob(queue.deps, lost)).toBe("lost");

    expect(queue.rows()).toMatchObject([{ state: "running", leaseToken: current.leaseToken, attempts: 2 }]);
  });

  test("a job that crashed the program ten times is dead, even with fewer tries", () => {
    const queue = createQueueTest();
    queue.add({ maxAttempts: 3 });
    const states = Array.from({ length: 10 }, () => {
      claimed(queue);
      releaseAll(queue.deps);
      return queue.rows()[0]?.state;
    });

    expect(states).toEqual([...Array(9).fill("waiting"), "dead"]);
  });
});
