import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseKept, clearFolder } from "../../src/backup/keep.ts";
import { listSnapshots, snapshotPath } from "../../src/backup/snapshots.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { createProgram } from "../support/process.ts";
import { createLibrary, filesBelow, hashOf, importSongs, songBytes, system } from "./support.ts";

const SETTINGS = { FFMPEG_PATH: "" };

describe("a backup into a folder", () => {
  const program = createProgram(SETTINGS);
  const folder = mkdtempSync(join(tmpdir(), "dubplate-folder-"));
  const dir = join(folder, "backups");
  const firstRun: { rows: Record<string, unknown>[] } = { rows: [] };

  beforeAll(async () => {
    await createLibrary(program, { songs: 2 });
    Object.assign(firstRun, await program.run(["backup", `${dir}/`]));
    await importSongs(program, [3]);
  });
  afterAll(async () => {
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  const runIn = (dataDir: string, args: string[]) => program.run(args, { extra: { DATA_DIR: dataDir } });
  const songsIn = (root: string) => [...filesBelow(join(root, "audio")).values()].sort();
  const songs = (...seeds: number[]) => seeds.map((seed) => hashOf(songBytes(seed))).sort();

  test("is a snapshot of the database, beside files that all snapshots share", async () => {
    const [{ file = "", files } = {}] = firstRun.rows;

    const { stdout } = await system(["tar", "tf", String(file)], folder);

    expect([file, files]).toEqual([
      expect.stringMatching(/\/snapshots\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.tar$/),
      2,
    ]);
    expect(stdout.trim().split("\n")).toEqual([
      "dubplate-backup.json",
      "master-secret",
      "dubplate.db",
      "SHA256SUMS",
    ]);
    expect(readdirSync(dir).sort()).toEqual(["audio", "snapshots"]);
    expect(songsIn(dir)).toEqual(songs(1, 2));
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
  });

  test("copies only what is new the second time", async () => {
    const [earlier] = filesBelow(join(dir, "audio")).keys();
    const before = statSync(join(dir, "audio", earlier ?? ""));

    const { rows } = await program.run(["backup", dir]);

    const tarBytes = statSync(String(rows[0]?.file)).size;
    expect(rows[0]).toMatchObject({ files: 3, bytes: tarBytes + songBytes(3).length });
    expect(songsIn(dir)).toEqual(songs(1, 2, 3));
    expect(statSync(join(dir, "audio", earlier ?? "")).ctimeMs).toBe(before.ctimeMs);
  });

  test("can be put together with tar, cp and sha256sum alone", async () => {
    const unpacked = join(folder, "by-hand");
    mkdirSync(unpacked);
    const newest = listSnapshots(dir).at(-1)?.path ?? "";

    await system(["tar", "xf", newest], unpacked);
    cpSync(join(dir, "audio"), join(unpacked, "audio"), { recursive: true });

    expect((await system(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], unpacked)).code).toBe(
      0,
    );
  });

  test("is restored as of its newest snapshot, or of an earlier time", async () => {
    const [first] = listSnapshots(dir);
    const between = new Date((first?.at ?? 0) + 1).toISOString();

    const newest = await runIn(join(folder, "newest"), ["restore", `${dir}/`]);
    const earlier = await runIn(join(folder, "earlier"), ["restore", dir, "--at", between]);
    const single = await runIn(join(folder, "single"), ["restore", first?.path ?? ""]);
    const tooEarly = await runIn(join(folder, "none"), ["restore", dir, "--at", "2020-02-01"]);
    const noTime = await runIn(join(folder, "none"), ["restore", dir, "--at", "yesterday"]);

    expect([newest.code, earlier.code, single.code, tooEarly.code, noTime.code]).toEqual([0, 0, 0, 1, 2]);
    expect(songsIn(join(folder, "newest"))).toEqual(songs(1, 2, 3));
    expect(songsIn(join(folder, "earlier"))).toEqual(songs(1, 2));
    expect(songsIn(join(folder, "single"))).toEqual(songs(1, 2));
    expect(tooEarly.stderr).toContain(`The oldest snapshot in ${dir} is from`);
    expect(existsSync(join(folder, "none"))).toBe(false);
    expect(await runIn(join(folder, "earlier"), ["verify"])).toMatchObject({ code: 0, rows: [] });
  });

  test("a damaged or missing file is detected, and its backup is not restored", async () => {
    const copy = join(folder, "copy");
    cpSync(dir, copy, { recursive: true });
    const [damaged = "", missing = ""] = filesBelow(join(copy, "audio")).keys();
    const bytes = readFileSync(join(copy, "audio", damaged));
    writeFileSync(join(copy, "audio", damaged), bytes.fill(0, 100, 101));
    rmSync(join(copy, "audio", missing));

    const verified = await program.run(["verify", `${copy}/`]);
    const restored = await runIn(join(folder, "refused"), ["restore", `${copy}/`]);

    expect([verified.code, restored.code]).toEqual([1, 1]);
    expect(verified.rows).toContainEqual(
      expect.objectContaining({ kind: "damaged", path: `audio/${damaged}` }),
    );
    expect(verified.rows).toContainEqual(
      expect.objectContaining({ kind: "missing", path: `audio/${missing}` }),
    );
    expect([existsSync(join(folder, "refused")), existsSync(join(folder, "refused.restoring"))]).toEqual([
      false,
      false,
    ]);
    expect((await program.run(["backup", copy])).code).toBe(0);
    expect(songsIn(copy)).toHaveLength(3);
  });

  test("a snapshot without its folder says where its files are", async () => {
    const alone = join(folder, "alone.tar");
    cpSync(listSnapshots(dir)[0]?.path ?? "", alone);

    const { code, stderr } = await runIn(join(folder, "from-alone"), ["restore", alone]);

    expect([code, existsSync(join(folder, "from-alone"))]).toEqual([1, false]);
    expect(stderr).toContain("is a snapshot: restore it from the folder that it was written to");
  });

  test("refuses a folder of another library, and one inside the data folder, also by a link", async () => {
    const other = createProgram(SETTINGS);
    await createLibrary(other, { songs: 1 });
    const link = join(folder, "link");
    symlinkSync(program.dataDir, link);

    const foreign = await other.run(["backup", `${dir}/`]);
    const inside = await program.run(["backup", `${program.dataDir}/backups/`]);
    const linked = await program.run(["backup", `${link}/backups/`]);

    expect([foreign.code, inside.code, linked.code]).toEqual([1, 1, 1]);
    expect(foreign.stderr).toContain("has backups of another library: choose another folder");
    expect(inside.stderr).toContain("is inside DATA_DIR");
    expect(existsSync(join(program.dataDir, "backups"))).toBe(false);
    rmSync(`${other.dataDir}.music`, { recursive: true });
    await other.close();
  });

  test("a backup of a library that lacks a file is called damaged, and does not count as the newest", async () => {
    await importSongs(program, [9]);
    const name = hashOf(songBytes(9));
    rmSync(join(program.dataDir, "audio", name.slice(0, 2), name.slice(2, 4), name));
    const before = listSnapshots(dir);

    const { code, rows, stderr } = await program.run(["backup", `${dir}/`]);

    expect([code, rows[0]?.file]).toEqual([1, expect.stringMatching(/\.tar\.damaged$/)]);
    expect(stderr).toContain("missing: audio/");
    expect(listSnapshots(dir)).toEqual(before);
  });
});

describe("what is kept", () => {
  const NOW = Date.parse("2026-11-22T12:00:00Z"); // a Sunday
  const at = (text: string) => ({ path: text, at: Date.parse(text) });
  const kept = (times: string[], keep: object) =>
    [...chooseKept(times.map(at), keep)].map(({ path }) => path).sort();

  test.each([
    [
      "the last of each day",
      { daily: 2 },
      ["2026-11-21T09:00Z", "2026-11-21T20:00Z", "2026-11-22T08:00Z"],
      [1, 2],
    ],
    [
      "days that have one, not the last days",
      { daily: 2 },
      ["2026-11-01T09:00Z", "2026-11-22T08:00Z"],
      [0, 1],
    ],
    [
      "the last of each week, which begins on Monday",
      { weekly: 2 },
      ["2026-11-14T09:00Z", "2026-11-15T23:00Z", "2026-11-16T01:00Z", "2026-11-22T08:00Z"],
      [1, 3],
    ],
    [
      "the last of each month",
      { monthly: 2 },
      ["2026-09-30T09:00Z", "2026-10-01T09:00Z", "2026-10-31T09:00Z", "2026-11-22T08:00Z"],
      [2, 3],
    ],
    [
      "the last of each hour",
      { hourly: 2 },
      ["2026-11-22T08:00Z", "2026-11-22T09:10Z", "2026-11-22T09:50Z"],
      [0, 2],
    ],
    [
      "the last of each year",
      { yearly: 2 },
      ["2024-01-01T08:00Z", "2025-01-01T08:00Z", "2026-11-22T08:00Z"],
      [1, 2],
    ],
    [
      "what one of several periods keeps",
      { daily: 1, monthly: 2 },
      ["2026-10-31T09:00Z", "2026-11-21T08:00Z", "2026-11-22T08:00Z"],
      [0, 2],
    ],
    ["the newest in any case", { daily: 0 }, ["2026-11-21T08:00Z", "2026-11-22T08:00Z"], [1]],
  ])("a folder keeps %s", (_, keep, times, expected) => {
    expect(kept(times, keep)).toEqual(expected.map((index) => times[index] ?? ""));
  });

  test("a file stays for a week after its last snapshot, and other files are not touched", async () => {
    const program = createProgram(SETTINGS);
    const dir = mkdtempSync(join(tmpdir(), "dubplate-keep-"));
    await createLibrary(program, { songs: 1 });
    const backUpAs = async (at: number) => {
      const { rows } = await program.run(["backup", `${dir}/`]);
      renameSync(String(rows[0]?.file), snapshotPath(dir, at));
    };
    await backUpAs(NOW);
    const [song = ""] = filesBelow(join(dir, "audio")).keys();
    const stranger = `audio/ff/ff/${"f".repeat(64)}`;
    const strangers = [stranger, "audio/notes.txt", "snapshots/mine.tar", "README"];
    mkdirSync(join(dir, "audio/ff/ff"), { recursive: true });
    for (const path of strangers) writeFileSync(join(dir, path), "mine");
    const db = new Database(join(program.dataDir, "dubplate.db"));
    db.run("PRAGMA foreign_keys = ON");
    db.run("DELETE FROM tracks");
    db.close();
    await backUpAs(NOW + DAY_MS);

    const first = await clearFolder(dir, { daily: 1 }, NOW + DAY_MS);
    const soon = await clearFolder(dir, { daily: 1 }, NOW + 8 * DAY_MS - HOUR_MS);
    const stillThere = existsSync(join(dir, "audio", song));
    const over = await clearFolder(dir, { daily: 1 }, NOW + 8 * DAY_MS);

    expect([first, soon, over]).toEqual([
      { snapshots: 1, files: 0 },
      { snapshots: 0, files: 0 },
      { snapshots: 0, files: 1 },
    ]);
    expect([stillThere, existsSync(join(dir, "audio", song))]).toEqual([true, false]);
    for (const path of strangers) expect(readFileSync(join(dir, path), "utf8")).toBe("mine");
    expect(existsSync(join(dir, "retired.json"))).toBe(false);
    for (const each of [dir, `${program.dataDir}.music`]) rmSync(each, { recursive: true });
    await program.close();
  });
});
