import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { createLibrary, furnish } from "../backup/support.ts";
import { createProgram } from "../support/process.ts";

const ROOT = join(import.meta.dir, "../..");
const SONGS = 12;
const PAGE_BYTES = 4096;
const HAS_SQLITE = Bun.which("sqlite3") !== null;
if (!HAS_SQLITE) console.log("Not checked: rescues with SQLite's command-line tool, which is not installed");

describe("a way out of docs/recovery.md, followed to the letter:", () => {
  const program = createProgram({ FFMPEG_PATH: "", RATE_LIMIT: "0", NETWORK_ALLOW: "hooks.example.com" });
  const place = mkdtempSync(join(tmpdir(), "dubplate-rescue-"));
  const backups = join(place, "backups");
  let owner: { key: string; token: string };
  let page: string;
  let copies = 0;

  beforeAll(async () => {
    owner = await createLibrary(program, { songs: SONGS });
    const { address, child } = await program.serve();
    ({ page } = await furnish({ ...owner, address }));
    child.kill("SIGTERM");
    await child.exited;
    for (const path of [`${backups}/`, join(place, "library.tar")])
      expect((await program.run(["backup", path])).code).toBe(0);
  });
  afterAll(async () => {
    await program.close();
    for (const each of [place, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  function copyOfLibrary(): string {
    const folder = join(place, `copy-${++copies}`);
    cpSync(program.dataDir, folder, { recursive: true });
    return folder;
  }

  /** Runs the lines of a section in a data folder, as an operator would type them. */
  async function follow(heading: string, dataDir: string, pick: RegExp = /./) {
    const dubplate = `dubplate() { '${process.execPath}' '${ROOT}/src/main.ts' "$@"; }`;
    const lines = linesOf(heading)
      .filter((block) => pick.test(block))
      .join("\n")
      .replaceAll("/srv/dubplate", dataDir)
      .replaceAll("/mnt/usb/dubplate/", `${backups}/`)
      .replaceAll("library.tar", join(place, "library.tar"))
      .replaceAll("SCHEMA", String(SCHEMA_VERSION));
    const child = Bun.spawn(["sh", "-c", `set -e\n${dubplate}\n${lines}`], {
      cwd: dataDir,
      env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, FFMPEG_PATH: "" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, stderr.includes("rror")]).toEqual([0, false]);
    return stdout;
  }

  const runIn = (dataDir: string, args: string[]) => program.run(args, { extra: { DATA_DIR: dataDir } });

  /** What a visitor, a program and a signed-in owner get: status numbers. */
  async function statuses(dataDir: string): Promise<number[]> {
    const { address, child } = await program.serve({ DATA_DIR: dataDir });
    const get = async (path: string, headers = {}) => (await fetch(`${address}${path}`, { headers })).status;
    const authorization = `Bearer ${owner.token}`;
    const webhook = await fetch(`${address}/integration/api-keys/${owner.key.split(".")[0]}/webhook`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://hooks.example.com/in", active: false }),
    });
    const found = [
      await get(page),
      await get("/api/v1/tracks", { "x-api-key": owner.key }),
      await get("/app/shares", { authorization }),
      webhook.status,
    ];
    child.kill("SIGTERM");
    await child.exited;
    return found;
  }

  test("the disk died", async () => {
    const dataDir = copyOfLibrary();
    rmSync(dataDir, { recursive: true });
    const lines = linesOf("The disk died")[0] ?? "";
    expect(lines).toContain("dubplate restore /mnt/usb/dubplate/");

    expect((await runIn(dataDir, ["restore", `${backups}/`])).code).toBe(0);
    expect(await runIn(dataDir, ["verify"])).toMatchObject({ code: 0, rows: [] });

    expect(await statuses(dataDir)).toEqual([200, 200, 200, 200]);
  });

  test("only the originals can be read: they are taken in under the names of their hashes", async () => {
    const fresh = createProgram({ FFMPEG_PATH: "" });
    const account = ["--email", "me@example.com", "--name", "Me", "--password", "long enough 1"];
    await fresh.run(["account", "create", ...account]);

    const { code, rows } = await fresh.run([
      "import",
      join(program.dataDir, "audio"),
      "--email",
      "me@example.com",
    ]);

    expect([code, rows.length]).toEqual([0, SONGS]);
    await fresh.close();
  });

  test.each([
    ["one file", /library\.tar/],
    ["a folder", /snapshots/],
  ])("the master secret is lost, and a backup that is %s has it", async (_, pick) => {
    const dataDir = copyOfLibrary();
    rmSync(join(dataDir, "master-secret"));

    await follow("The master secret is lost", dataDir, pick);

    expect(await statuses(dataDir)).toEqual([200, 200, 200, 200]);
    expect(await runIn(dataDir, ["verify"])).toMatchObject({ code: 0, rows: [] });
    expect(statSync(join(dataDir, "master-secret")).mode & 0o777).toBe(0o600);
  });

  test.skipIf(!HAS_SQLITE)("the master secret is lost for good", async () => {
    const dataDir = copyOfLibrary();
    rmSync(join(dataDir, "master-secret"));
    expect((await runIn(dataDir, ["serve"])).code).toBe(1);

    await follow("The master secret is lost", dataDir, /urandom/);

    expect(await statuses(dataDir)).toEqual([200, 200, 200, 200]);
    const accepted = await runIn(dataDir, ["quarantine", "accept"]);
    expect(accepted.rows).toEqual([{ released: ["older_database"], moved: 0, acceptedLostAudio: false }]);
    const { rows } = await runIn(dataDir, ["verify"]);
    expect(rows).toEqual([
      expect.objectContaining({
        kind: "damaged",
        id: owner.key.split(".")[0],
        detail: "The copy of a key cannot be opened with the master secret",
      }),
    ]);
  });

  test.skipIf(!HAS_SQLITE)("the database is damaged, and there is no backup", async () => {
    const dataDir = copyOfLibrary();
    overwriteTable(join(dataDir, "dubplate.db"), "analyses");
    expect((await runIn(dataDir, ["backup", join(place, "never.tar")])).code).toBe(1);

    const printed = await follow("The database is damaged", dataDir, /\.dump/);
    for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `dubplate.db${end}`), { force: true });
    cpSync(join(dataDir, "recovered.db"), join(dataDir, "dubplate.db"));

    expect(printed).toBe("ok\n");
    expect(await statuses(dataDir)).toEqual([200, 200, 200, 200]);
    expect(existsSync(join(dataDir, "quarantine"))).toBe(false);
    const kept = new Database(join(dataDir, "dubplate.db"), { readonly: true });
    expect(kept.query("SELECT count(*) AS n FROM tracks").get()).toEqual({ n: SONGS });
    kept.close();
  });

  test("a song is damaged, and a backup has it", async () => {
    const dataDir = copyOfLibrary();
    const [song = ""] = [...new Bun.Glob("audio/*/*/*").scanSync(dataDir)];
    const before = readFileSync(join(dataDir, song));
    await Bun.write(join(dataDir, song), before.subarray(0, 100));

    await follow("A song is missing or damaged", dataDir);

    expect(readFileSync(join(dataDir, song))).toEqual(before);
  });

  test("a password is forgotten", async () => {
    const dataDir = copyOfLibrary();
    const lines = linesOf("The password is forgotten").join("\n");
    expect(lines).toContain("dubplate account reset-link --email E");
    expect(lines).toContain("dubplate account password --email E");

    const link = await runIn(dataDir, ["account", "reset-link", "--email", "me@example.com"]);
    const set = await program.run(["account", "password", "--email", "me@example.com"], {
      input: "another long one 2\n",
      extra: { DATA_DIR: dataDir },
    });

    expect([link.code, set.code]).toEqual([0, 0]);
    expect(await statuses(dataDir)).toEqual([200, 200, 401, 401]);
  });
});

/** Returns the blocks of code of a section, each without its indentation. */
function linesOf(heading: string): string[] {
  const page = readFileSync(join(ROOT, "docs/recovery.md"), "utf8");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/(?:^ {4,}\S.*\n)+/gm)].map(([block]) => block);
  // A text in a list is indented less than the code in it.
  return blocks.map((block) => block.replace(new RegExp(`^ {${/^ +/.exec(block)?.[0].length}}`, "gm"), ""));
}

/** Overwrites the first page of a table. */
function overwriteTable(path: string, table: string): void {
  const db = new Database(path);
  const sql = "SELECT rootpage FROM sqlite_master WHERE name = ?";
  const page = db.query<{ rootpage: number }, [string]>(sql).get(table)?.rootpage ?? 0;
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(PAGE_BYTES).fill(7), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}
