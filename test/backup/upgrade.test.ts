import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { migrate, SCHEMA_VERSION } from "../../db/migrations.ts";
import { countServing } from "../../src/backup/upgrade-served.ts";
import { secretCheck } from "../../src/kernel/master-secret.ts";
import type { Settings } from "../../src/kernel/settings.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { createProgram } from "../support/process.ts";
import type { Program } from "./support.ts";

const MIGRATIONS = join(import.meta.dir, "../../db/migrations");
const OLD = 12;
/** No version ever had this schema for itself. */
const BETWEEN = 20;
/** A late migration makes this table. */
const STANDS_IN_THE_WAY = "CREATE TABLE bucket_removals (x)";

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
  const change = (sql: string) => {
    const db = new Database(join(program.dataDir, "dubplate.db"));
    db.run(sql);
    db.close();
  };
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

  test("keeps a checked copy of the former database", async () => {
    const { code, rows } = await program.run(["account", "list"]);

    expect([code, rows.length]).toEqual([0, 1]);
    expect(readdirSync(inFolder())).toEqual([`schema-${OLD}.db`]);
    expect(statSync(inFolder(`schema-${OLD}.db`)).mode & 0o777).toBe(0o600);
    expect(accountsIn(inFolder(`schema-${OLD}.db`))).toEqual({ n: 1, user_version: OLD });
    expect(accountsIn(join(program.dataDir, "dubplate.db"))?.user_version).toBe(SCHEMA_VERSION);
  });

  test("keeps every copy there is, and removes the leftovers of killed starts", async () => {
    mkdirSync(inFolder(), { recursive: true });
    for (const name of ["schema-3.db", "schema-11.db", "notes.txt", "schema-9.db.999999.partial"])
      writeFileSync(inFolder(name), "");

    await program.run(["account", "list"]);

    const kept = ["notes.txt", "schema-11.db", `schema-${OLD}.db`, "schema-3.db"];
    expect(readdirSync(inFolder()).sort()).toEqual(kept.sort());
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

  test("keeps the first copy too when the library was used between two attempts", async () => {
    change(STANDS_IN_THE_WAY);
    await program.run(["account", "list"]);
    change(
      "INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_2', 'b', 'B', '', 1)",
    );
    await program.run(["account", "list"]);

    const { stderr } = await program.run(["account", "list"]);

    expect(stderr).toContain(`put ${inFolder(`schema-${OLD}.db`)} in place of dubplate.db`);
    expect(accountsIn(inFolder(`schema-${OLD}.db`))).toEqual({ n: 2, user_version: OLD });
    expect(accountsIn(inFolder(`schema-${OLD}.earlier.db`))).toEqual({ n: 1, user_version: OLD });
    expect(readdirSync(inFolder())).toHaveLength(2);
  });

  test("names the copy of the version that last ran after 0.9 was killed half way", async () => {
    // As 0.9 left it: a copy, then one migration after the other, and no server of the schema in between.
    mkdirSync(inFolder());
    copyFileSync(join(program.dataDir, "dubplate.db"), inFolder(`schema-${OLD}.db`));
    const db = new Database(join(program.dataDir, "dubplate.db"));
    migrate(db, BETWEEN);
    db.close();
    change(STANDS_IN_THE_WAY);

    const said = [];
    for (let start = 0; start < 3; start++) said.push((await program.run(["account", "list"])).stderr);

    for (const each of said) expect(each).toContain(`put ${inFolder(`schema-${OLD}.db`)} in place of`);
    expect(accountsIn(inFolder(`schema-${OLD}.db`))).toEqual({ n: 1, user_version: OLD });
    expect(accountsIn(join(program.dataDir, "dubplate.db"))?.user_version).toBe(BETWEEN);
  });

  test("names the copy of an intermediate version that has run", async () => {
    mkdirSync(inFolder());
    copyFileSync(join(program.dataDir, "dubplate.db"), inFolder(`schema-${OLD}.db`));
    const db = new Database(join(program.dataDir, "dubplate.db"));
    migrate(db, BETWEEN);
    db.run("INSERT INTO store (one, id, generation, secret_check, created_at) VALUES (1, 'sto_1', 4, ?, 1)", [
      secretCheck(Buffer.alloc(32, 1), "sto_1"),
    ]);
    db.close();
    change(STANDS_IN_THE_WAY);

    const { stderr } = await program.run(["account", "list"]);

    expect(stderr).toContain(`put ${inFolder(`schema-${BETWEEN}.db`)} in place of`);
  });

  test("lets go of older copies after the server has served for a day, over restarts", async () => {
    mkdirSync(inFolder(), { recursive: true });
    for (const name of ["schema-3.db", "schema-11.db"]) writeFileSync(inFolder(name), "");
    await program.run(["account", "list"]);
    const settings = { dataDir: program.dataDir } as Settings;
    let at = 0;
    const start = () => countServing({ now: () => at, settings, log: () => undefined });
    const serve = (hours: number) => {
      const serving = start();
      for (let hour = 0; hour < hours; hour++) {
        at += HOUR_MS;
        serving.note();
      }
    };
    const copies = () => readdirSync(inFolder()).filter((name) => name.endsWith(".db"));

    serve(12);
    at += 30 * DAY_MS; // switched off
    serve(11);
    expect(copies()).toHaveLength(3);
    serve(1);
    expect(copies().sort()).toEqual(["schema-11.db", `schema-${OLD}.db`]);
  });
});
