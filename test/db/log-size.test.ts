import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDb } from "../../db/client.ts";
import { limitLog } from "../../src/store/log-size.ts";
import { openEmptyAt } from "../support/empty-library.ts";

const folder = mkdtempSync(join(tmpdir(), "dubplate-log-size-"));
const path = join(folder, "dubplate.db");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MEGABYTE = 1024 ** 2;
const logBytes = () => statSync(`${path}-wal`).size;
const warnings: object[] = [];
const limit = (db: Db) =>
  limitLog({ db, log: (level, message, fields) => void warnings.push({ level, message, ...fields }) });

/** Writes in several transactions, after each of which SQLite would merge the log of its own accord. */
function write({ $client }: Db, megabytes: number): void {
  $client.run("PRAGMA synchronous = OFF");
  for (let n = 0; n < megabytes / 8; n++)
    $client.run("INSERT INTO ballast VALUES (zeroblob(?))", [8 * MEGABYTE]);
}

beforeEach(() => {
  warnings.length = 0;
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
  const db = openEmptyAt(path);
  db.$client.run("CREATE TABLE ballast (bytes BLOB)");
  db.$client.close();
});

describe("the log of a library that Litestream replicates", () => {
  test("is left to it, and cut when Litestream is not there to do it", () => {
    const first = openDb(path);
    first.$client.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
    first.$client.close();
    const db = openDb(path);

    write(db, 56);
    limit(db);
    expect(warnings).toEqual([]);
    expect(logBytes()).toBeGreaterThan(56 * MEGABYTE);

    write(db, 16);
    limit(db);
    expect(warnings).toMatchObject([{ level: "warn", isCut: true }]);
    expect(logBytes()).toBe(0);
    db.$client.close();
  });

  test("is not cut under a reader, as Litestream is one", () => {
    const db = openDb(path);
    db.$client.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
    limit(db);
    const reader = openDb(path);
    reader.$client.run("BEGIN");
    reader.$client.query("SELECT * FROM _litestream_seq").all();

    write(db, 72);
    limit(db);
    expect(warnings).toMatchObject([{ level: "warn", isCut: false }]);
    expect(logBytes()).toBeGreaterThan(72 * MEGABYTE);
    reader.$client.close();
    db.$client.close();
  });
});

test("the log of any other library is merged by SQLite", () => {
  const db = openDb(path);

  write(db, 72);
  limit(db);

  expect(warnings).toEqual([]);
  expect(logBytes()).toBeLessThan(24 * MEGABYTE);
  db.$client.close();
});
