import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { listHolds } from "../../src/blobs/removal.ts";
import { readSettings } from "../../src/config.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { closeLibrary, openLibrary } from "../../src/library.ts";
import { beginServing } from "../../src/store/serving.ts";
import { recoverFiles, tidyHourly } from "../../src/upkeep.ts";
import { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { BROKEN, type Parts, sentenceFor } from "./broken-folders.ts";

const EMAIL = "me@example.com";
const SONGS = 200;
/** So many were there when the older copy of the database was made. */
const SONGS_BEFORE = 150;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const GRACE_DAYS = 30;
const FOLDERS = ["audio", "unmounted", "quarantine"];

const program = createProgram({ ANALYSIS_CONCURRENCY: "1", FFMPEG_PATH: "" });
const library = program.dataDir;
const other = createProgram();
const copies: string[] = [];
const parts: Parts = { otherLibrary: other.dataDir, olderDatabase: join(library, "older.copy") };
/** Hashes of all originals. */
let originals: string[];

beforeAll(async () => {
  for (const each of [program, other])
    await each.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", "long enough 1"]);
  await takeIn(SONGS_BEFORE);
  await startAndStop(library);
  copyFileSync(join(library, "dubplate.db"), parts.olderDatabase);
  await takeIn(SONGS);
  await startAndStop(library);
  originals = [...hashesIn(library)].sort();
  expect(originals).toHaveLength(SONGS);
});
afterAll(async () => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  await Promise.all([program.close(), other.close()]);
});

/** Imports songs until there are so many. */
async function takeIn(count: number): Promise<void> {
  const folder = join(library, "music");
  mkdirSync(folder, { recursive: true });
  for (let n = readdirSync(folder).length; n < count; n++)
    writeFileSync(join(folder, `${n}.wav`), wavBytes([noise(8000, 0.1, 0.5, n)], 8000, 16));
  const { code } = await program.run(["import", folder, "--email", EMAIL]);
  expect(code).toBe(0);
}

function copyOfLibrary(): string {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-lost-"));
  copies.push(folder);
  cpSync(library, folder, { recursive: true, filter: (path) => !path.startsWith(join(library, "music")) });
  return folder;
}

/** Starts the server and stops it politely. Returns its log. */
async function startAndStop(folder: string): Promise<Record<string, unknown>[]> {
  const { child } = await program.serve({ DATA_DIR: folder, LOG_LEVEL: "info" });
  const log = new Response(child.stdout as ReadableStream).text();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  return (await log)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** Begins to serve a folder with a clock that tests own, and lets the hours go by. */
async function serveFor(folder: string, hours: readonly number[]): Promise<Record<string, unknown>[]> {
  const logged: Record<string, unknown>[] = [];
  const settings = { ...readSettings({}), dataDir: folder };
  const opened = openLibrary(settings, { write: (line) => logged.push(JSON.parse(line)) });
  let at = Date.now();
  const deps: Deps = { ...opened, ffmpegPath: undefined, now: () => at };
  try {
    beginServing(deps);
    recoverFiles(deps);
    for (const ms of hours) {
      at += ms;
      await tidyHourly(deps);
    }
    logged.push({ holds: listHolds(deps.db).map(({ reason }) => reason) });
    return logged;
  } finally {
    closeLibrary(deps);
  }
}

/** Hashes of everything that is still somewhere among a folder's originals. */
function hashesIn(folder: string): Set<string> {
  const found = new Set<string>();
  for (const path of filesIn(folder, FOLDERS))
    found.add(new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex"));
  return found;
}

function filesIn(root: string, folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every file of a folder with its content, except what reading a database makes. */
function contentOf(folder: string): Record<string, string> {
  const paths = filesIn(folder, ["."]).filter((path) => !/-(wal|shm)$/.test(path));
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path), String(Bun.hash(readFileSync(path)))]),
  );
}

describe("a data folder with 200 songs loses none of them", () => {
  const refused = BROKEN.filter(({ sentence }) => sentence !== undefined);
  const started = BROKEN.filter(({ sentence }) => sentence === undefined);

  test.each(refused.map((broken) => [broken.what, broken] as const))(
    "%s: the start is refused in one sentence, and nothing has changed",
    async (_, broken) => {
      const folder = copyOfLibrary();
      broken.harm(folder, parts);
      const before = contentOf(folder);

      const { code, stderr, rows } = await program.run(["serve"], { extra: { DATA_DIR: folder } });

      const number = broken.sentence?.includes("'s N files") ? SONGS : SCHEMA_VERSION;
      expect([code, stderr, rows]).toEqual([1, `${sentenceFor(broken, folder, number)}\n`, []]);
      expect(contentOf(folder)).toEqual(before);
      expect([...hashesIn(folder)].sort()).toEqual(originals);
    },
  );

  test.each(started.map((broken) => [broken.what, broken] as const))(
    "%s: the library starts, and every original is there after an hour and after the grace period",
    async (_, broken) => {
      const folder = copyOfLibrary();
      broken.harm(folder, parts);

      await startAndStop(folder);
      expect([...hashesIn(folder)].sort()).toEqual(originals);

      await serveFor(folder, [HOUR, DAY, GRACE_DAYS * DAY, DAY]);
      expect([...hashesIn(folder)].sort()).toEqual(originals);
    },
  );
});

