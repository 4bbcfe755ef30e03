import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";

const EMAIL = "me@example.com";
const TRACKS = 30;
const PICTURE = "0a".repeat(16);
const UPLOAD = "AAAAAAAAAAAAAAAAAAAAAA";
const DAY = Date.now() + 24 * 60 * 60 * 1000;

describe("a start with the wrong database", () => {
  const program = createProgram();
  const library = program.dataDir;
  const copies: string[] = [];
  /** Hashes of all acknowledged files, by their path. */
  let acknowledged: Map<string, string>;

  beforeAll(async () => {
    await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", "long enough 1"]);
    for (const count of [5, 25]) {
      await takeIn(count);
      copyFileSync(join(library, "dubplate.db"), join(library, `after-${count}.copy`));
    }
    await takeIn(TRACKS);
    nameTheRest();
    acknowledged = hashesIn(library, ["audio", "artwork", "uploads"]);
    expect(acknowledged.size).toBe(TRACKS + 2 + 1);
  }, 60_000);
  afterAll(async () => {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
    await program.close();
  });

  /** Imports tracks until there are `count`. */
  async function takeIn(count: number): Promise<void> {
    const folder = join(library, "music");
    mkdirSync(folder, { recursive: true });
    for (let n = readdirSync(folder).length; n < count; n++)
      writeFileSync(join(folder, `${n}.wav`), wavBytes([noise(800, n + 1)], 8000, 16));
    const { code } = await program.run(["import", folder, "--email", EMAIL]);
    expect(code).toBe(0);
  }

  /** Adds a cover that a track shows, and a file that a visitor is sending. */
  function nameTheRest(): void {
    for (const folder of ["artwork", "uploads"]) mkdirSync(join(library, folder), { recursive: true });
    for (const name of [`${PICTURE}.jpg`, `${PICTURE}.thumb.jpg`])
      writeFileSync(join(library, "artwork", name), name);
    writeFileSync(join(library, "uploads", UPLOAD), "half a song");
    const db = new Database(join(library, "dubplate.db"));
    db.run("UPDATE tracks SET cover = ? WHERE seq = (SELECT max(seq) FROM tracks)", [`${PICTURE}.jpg`]);
    db.run("PRAGMA foreign_keys = OFF");
    db.run(
      `INSERT INTO submission_uploads (id, brief_id, client, name, size_bytes, received_bytes, created_at, expires_at)
       VALUES (?, 'brf_1', 'c', 'song.wav', 5000, 11, ?, ?)`,
      [UPLOAD, Date.now(), DAY],
    );
    db.close();
  }

  function copyOfLibrary(): string {
    const folder = mkdtempSync(join(tmpdir(), "dubplate-lost-"));
    copies.push(folder);
    cpSync(library, folder, { recursive: true });
    return folder;
  }

  function replaceDatabase(folder: string, by: string | undefined): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `dubplate.db${end}`), { force: true });
    if (by !== undefined) copyFileSync(by, join(folder, "dubplate.db"));
  }

  /** Starts the server and stops it gracefully, which waits for the sweep. Returns its log. */
  async function startAndStop(folder: string): Promise<Record<string, unknown>[]> {
    const { child } = await program.serve({ DATA_DIR: folder, LOG_LEVEL: "info", FFMPEG_PATH: "" });
    const log = new Response(child.stdout as ReadableStream).text();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    return (await log)
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }

  const warnings = (log: Record<string, unknown>[]) =>
    log.filter(({ level, message }) => level === "warn" && String(message).includes("without a row"));
  const stillIn = (folder: string) =>
    new Set(hashesIn(folder, ["audio", "artwork", "uploads", "quarantine"]).values());
  const places = (folder: string) => [...hashesIn(folder, ["audio", "artwork", "uploads"]).keys()].sort();

  test.each([
    ["was removed", (folder: string) => replaceDatabase(folder, undefined), 30],
    [
      "was emptied",
      (folder: string) => {
        replaceDatabase(folder, undefined);
        writeFileSync(join(folder, "dubplate.db"), "");
      },
      30,
    ],
    [
      "is an older copy that lacks most tracks",
      (folder: string) => replaceDatabase(folder, join(folder, "after-5.copy")),
      25,
    ],
  ])(
    "that %s: every file stays in place, and the log says how many",
    async (_, harm, unnamed) => {
      const folder = copyOfLibrary();
      harm(folder);

      const log = await startAndStop(folder);

      expect(places(folder)).toEqual([...acknowledged.keys()].sort());
      expect(stillIn(folder)).toEqual(new Set(acknowledged.values()));
      expect(existsSync(join(folder, "quarantine"))).toBe(false);
      expect(warnings(log)).toMatchObject([
        {
          audio: { files: 30, unnamed },
          artwork: { files: 2, unnamed: 2 },
          uploads: { files: 1, unnamed: 1 },
        },
      ]);
    },
    30_000,
  );

  test("that lacks a few tracks: their files are set aside, and come back with the right database", async () => {
    const folder = copyOfLibrary();
    replaceDatabase(folder, join(folder, "after-25.copy"));

    const log = await startAndStop(folder);

    expect(stillIn(folder)).toEqual(new Set(acknowledged.values()));
    const aside = [...hashesIn(folder, ["quarantine"]).keys()];
    expect(aside).toHaveLength(5 + 2 + 1);
    for (const path of aside) {
      expect(path).toMatch(/^quarantine\/\d{4}-\d\d-\d\d\//);
      expect(acknowledged.has(path.split("/").slice(2).join("/"))).toBe(true);
    }
    expect(warnings(log)).toEqual([]);
    expect(log).toContainEqual(expect.objectContaining({ moved: 8, audio: { files: 30, unnamed: 5 } }));

    replaceDatabase(folder, join(library, "dubplate.db"));
    await startAndStop(folder);

    expect(places(folder)).toEqual([...acknowledged.keys()].sort());
  }, 30_000);

  test("in an intact library, only files without a row are set aside", async () => {
    const folder = copyOfLibrary();
    const stray = hashOf("stray");
    const strays = [
      `audio/${stray.slice(0, 2)}/${stray.slice(2, 4)}/${stray}`,
      `artwork/${"0b".repeat(16)}.webp`,
      `renditions/${stray}.ogg`,
      "uploads/BBBBBBBBBBBBBBBBBBBBBB",
    ];
    for (const path of [...strays, "audio/README", "uploads/.keep"]) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), path);
    }

    await startAndStop(folder);

    const kept = [...acknowledged.keys(), "audio/README", "uploads/.keep"].sort();
    expect(places(folder)).toEqual(kept);
    const aside = hashesIn(folder, ["quarantine"]);
    expect([...aside.keys()].map((path) => path.split("/").slice(2).join("/")).sort()).toEqual(strays.sort());
    expect(new Set(aside.values())).toEqual(new Set(strays.map((path) => hashOf(path))));
  }, 30_000);
});

const hashOf = (bytes: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Returns the hash of every file in the given folders of `root`, by its path from there. */
function hashesIn(root: string, folders: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders.filter((each) => existsSync(join(root, each))))
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) found.set(relative(root, path), hashOf(readFileSync(path)));
    }
  return found;
}
