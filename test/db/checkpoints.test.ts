import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../db/client.ts";
import { conditionOf } from "../../src/kernel/condition.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { canAskOnly, startCheckpoints } from "../../src/store/checkpoints/checkpoints.ts";
import { createCheckpointThread } from "../../src/threads.ts";
import { openEmptyAt } from "../support/empty-library.ts";

const folder = mkdtempSync(join(tmpdir(), "dubplate-checkpoints-"));
const path = join(folder, "dubplate.db");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAGE = 4096;
const MEGABYTE = 1024 ** 2;
const logBytes = () => statSync(`${path}-wal`).size;
let at = 0;
let logged: { level: string; message: string }[] = [];
const start = (db: Db, spawn = createCheckpointThread) =>
  startCheckpoints(
    { db, log: (level, message) => void logged.push({ level, message }), now: () => at },
    spawn,
  );

function write({ $client }: Db, pages: number): void {
  const insert = $client.query("INSERT INTO ballast VALUES (zeroblob(?))");
  for (let n = 0; n < pages / 100; n++) insert.run(100 * PAGE);
}

/** Pages of the log that are in it alone. */
function unmerged({ $client }: Db): number {
  const { log, checkpointed } = $client
    .query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)")
    .get() ?? { log: Number.NaN, checkpointed: 0 };
  return log - checkpointed;
}

let db: Db;
beforeEach(() => {
  logged = [];
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
  db = openEmptyAt(path);
  db.$client.run("PRAGMA synchronous = OFF");
  db.$client.run("CREATE TABLE ballast (bytes BLOB)");
});

describe("the log of a served library", () => {
  test("is merged by a thread, after which it begins anew", async () => {
    const checkpoints = start(db);

    write(db, 3500);
    expect(unmerged(db)).toBeGreaterThan(3500); // no commit did it
    const full = logBytes();
    checkpoints.look();
    await checkpoints.settled();
    expect(unmerged(db)).toBe(0);
    write(db, 1000);

    expect(logBytes()).toBe(full);
    expect(logged).toEqual([]);
    await checkpoints.stop();
    db.$client.close();
  });

  test("does not grow without end where the thread hangs or is not there", async () => {
    const hanging = start(db, () => new Worker("data:text/javascript,self.onmessage = () => undefined"));
    hanging.look();
    write(db, 16_000);
    hanging.look();
    write(db, 16_000);

    expect(logBytes()).toBeLessThan(24 * MEGABYTE);
    void hanging.stop();
    db.$client.close();
  });

  test("is merged by commits again when the thread has failed", async () => {
    const failing = start(db, () => new Worker("data:text/javascript,throw new Error('no memory')"));
    write(db, 3500);
    failing.look();
    await failing.settled();
    write(db, 200);

    expect(unmerged(db)).toBeLessThan(1000);
    expect(logged).toEqual([{ level: "error", message: "The thread that merges the database's log failed" }]);
    await failing.stop();
    db.$client.close();
  });

  test("is left to Litestream from when it replicates the library", async () => {
    const checkpoints = start(db);
    db.$client.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");

    checkpoints.look();
    write(db, 6000);
    checkpoints.look();
    await checkpoints.settled();

    expect(unmerged(db)).toBeGreaterThan(6000);
    await checkpoints.stop();
    db.$client.close();
  });

  test("is not merged by a thread where SQLite cannot say how long it is", () => {
    expect(["3.46.1", "3.50.4", "3.51.0", "3.54.1", "4.0.0"].map(canAskOnly)).toEqual([
      ...[false, false],
      ...[true, true, true],
    ]);
  });

  test("is looked at again after a look that failed, and the failure is said once", async () => {
    const checkpoints = start(db);
    const { query } = db.$client;
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    let reports = 0;
    conditionOf(db).onFull(() => reports++);
    write(db, 3500);
    db.$client.query = () => {
      throw full;
    };
    checkpoints.look();
    checkpoints.look();
    db.$client.query = query;
    checkpoints.look();
    await checkpoints.settled();

    expect([unmerged(db), reports]).toEqual([0, 2]);
    expect(logged.map(({ message }) => message)).toEqual([
      "The database's log could not be merged; will try again",
    ]);
    await checkpoints.stop();
    db.$client.close();
  });

  test("is tried again when the thread could not merge it, and each failure is reported", async () => {
    const refusing =
      "data:text/javascript,self.onmessage = () => self.postMessage({ failure: { message: 'disk is full', code: 'SQLITE_FULL' } })";
    const checkpoints = start(db, () => new Worker(refusing));
    let reports = 0;
    conditionOf(db).onFull(() => reports++);
    write(db, 3500);

    for (let n = 0; n < 2; n++) {
      checkpoints.look();
      await checkpoints.settled();
    }

    expect(reports).toBe(2);
    expect(logged).toHaveLength(1);
    await checkpoints.stop();
    db.$client.close();
  });

  test("has no thread once it has been short for a while", async () => {
    const closed = Promise.withResolvers<void>();
    const checkpoints = start(db, () => {
      const worker = createCheckpointThread();
      worker.addEventListener("close", () => closed.resolve());
      return worker;
    });
    write(db, 3500);
    checkpoints.look();
    await checkpoints.settled();

    at += 2 * MINUTE_MS;
    checkpoints.look();

    await closed.promise;
    expect(logged).toEqual([]);
    await checkpoints.stop();
    db.$client.close();
  });

  test("is merged to its end when the library is closed meanwhile", async () => {
    const checkpoints = start(db);
    write(db, 3500);
    checkpoints.look();

    await checkpoints.stop();

    expect([unmerged(db), logged.length]).toEqual([0, 0]);
    db.$client.close();
  });
});
