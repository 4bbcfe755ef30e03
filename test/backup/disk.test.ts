import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../db/migrations.ts";
import { createProgram } from "../support/process.ts";
import { mountDisk, type SmallDisk } from "../support/small-disk.ts";
import { createLibrary, filesBelow } from "./support.ts";

describe("backups and a disk", () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  const folder = mkdtempSync(join(tmpdir(), "dubplate-disk-test-"));
  const backup = join(folder, "library.tar");
  let disk: SmallDisk | undefined;

  beforeAll(async () => {
    await createLibrary(program, { songs: 2 });
    await program.run(["backup", backup]);
    disk = mountDisk("96m");
  });
  afterAll(async () => {
    disk?.unmount();
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  const empty = (path: string) => {
    for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
  };

  test("a backup to a full disk is refused in one sentence, and leaves nothing behind", async () => {
    if (!disk) return;
    disk.fill();

    const toFile = await program.run(["backup", join(disk.path, "library.tar")]);
    const toFolder = await program.run(["backup", `${disk.path}/backups/`]);

    const names = readdirSync(disk.path, { recursive: true }).map(String);
    for (const { code, stderr } of [toFile, toFolder]) {
      expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
      expect(stderr).toContain("There is no room for");
    }
    expect(names.filter((name) => name.includes(".tar"))).toEqual([]);
    empty(disk.path);
  });

  test("a disk that is the data folder itself is restored to, and stays empty when the backup is damaged", async () => {
    if (!disk) return;
    const damaged = join(folder, "damaged.tar");
    writeFileSync(damaged, readFileSync(backup).fill(1, 5000, 5001));
    const extra = { DATA_DIR: disk.path };

    const refused = await program.run(["restore", damaged], { extra });
    const left = readdirSync(disk.path);
    const restored = await program.run(["restore", backup], { extra });

    expect([refused.code, left, restored.code]).toEqual([1, [], 0]);
    expect(filesBelow(join(disk.path, "audio"))).toEqual(filesBelow(join(program.dataDir, "audio")));
    expect(existsSync(join(disk.path, ".restoring"))).toBe(false);
    expect(await program.run(["verify"], { extra })).toMatchObject({ code: 0, rows: [] });
    empty(disk.path);
  });

  test("a disk without room for a copy of the database stops an upgrade before it begins", async () => {
    if (!disk) return;
    const db = new Database(join(disk.path, "dubplate.db"));
    migrate(db, 12);
    db.run("CREATE TABLE ballast (bytes BLOB)");
    db.run("INSERT INTO ballast VALUES (zeroblob(50000000))");
    db.close();
    writeFileSync(join(disk.path, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });

    const { code, stderr } = await program.run(["account", "list"], { extra: { DATA_DIR: disk.path } });

    const after = new Database(join(disk.path, "dubplate.db"), { readonly: true });
    const schema = after.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
    after.close();
    expect([code, schema]).toEqual([1, 12]);
    expect(stderr).toMatch(
      /^There is no room for a copy of the database, which is made before an upgrade: free \d+ MB, then start again\n$/,
    );
    expect(readdirSync(join(disk.path, "before-upgrade"))).toEqual([]);
  });
});

test("the master secret that a rotation replaced goes with the next backup", async () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  const folder = mkdtempSync(join(tmpdir(), "dubplate-former-"));
  await createLibrary(program, { songs: 1 });
  writeFileSync(join(program.dataDir, "master-secret.old"), Buffer.alloc(32));

  await program.run(["backup", join(folder, "library.tar")]);

  expect(existsSync(join(program.dataDir, "master-secret.old"))).toBe(false);
  for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true });
  await program.close();
});