describe("an older database", () => {
  async function withOlder(): Promise<string> {
    const folder = copyOfLibrary();
    for (const end of ["-wal", "-shm"]) rmSync(join(folder, `dubplate.db${end}`), { force: true });
    copyFileSync(parts.olderDatabase, join(folder, "dubplate.db"));
    return folder;
  }

  test("is reported, and holds removal over any number of starts", async () => {
    const folder = await withOlder();

    const log = await startAndStop(folder);
    await startAndStop(folder);
    const later = await serveFor(folder, [HOUR, 60 * DAY]);

    expect(log).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining("dubplate.db is an older copy than its folder"),
      }),
    );
    expect(later.at(-1)).toEqual({ holds: ["older_database"] });
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS);
    const { code, rows } = await program.run(["doctor"], { extra: { DATA_DIR: folder } });
    expect([code, rows]).toEqual([1, expect.arrayContaining([expect.objectContaining(DOCTOR_HELD)])]);
  });

  test("an older database that is accepted moves the files that it does not know to the quarantine, and the right one brings them back", async () => {
    const folder = await withOlder();
    await startAndStop(folder);

    const { code, rows } = await program.run(["quarantine", "accept"], { extra: { DATA_DIR: folder } });

    expect([code, rows]).toEqual([
      0,
      [{ released: ["older_database"], moved: SONGS - SONGS_BEFORE, acceptedLostAudio: false }],
    ]);
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS_BEFORE);
    expect([...hashesIn(folder)].sort()).toEqual(originals);

    copyFileSync(join(library, "dubplate.db"), join(folder, "dubplate.db"));
    await startAndStop(folder);

    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS);
    expect(filesIn(folder, ["quarantine"])).toEqual([]);
  });

  test("an older database that is accepted has unknown files deleted only after the grace period", async () => {
    const folder = await withOlder();
    await startAndStop(folder);
    await program.run(["quarantine", "accept"], { extra: { DATA_DIR: folder } });

    await serveFor(folder, [HOUR, (GRACE_DAYS - 1) * DAY]);
    expect([...hashesIn(folder)].sort()).toEqual(originals);

    await serveFor(folder, [HOUR, (GRACE_DAYS + 1) * DAY]);
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS_BEFORE);
    expect(filesIn(folder, ["quarantine"])).toEqual([]);
  });
});

const DOCTOR_HELD = { check: "removal", ok: false, found: "no file is removed: older_database" };

describe("a database that lacks rows", () => {
  /** Deletes the rows of so many songs, as damage or a slip with SQLite's own tool would. */
  async function forget(folder: string, songs: number): Promise<void> {
    const deps = openLibrary({ ...readSettings({}), dataDir: folder }, process.stderr);
    deps.db.$client.run(
      `DELETE FROM tracks WHERE seq IN (SELECT seq FROM tracks ORDER BY seq DESC LIMIT ${songs})`,
    );
    closeLibrary(deps);
  }

  test("the files of a few lost rows are set aside after an hour, not before, and are there for the grace period", async () => {
    const folder = copyOfLibrary();
    await forget(folder, 10);

    await startAndStop(folder);
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS);

    await serveFor(folder, [HOUR, GRACE_DAYS * DAY]);
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS - 10);
    expect([...hashesIn(folder)].sort()).toEqual(originals);

    // An hour from now may be tomorrow, and the grace period begins when that day has ended.
    await serveFor(folder, [(GRACE_DAYS + 2) * DAY]);
    expect(hashesIn(folder).size).toBe(SONGS - 10);
  });

  test("the files of many lost rows stay where they are, and the hold ends with the right database", async () => {
    const folder = copyOfLibrary();
    await forget(folder, 50);

    const log = await serveFor(folder, [HOUR, 60 * DAY]);

    expect(log).toContainEqual(
      expect.objectContaining({
        level: "warn",
        heldBy: "mass_removal",
        audio: expect.objectContaining({ files: SONGS, unnamed: 50 }),
      }),
    );
    expect(log.at(-1)).toEqual({ holds: ["mass_removal"] });
    expect(filesIn(folder, ["audio"])).toHaveLength(SONGS);
    const listed = await program.run(["quarantine", "list"], { extra: { DATA_DIR: folder } });
    expect(listed.rows).toMatchObject([{ held: "mass_removal", detail: { audio: { unnamed: 50 } } }]);
    const emptied = await program.run(["quarantine", "empty"], { extra: { DATA_DIR: folder } });
    expect([emptied.code, emptied.stderr]).toEqual([
      1,
      "Removal is held (mass_removal): look at dubplate quarantine list, then dubplate quarantine accept\n",
    ]);
  });
});

describe("originals that are gone for good", () => {
  test("keep the server from starting until the operator says so", async () => {
    const folder = copyOfLibrary();
    renameSync(join(folder, "audio"), join(folder, "elsewhere"));

    const refused = await program.run(["serve"], { extra: { DATA_DIR: folder } });
    const accepted = await program.run(["quarantine", "accept"], { extra: { DATA_DIR: folder } });
    await startAndStop(folder);

    expect(refused.code).toBe(1);
    expect(accepted.rows).toEqual([{ released: [], moved: 0, acceptedLostAudio: true }]);

    // Once they are back, their absence is a surprise again.
    renameSync(join(folder, "elsewhere"), join(folder, "audio"));
    await startAndStop(folder);
    rmSync(join(folder, "audio"), { recursive: true });
    expect((await program.run(["serve"], { extra: { DATA_DIR: folder } })).code).toBe(1);
  });
});
