import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { migrate, SCHEMA_VERSION } from "../../db/migrations.ts";
import { makeAnew } from "../../db/remake.ts";

let client: Database;
beforeEach(() => {
  client = new Database(":memory:", { strict: true });
  client.run("PRAGMA foreign_keys = ON");
  client.run("CREATE TABLE owners (id TEXT PRIMARY KEY, email TEXT UNIQUE)");
  client.run("CREATE TABLE songs (id TEXT, owner TEXT REFERENCES owners (id) ON DELETE CASCADE)");
  client.run("INSERT INTO owners VALUES ('a', 'a@example.com'), ('b', 'b@example.com')");
  client.run("INSERT INTO songs VALUES ('1', 'a'), ('2', 'b')");
});

const REMAKE = `CREATE TABLE new_owners (id TEXT PRIMARY KEY); INSERT INTO new_owners SELECT id FROM owners;
  DROP TABLE owners; ALTER TABLE new_owners RENAME TO owners;`;
const run = (remake: string) => client.transaction(() => makeAnew(client, { remake, tables: ["owners"] }))();
const songs = () => client.query("SELECT count(*) FROM songs").values()[0]?.[0];

describe("a table that others name", () => {
  test("is made anew, and no row of another table is lost", () => {
    client.run("PRAGMA foreign_keys = OFF");
    run(REMAKE);

    expect([songs(), client.query("SELECT * FROM owners").values()]).toEqual([2, [["a"], ["b"]]]);
  });

  test("is not made anew while foreign keys are on, which would take the other rows along", () => {
    expect(() => run(REMAKE)).toThrow("Foreign keys are on");
    expect(songs()).toBe(2);
  });

  test.each([
    [
      "lose rows",
      `${REMAKE} DELETE FROM songs WHERE id = '1'`,
      "The table songs had 2 rows and would have 1",
    ],
    ["leave a table out", `${REMAKE} DROP TABLE songs`, "The table songs had 2 rows and would have none"],
    [
      "leave rows that point nowhere",
      REMAKE.replace("SELECT id FROM", "SELECT 'x' || id FROM"),
      "Rows of the table songs would point nowhere (2)",
    ],
  ])("is rolled back when that would %s", (_, remake, sentence) => {
    client.run("PRAGMA foreign_keys = OFF");

    expect(() => run(remake)).toThrow(sentence);
    expect([songs(), client.query("SELECT count(*) FROM owners").values()]).toEqual([2, [[2]]]);
  });

  test("keeps rows that pointed nowhere before: they are no reason to refuse an upgrade", () => {
    client.run("PRAGMA foreign_keys = OFF");
    client.run("INSERT INTO songs VALUES ('3', 'nobody')");

    run(REMAKE);

    expect(songs()).toBe(3);
  });
});

test("foreign keys are on again after an upgrade, also after one that failed", () => {
  const library = new Database(":memory:", { strict: true });
  library.run("PRAGMA foreign_keys = ON");
  migrate(library, 54);
  library.run("CREATE TABLE track_edits (x)");

  expect(() => migrate(library)).toThrow("track_edits");
  const failed = library.query("SELECT * FROM pragma_foreign_keys, pragma_user_version").values();
  library.run("DROP TABLE track_edits");
  migrate(library);

  expect(failed).toEqual([[1, 54]]);
  expect(library.query("SELECT * FROM pragma_foreign_keys, pragma_user_version").values()).toEqual([
    [1, SCHEMA_VERSION],
  ]);
});
