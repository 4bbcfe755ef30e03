import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { openDb, transact } from "../../db/client.ts";
import { migrate } from "../../db/migrations.ts";
import * as schema from "../../db/schema.ts";
import { openEmpty } from "../support/empty-library.ts";

const tables = Object.values(schema).filter((value) => value instanceof SQLiteTable);

describe("the schema in TypeScript is the schema of the migrations", () => {
  const db = openEmpty();

  test.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    "the table %s is the same in TypeScript and in the migrations",
    (name, table) => {
      const columns = db.$client
        .query<{ name: string; type: string; notnull: number; pk: number }, []>(`PRAGMA table_info(${name})`)
        .all();

      const declared = getTableConfig(table).columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        isNotNull: column.notNull || column.primary,
      }));
      const migrated = columns.map((column) => ({
        name: column.name,
        type: column.type,
        isNotNull: column.notnull === 1 || column.pk > 0,
      }));

      expect(new Set(declared)).toEqual(new Set(migrated));
    },
  );
});

describe("SQLite before 3.45, for which json_valid(NULL) is false,", () => {
  const client = openEmpty().$client;
  const checks = client
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .flatMap(({ name, sql }) =>
      [...sql.matchAll(/json_valid\((\w+)\)/g)].map(([, column = ""]) => ({ name, column, sql })),
    );

  test.each(checks.map((check) => [`${check.name}.${check.column}`, check] as const))(
    "finds no fault where %s is null",
    (_, { name, column, sql }) => {
      const notNull = client
        .query<{ notnull: number }, [string, string]>(
          `SELECT "notnull" FROM pragma_table_info(?) WHERE name = ?`,
        )
        .get(name, column)?.notnull;

      expect(notNull === 1 || sql.includes(`${column} IS NULL OR json_valid(${column})`)).toBe(true);
    },
  );
});

describe("opening a database", () => {
  test("opening a database a second time changes nothing", () => {
    const folder = mkdtempSync(join(tmpdir(), "dubplate-db-"));
    const path = join(folder, "library.db");
    openDb(path).$client.close();

    const { $client: client } = openDb(path);

    expect(client.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    client.close();
    rmSync(folder, { recursive: true });
  });

  test("refuses a database of a newer program", () => {
    const client = new Database(":memory:");
    client.run("PRAGMA user_version = 999");

    expect(() => migrate(client)).toThrow("newer");
  });

  test("has foreign keys and the vector extension", () => {
    const { $client: client } = openEmpty();

    expect(client.query("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
    expect(client.query("SELECT vec_distance_cosine('[1,0]', '[1,0]') AS d").get()).toEqual({ d: 0 });
  });
});

describe("a transaction", () => {
  const account = { id: "usr_1", name: "A", createdAt: 1 };

  test("a transaction is undone when its work throws", () => {
    const db = openEmpty();

    const failing = () =>
      transact(db, (tx) => {
        tx.insert(schema.accounts).values(account).run();
        throw new Error("no");
      });

    expect(failing).toThrow("no");
    expect(db.select().from(schema.accounts).all()).toEqual([]);
  });

  test("a transaction inside another one is undone by itself", () => {
    const db = openEmpty();

    transact(db, (tx) => {
      tx.insert(schema.accounts).values(account).run();
      try {
        transact(tx, (inner) => {
          inner
            .insert(schema.accounts)
            .values({ ...account, id: "usr_2" })
            .run();
          throw new Error("no");
        });
      } catch {}
    });

    expect(db.select({ id: schema.accounts.id }).from(schema.accounts).all()).toEqual([{ id: "usr_1" }]);
  });
});
