import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { createProgram } from "../support/process.ts";
import type { Program } from "./support.ts";

const MIGRATIONS = join(import.meta.dir, "../../db/migrations");
const OLD = 12;

describe("the first start of a newer version", () => {
  let program: Program;
  beforeEach(() => {
    program = createProgram({ FFMPEG_PATH: "" });
    const db = new Database(join(program.dataDir, "dubplate.db"));
    for (const name of readdirSync(MIGRATIONS).sort().slice(0, OLD))
      db.run(readFileSync(join(MIGRATIONS, name), "utf8"));
    db.run(`PRAGMA user_version = ${OLD}`);
    db.run(
      "INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', 'me@example.com', 'Me', '', 1)",
    );
    db.close();
    writeFileSync(join(program.dataDir, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });
  });
  afterEach(() => program.close());

  const inFolder = (name = "") => join(program.dataDir, "before-upgrade", name);
  const accountsIn = (path: string) => {
    const db = new Database(path, { readonly: true });
    const row = db
      .query<{ n: number; user_version: number }, []>(
        "SELECT count(*) AS n, user_version FROM accounts, pragma_user_version",
      )
      .get();
    db.close();
    return row;
  };

  test("keeps a checked copy of the database as it was", async () => {
    const { code, rows } = await program.run(["account", "list"]);

    expect([code, rows.length]).toEqual([0, 1]);
    expect(readdirSync(inFolder())).toEqual([`schema-${OLD}.db`]);
    expect(statSync(inFolder(`schema-${OLD}.db`)).mode & 0o777).toBe(0o600);
    expect(accountsIn(inFolder(`schema-${OLD}.db`))).toEqual({ n: 1, user_version: OLD });
    expect(accountsIn(join(program.dataDir, "dubplate.db"))?.user_version).toBe(SCHEMA_VERSION);
  });

  test("keeps the two newest copies, and removes the leftovers of killed starts", async () => {
    mkdirSync(inFolder(), { recursive: true });
    for (const name of ["schema-3.db", "schema-11.db", "notes.txt", "schema-9.db.999999.partial"])
      writeFileSync(inFolder(name), "");

    await program.run(["account", "list"]);

    expect(readdirSync(inFolder()).sort()).toEqual(["notes.txt", "schema-11.db", `schema-${OLD}.db`]);
  });

  test("makes no copy of a library that is new or up to date", async () => {
    await program.run(["account", "list"]);
    await program.run(["account", "list"]);
    const fresh = createProgram();

    await fresh.run(["account", "list"]);

    expect(readdirSync(inFolder())).toHaveLength(1);
    expect(existsSync(join(fresh.dataDir, "before-upgrade"))).toBe(false);
    await fresh.close();
  });

  test("says where the copy is when the upgrade fails, and changes nothing", async () => {
    const path = join(program.dataDir, "dubplate.db");
    const db = new Database(path);
    // What the next migration makes is there already.
    const next = readFileSync(join(MIGRATIONS, readdirSync(MIGRATIONS).sort()[OLD] ?? ""), "utf8");
    db.run(next);
    db.close();

    const { code, stderr } = await program.run(["account", "list"]);

    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toStartWith("The upgrade of the database failed (");
    expect(stderr).toContain(inFolder(`schema-${OLD}.db`));
    expect(accountsIn(path)).toEqual({ n: 1, user_version: OLD });
  });
});
