import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, transact, transactUnsynced } from "../../db/client.ts";
import { openEmptyAt } from "../support/empty-library.ts";

const [WAITS_AT_CHECKPOINTS, WAITS_ALWAYS] = [1, 2];

test("only the transaction that need not wait for the disk does not, also when it is taken back", () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-unsynced-"));
  const db = openEmptyAt(join(folder, "a.db"));
  const synchronous = (on: Db) =>
    on.$client.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous;

  expect(transactUnsynced(db, synchronous)).toBe(WAITS_AT_CHECKPOINTS);
  expect(synchronous(db)).toBe(WAITS_ALWAYS);
  const undone = () =>
    transactUnsynced(db, () => {
      throw new Error("taken back");
    });
  expect(undone).toThrow("taken back");
  expect(synchronous(db)).toBe(WAITS_ALWAYS);
  expect(transact(db, (tx) => transactUnsynced(tx, synchronous))).toBe(WAITS_ALWAYS);

  db.$client.close();
  rmSync(folder, { recursive: true });
});
