import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Viewer, viewLibrary } from "../../scripts/backup/view.ts";
import { untilIdle } from "../../scripts/bench/library.ts";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { createLibrary, filesBelow, furnish, hashOf, songBytes, system } from "./support.ts";

const SETTINGS = { RATE_LIMIT: "0", FFMPEG_PATH: "", NETWORK_ALLOW: "hooks.example.com" };
const SONGS = 3;

describe("a backup of a library that is served", () => {
  const program = createProgram(SETTINGS);
  const folder = mkdtempSync(join(tmpdir(), "dubplate-backup-"));
  const file = join(folder, "library.tar");
  let viewer: Viewer;
  let page: string;
  let made: Awaited<ReturnType<typeof program.run>>;

  beforeAll(async () => {
    const owner = await createLibrary(program, { songs: SONGS });
    const { address } = await program.serve();
    viewer = { ...owner, address };
    await untilIdle(program.dataDir);
    ({ page } = await furnish(viewer));
    made = await program.run(["backup", file]);
  });
  afterAll(async () => {
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  /** Runs a command on another data folder. */
  const runIn = (dataDir: string, args: string[]) => program.run(args, { extra: { DATA_DIR: dataDir } });

  test("is a file that only its owner can read, and one line describes it", async () => {
    expect(made).toMatchObject({ code: 0, rows: [{ file, files: SONGS + 3 }] });
    const [{ bytes, sha256, seconds } = {}] = made.rows;
    expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 });
    expect(sha256).toBe(hashOf(await Bun.file(file).bytes()));
    expect(seconds).toBeNumber();
    expect(readdirSync(folder)).toEqual(["library.tar"]);
  });

  test("is opened by tar, and sha256sum finds every file in it sound", async () => {
    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked);

    const names = (await system(["tar", "tf", file], folder)).stdout.trim().split("\n");
    const { code, stderr } = await system(["tar", "xf", file], unpacked);
    const sums = await system(["sha256sum", "--check", "--strict", "SHA256SUMS"], unpacked);

    expect([code, stderr]).toEqual([0, ""]);
    expect(names.slice(0, 3)).toEqual(["dubplate-backup.json", "master-secret", "dubplate.db"]);
    expect(names[3]).toMatch(/^artwork-originals\/[0-9a-f]{32}\.jpg$/);
    expect(names.slice(4, 6).every((name) => /^artwork\/[0-9a-f]{32}(\.thumb)?\.jpg$/.test(name))).toBe(true);
    expect(names.slice(6, -1)).toEqual(
      Array.from({ length: SONGS }, (_, n) => hashOf(songBytes(n + 1)))
        .sort()
        .map((hash) => `audio/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`),
    );
    expect(names.at(-1)).toBe("SHA256SUMS");
    expect(sums.code).toBe(0);
    expect(sums.stdout.trim().split("\n")).toHaveLength(names.length - 1);
    expect(await Bun.file(join(unpacked, "dubplate-backup.json")).json()).toMatchObject({
      format: 1,
      kind: "whole",
      counts: { accounts: 1, tracks: SONGS, versions: SONGS, artwork: 3, audio: SONGS },
    });
    rmSync(unpacked, { recursive: true });
  });

  test("brings the same ids, links, keys and bytes back in an empty folder", async () => {
    const dataDir = join(folder, "restored");

    const restored = await runIn(dataDir, ["restore", file]);

    expect(restored).toMatchObject({ code: 0, rows: [{ dataDir, files: SONGS + 3 }] });
    expect(existsSync(`${dataDir}.restoring`)).toBe(false);
    for (const path of ["audio", "artwork", "artwork-originals"])
      expect(filesBelow(join(dataDir, path))).toEqual(filesBelow(join(program.dataDir, path)));
    expect(filesBelow(dataDir).get("master-secret")).toBe(filesBelow(program.dataDir).get("master-secret"));
    for (const path of filesBelow(dataDir).keys())
      expect([path, statSync(join(dataDir, path)).mode & 0o77]).toEqual([path, 0]);

    const before = await viewLibrary(viewer);
    const shared = await fetch(`${viewer.address}${page}`);
    const { address } = await program.serve({ DATA_DIR: dataDir });
    const after = await viewLibrary({ ...viewer, address });
    expect(after).toEqual(before);
    expect(before.size).toBeGreaterThan(20);
    const restoredPage = await fetch(`${address}${page}`);
    expect([shared.status, restoredPage.status]).toEqual([200, 200]);
    expect(await restoredPage.text()).toContain("Night Bus");
    expect(await runIn(dataDir, ["verify"])).toMatchObject({ code: 0, rows: [] });
  });

  test("moves the library's generation on by a thousand", async () => {
    const dataDir = join(folder, "moved-on");

    const { rows } = await runIn(dataDir, ["restore", file]);

    const manifest = JSON.parse((await system(["tar", "xOf", file, "dubplate-backup.json"], folder)).stdout);
    expect(rows[0]).toMatchObject({ storeId: manifest.storeId, generation: manifest.generation + 1000 });
    expect(await Bun.file(join(dataDir, "store.json")).json()).toMatchObject({
      id: manifest.storeId,
      generation: manifest.generation + 1000,
    });
  });

  test("can be piped, with the same contents, and restored from a pipe", async () => {
    const dataDir = join(folder, "piped");
    const env = { PATH: process.env.PATH ?? "", ...SETTINGS };
    const writer = Bun.spawn([...PROGRAM, "backup", "-"], {
      env: { ...env, DATA_DIR: program.dataDir },
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = Bun.spawn([...PROGRAM, "restore", "-"], {
      env: { ...env, DATA_DIR: dataDir },
      stdin: writer.stdout,
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = await writer.stderr.text();

    expect([await writer.exited, await reader.exited]).toEqual([0, 0]);
    expect(JSON.parse(said.split("\n")[0] ?? "")).toMatchObject({ file: "-", files: SONGS + 3 });
    expect(filesBelow(join(dataDir, "audio"))).toEqual(filesBelow(join(program.dataDir, "audio")));
  });

  test.each([
    ["a file that exists", () => ["backup", file], () => `${file} exists`],
    [
      "a folder that does not exist",
      () => ["backup", join(folder, "none", "x.tar")],
      () => "There is no folder",
    ],
    ["a restore into a library", () => ["restore", file], () => "is not empty: restore into an empty folder"],
    [
      "a file that is no backup",
      () => ["restore", join(import.meta.dir, "support.ts")],
      () => "is not empty",
    ],
    ["a backup that is not there", () => ["verify", join(folder, "none.tar")], () => "There is no file"],
  ])("%s is refused in one sentence", async (_, args, sentence) => {
    const { code, rows, stderr } = await program.run(args());

    expect([code, rows]).toEqual([1, []]);
    expect(stderr).toContain(sentence());
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("a folder without a library has nothing to back up, and no library is made in it", async () => {
    const dataDir = join(folder, "nothing");

    const { code, stderr } = await runIn(dataDir, ["backup", join(folder, "nothing.tar")]);

    expect([code, stderr]).toEqual([1, `There is no library in ${dataDir}: set DATA_DIR\n`]);
    expect([existsSync(dataDir), existsSync(join(folder, "nothing.tar"))]).toEqual([false, false]);
  });

  test("a file that was set aside since the database was copied is still found", async () => {
    const [path = ""] = filesBelow(join(program.dataDir, "audio")).keys();
    const aside = join(program.dataDir, "quarantine", "2026-01-01", "audio", path);
    mkdirSync(dirname(aside), { recursive: true });
    renameSync(join(program.dataDir, "audio", path), aside);

    const { code, rows } = await program.run(["backup", join(folder, "aside.tar")]);

    renameSync(aside, join(program.dataDir, "audio", path));
    expect([code, rows[0]?.files]).toEqual([0, SONGS + 3]);
    expect(await program.run(["verify", join(folder, "aside.tar")])).toMatchObject({ code: 0, rows: [] });
  });

  test("a damaged or missing file is named, the rest is saved, and the backup is called damaged", async () => {
    const [damaged = "", missing = ""] = filesBelow(join(program.dataDir, "audio")).keys();
    const at = (path: string) => join(program.dataDir, "audio", path);
    const bytes = await Bun.file(at(damaged)).bytes();
    writeFileSync(at(damaged), bytes.with(1000, 1 + (bytes[1000] ?? 0)));
    renameSync(at(missing), join(folder, "away"));
    const target = join(folder, "faulty.tar");

    const { code, rows, stderr } = await program.run(["backup", target]);

    writeFileSync(at(damaged), bytes);
    renameSync(join(folder, "away"), at(missing));
    expect([code, existsSync(target), existsSync(`${target}.partial`)]).toEqual([1, false, false]);
    expect(rows).toMatchObject([{ file: `${target}.damaged`, files: SONGS + 2 }]);
    expect(stderr).toContain(`damaged: audio/${damaged}`);
    expect(stderr).toContain(`missing: audio/${missing}`);
    expect(stderr).toContain("The backup lacks 2 of the library's files");
    const verified = await program.run(["verify", `${target}.damaged`]);
    expect(verified.code).toBe(1);
    expect(verified.rows.map(({ kind, path }) => [kind, path]).sort()).toEqual([
      ["damaged", `audio/${damaged}`],
      ["missing", `audio/${missing}`],
    ]);
    const dataDir = join(folder, "refused");
    expect((await runIn(dataDir, ["restore", `${target}.damaged`])).code).toBe(1);
    expect([existsSync(dataDir), existsSync(`${dataDir}.restoring`)]).toEqual([false, false]);
  });
});
