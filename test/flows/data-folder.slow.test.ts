import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";

const OF = ["--email", "me@example.com"];
const MAIN = join(import.meta.dir, "../../src/main.ts");
const home = mkdtempSync(join(tmpdir(), "dubplate-home-"));
const copies: string[] = [home];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

const song = (seed: number) => wavBytes([noise(8000, 0.2, 0.5, seed)], 8000, 16);

function copyOf(dataDir: string): string {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-folder-"));
  copies.push(folder);
  cpSync(dataDir, folder, { recursive: true });
  return folder;
}

/** The store's row, read as another program would. */
function storeOf(folder: string): Json {
  const db = new Database(join(folder, "dubplate.db"), { readonly: true });
  const row = db.query("SELECT * FROM store").get();
  db.close();
  return row;
}

const markerOf = (folder: string): Json => JSON.parse(readFileSync(join(folder, "store.json"), "utf8"));

/** Every file and folder that others may use, with its rights. */
function openTo(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
    .filter((path) => {
      const stat = lstatSync(path);
      return (stat.mode & 0o777) !== (stat.isDirectory() ? 0o700 : 0o600);
    })
    .map((path) => `${relative(folder, path)} ${(lstatSync(path).mode & 0o777).toString(8)}`);
}

describe("a data folder", () => {
  const program = createProgram(
    // Bun keeps its own files below HOME, which is the data folder otherwise.
    { FFMPEG_PATH: "", RATE_LIMIT: "0", HOME: home },
    // The widest rights that a shell can give away.
    { command: ["sh", "-c", 'umask 000; exec "$0" "$@"', process.execPath, MAIN] },
  );
  let key: string;
  let trackId: string;
  let versionId: string;
  let sha256: string;

  beforeAll(async () => {
    await program.run(["account", "create", ...OF, "--name", "Me", "--password", "long enough 1"]);
    key = String((await program.run(["key", "create", ...OF, "--name", "K"])).rows[0]?.key);
    const { address, child } = await program.serve();
    const send = async (path: string, field: string, seed: number) => {
      const form = new FormData();
      form.append(field, new File([song(seed)], `song ${seed}.wav`));
      const headers = { "x-api-key": key };
      const answer = await fetch(`${address}/api/v1/tracks${path}`, { method: "POST", headers, body: form });
      return ((await answer.json()) as Json).data;
    };
    trackId = (await send("/upload", "files", 1)).uploaded[0].id;
    await send(`/${trackId}/versions`, "file", 2);
    const { versions } = await versionsAt(address);
    const first = versions.find(({ isActive }: Json) => !isActive) ?? versions[0];
    versionId = first.id;
    sha256 = new Bun.CryptoHasher("sha256").update(song(1)).digest("hex");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
  afterAll(() => program.close());

  async function versionsAt(address: string): Promise<Json> {
    const answer = await fetch(`${address}/api/v1/tracks/${trackId}/versions`, {
      headers: { "x-api-key": key },
    });
    return ((await answer.json()) as Json).data;
  }

  const blob = (folder: string) => join(folder, "audio", sha256.slice(0, 2), sha256.slice(2, 4), sha256);

  test("is for its owner alone, whatever the shell says", () => {
    expect(openTo(program.dataDir)).toEqual([]);
  });

  test("a folder of an earlier version is closed to others by a start, and files that are not ours are left alone", async () => {
    const folder = copyOf(program.dataDir);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "my-music"), { mode: 0o755 });
    writeFileSync(join(folder, "my-music", "notes.txt"), "mine");
    chmodSync(join(folder, "my-music", "notes.txt"), 0o644);

    const { child } = await program.serve({ DATA_DIR: folder });
    child.kill("SIGTERM");
    await child.exited;

    expect(openTo(folder)).toEqual(["my-music 755", "my-music/notes.txt 644"]);
  });

  test("knows itself by the same id in the database and in store.json, and counts its starts in both", async () => {
    const folder = copyOf(program.dataDir);
    const before = markerOf(folder);

    expect(before).toEqual({
      id: expect.stringMatching(/^sto_/),
      generation: 1,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(storeOf(folder)).toMatchObject({ id: before.id, generation: 1, is_clean: 1 });

    const killed = await program.serve({ DATA_DIR: folder });
    expect(storeOf(folder)).toMatchObject({ id: before.id, generation: 2, is_clean: 0 });
    killed.child.kill("SIGKILL");
    await killed.child.exited;
    const { child } = await program.serve({ DATA_DIR: folder });
    child.kill("SIGTERM");
    await child.exited;

    expect(markerOf(folder)).toEqual({ ...before, generation: 3 });
    expect(storeOf(folder)).toMatchObject({ id: before.id, generation: 3, is_clean: 1 });
  });

  test("the master secret is checked by an HMAC over the store's id", () => {
    const secret = readFileSync(join(program.dataDir, "master-secret"));
    const { id, secret_check: check } = storeOf(program.dataDir);

    expect(secret).toHaveLength(32);
    expect(Buffer.from(check)).toEqual(
      new Bun.CryptoHasher("sha256", secret).update(`dubplate store ${id}`).digest(),
    );
  });

  test("a start that finds its port in use counts as one that stopped in good order", async () => {
    const folder = copyOf(program.dataDir);
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = String(taken.port);

    const { code, stderr } = await program.run(["serve"], {
      extra: { DATA_DIR: folder, PORT: port },
    });
    await taken.stop(true);

    expect([code, stderr]).toEqual([1, `Port ${port} of 127.0.0.1 is in use: set PORT to another one\n`]);
    expect(storeOf(folder)).toMatchObject({ is_clean: 1 });
  });

  describe("with a deleted version", () => {
    let folder: string;
    let hourOld: string;
    /** The day on which the deletion began: midnight may come before it ends. */
    let deletedFrom: string;
    beforeAll(async () => {
      deletedFrom = new Date().toISOString().slice(0, 10);
      folder = copyOf(program.dataDir);
      hourOld = join(mkdtempSync(join(tmpdir(), "dubplate-old-")), "dubplate.db");
      copies.push(join(hourOld, ".."));
      copyFileSync(join(folder, "dubplate.db"), hourOld);
      const { address, child } = await program.serve({ DATA_DIR: folder });
      const deleted = await fetch(`${address}/api/v1/tracks/${trackId}/versions/${versionId}`, {
        method: "DELETE",
        headers: { "x-api-key": key },
      });
      expect(deleted.status).toBe(200);
      child.kill("SIGTERM");
      await child.exited;
    });

    test("lists its file in the quarantine, with the day on which it may go", async () => {
      const { rows } = await program.run(["quarantine", "list"], { extra: { DATA_DIR: folder } });

      const day = String(rows[0]?.setAside);
      expect([deletedFrom, new Date().toISOString().slice(0, 10)]).toContain(day);
      expect(existsSync(blob(folder))).toBe(false);
      expect(rows).toEqual([
        {
          path: relative(folder, blob(folder)),
          setAside: day,
          bytes: song(1).length,
          deletedAfter: new Date(Date.parse(day) + 31 * 24 * 60 * 60 * 1000).toISOString(),
        },
      ]);
      const forEver = await program.run(["quarantine", "list"], {
        extra: { DATA_DIR: folder, QUARANTINE_DAYS: "0" },
      });
      expect(forEver.rows).toMatchObject([{ deletedAfter: null }]);
    });

    test("plays it again with a database from before", async () => {
      const older = copyOf(folder);
      copyFileSync(hourOld, join(older, "dubplate.db"));

      const { address, child } = await program.serve({ DATA_DIR: older });
      const { versions } = await versionsAt(address);
      const { downloadUrl } = versions.find(({ id }: Json) => id === versionId);
      const bytes = await (await fetch(downloadUrl)).bytes();
      child.kill("SIGTERM");
      await child.exited;

      expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(sha256);
    });

    test("has it back in its place when the operator says so, by name or with all others", async () => {
      const back = copyOf(folder);
      const run = (...args: string[]) => program.run(["quarantine", ...args], { extra: { DATA_DIR: back } });

      const unknown = await run("restore", "ab".repeat(32));
      const restored = await run("restore", sha256);

      expect([unknown.code, unknown.stderr]).toEqual([1, `${"ab".repeat(32)} is not in the quarantine\n`]);
      expect([restored.code, restored.rows]).toEqual([0, [{ path: relative(back, blob(back)) }]]);
      expect(readFileSync(blob(back))).toEqual(Buffer.from(song(1)));
      expect((await run("list")).rows).toEqual([]);
    });

    test("loses its file for good when the operator empties the quarantine, unless the file is younger than asked", async () => {
      const emptied = copyOf(folder);
      const run = (...args: string[]) =>
        program.run(["quarantine", ...args], { extra: { DATA_DIR: emptied } });

      expect((await run("empty", "--older-than", "1d")).rows).toEqual([{ deleted: 0, bytes: 0 }]);
      expect((await run("list")).rows).toHaveLength(1);
      expect((await run("empty")).rows).toEqual([{ deleted: 1, bytes: song(1).length }]);

      expect((await run("list")).rows).toEqual([]);
      const db = new Database(join(emptied, "dubplate.db"), { readonly: true });
      const audited = db.query("SELECT action FROM audit_log WHERE action LIKE 'quarantine.%'").all();
      db.close();
      expect(audited).toEqual([{ action: "quarantine.emptied" }, { action: "quarantine.emptied" }]);
    });

    test.each([
      [["empty", "--older-than", "soon"]],
      [["list", "x"]],
      [["accept", "--older-than", "7d"]],
      [[]],
    ])("the command quarantine %p is wrong usage", async (args) => {
      expect((await program.run(["quarantine", ...args])).code).toBe(2);
    });
  });
});

describe("a library from before libraries had an identity", () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  beforeAll(async () => {
    await program.run(["account", "create", ...OF, "--name", "Me", "--password", "long enough 1"]);
    const { child } = await program.serve();
    child.kill("SIGTERM");
    await child.exited;
  });
  afterAll(() => program.close());

  /** Takes the identity from a copy of the library, as if an earlier version had written it. */
  function earlier(): string {
    const folder = copyOf(program.dataDir);
    const db = new Database(join(folder, "dubplate.db"));
    db.run("DELETE FROM store");
    db.close();
    return folder;
  }

  test("gets one, and keeps its master secret", async () => {
    const folder = earlier();
    rmSync(join(folder, "store.json"));
    const secret = readFileSync(join(folder, "master-secret"));

    expect((await program.run(["account", "list"], { extra: { DATA_DIR: folder } })).code).toBe(0);

    expect(markerOf(folder)).toMatchObject({ id: storeOf(folder).id, generation: 0 });
    expect(readFileSync(join(folder, "master-secret"))).toEqual(secret);
  });

  test("is refused without its master secret", async () => {
    const folder = earlier();
    rmSync(join(folder, "master-secret"));

    const { code, stderr } = await program.run(["serve"], { extra: { DATA_DIR: folder } });

    expect([code, stderr]).toEqual([1, expect.stringContaining("master-secret is missing")]);
    expect(existsSync(join(folder, "master-secret"))).toBe(false);
  });

  test("is an older copy in a folder that has one: it takes that, and removal is held", async () => {
    const folder = earlier();

    const { child } = await program.serve({ DATA_DIR: folder });
    child.kill("SIGTERM");
    await child.exited;

    expect(storeOf(folder).id).toBe(markerOf(program.dataDir).id);
    const { rows } = await program.run(["quarantine", "list"], { extra: { DATA_DIR: folder } });
    expect(rows).toMatchObject([{ held: "older_database" }]);
  });
});
