import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb, transact } from "../../db/client.ts";
import { createMemory, unnoticed } from "../../db/unchanged.ts";
import { openEmptyAt } from "../support/empty-library.ts";

test("what was read is remembered until this connection or another writes, and never out of a transaction that is taken back", () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-unchanged-"));
  const [db, other] = [openEmptyAt(join(folder, "a.db")), openDb(join(folder, "a.db"))];
  db.$client.run("CREATE TABLE numbers (n INTEGER NOT NULL) STRICT");
  db.$client.run("INSERT INTO numbers VALUES (1)");
  db.$client.run("CREATE TABLE other (n INTEGER NOT NULL) STRICT");
  db.$client.run("INSERT INTO other VALUES (0)");
  const remember = createMemory<number>(10);
  let readings = 0;
  const read = () =>
    remember(db, "n", () => {
      readings++;
      return db.$client.query<{ n: number }, []>("SELECT n FROM numbers").get()?.n ?? 0;
    });

  expect([read(), read(), readings]).toEqual([1, 1, 1]);
  db.$client.run("UPDATE numbers SET n = 2");
  expect([read(), read(), readings]).toEqual([2, 2, 2]);
  other.$client.run("UPDATE numbers SET n = 3");
  expect([read(), read(), readings]).toEqual([3, 3, 3]);
  const undone = () =>
    transact(db, (tx) => {
      tx.$client.run("UPDATE numbers SET n = 4");
      expect(read()).toBe(4);
      throw new Error("taken back");
    });
  expect(undone).toThrow("taken back");
  expect(read()).toBe(3);
  expect(readings).toBe(5);
  unnoticed(db, () => db.$client.run("UPDATE other SET n = 1"));
  expect([read(), readings]).toEqual([3, 5]);
  expect(() =>
    unnoticed(db, () => {
      db.$client.run("UPDATE other SET n = 2");
      throw new Error("full");
    }),
  ).toThrow("full");
  db.$client.run("UPDATE numbers SET n = 4");
  expect([read(), readings]).toEqual([4, 6]);

  for (const each of [db, other]) each.$client.close();
  rmSync(folder, { recursive: true });
});
