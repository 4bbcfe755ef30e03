import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSnapshots, snapshotPath } from "../../src/backup/snapshots.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { createLibrary } from "./support.ts";

describe("a server with BACKUP_DIR", () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-schedule-"));
  const dir = join(folder, "backups");
  const program = createProgram({
    RATE_LIMIT: "0",
    FFMPEG_PATH: "",
    LOG_LEVEL: "info",
    BACKUP_DIR: dir,
    BACKUP_KEEP: "daily:2",
  });
  let token: string;
  beforeAll(async () => {
    ({ token } = await createLibrary(program, { songs: 2 }));
  });
  afterAll(async () => {
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  /** Starts the server, waits for what it should do, and stops it. Returns the log. */
  async function serveUntil(
    isDone: (address: string) => boolean | Promise<boolean>,
    settings: Record<string, string> = {},
  ): Promise<Json[]> {
    const { address, child } = await program.serve(settings);
    const log = new Response(child.stdout as ReadableStream).text();
    while (!(await isDone(address))) await Bun.sleep(25);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    return (await log)
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }

  const state = async () =>
    await Bun.file(join(program.dataDir, "backups.json"))
      .json()
      .catch(() => ({}));
  const notices = async (address: string): Promise<Json[]> => {
    const response = await fetch(`${address}/app/notifications`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await jsonOf(response)).data.filter(({ kind }: Json) => kind === "library.backup_failed");
  };
  const said = (log: Json[], message: string) => log.filter((line) => line.message === message);

  test("makes a snapshot at once when there is none, and warns of one disk", async () => {
    const log = await serveUntil(async () => (await state()).lastSuccessAt !== undefined);

    const [snapshot] = listSnapshots(dir);
    expect(said(log, "Made a backup")).toMatchObject([{ file: snapshot?.path, files: 2 }]);
    expect(await state()).toMatchObject({
      folder: dir,
      lastSuccessAt: expect.any(Number),
      lastFailureAt: null,
    });
    expect((await program.run(["verify", `${dir}/`])).code).toBe(0);
    const again = await serveUntil(() => existsSync(dir));
    expect(said(again, "BACKUP_DIR is on the disk of DATA_DIR: both are lost together")).toHaveLength(1);
  });

  test("makes none while the newest is younger than BACKUP_EVERY, and one when it is older", async () => {
    const [snapshot] = listSnapshots(dir);
    renameSync(snapshot?.path ?? "", snapshotPath(dir, Date.now() - 3 * HOUR_MS));
    const before = (await state()).lastSuccessAt;

    const young = await serveUntil(async (address) => (await notices(address)).length === 0);
    const old = await serveUntil(async () => (await state()).lastSuccessAt > before, { BACKUP_EVERY: "3h" });

    expect(said(young, "Made a backup")).toEqual([]);
    expect(said(old, "Made a backup")).toHaveLength(1);
    expect(listSnapshots(dir)).not.toEqual([]);
  });

  test("keeps what BACKUP_KEEP says, and removes the leftovers of killed backups", async () => {
    const [newest] = listSnapshots(dir).slice(-1);
    for (const { path } of listSnapshots(dir).slice(0, -1)) rmSync(path);
    const days = [5, 4, 3, 2].map((day) => snapshotPath(dir, Date.now() - day * DAY_MS));
    for (const path of days) await Bun.write(path, Bun.file(newest?.path ?? ""));
    rmSync(newest?.path ?? "");
    const leftover = `${snapshotPath(dir, 1)}.partial`;
    writeFileSync(leftover, "half");
    const before = (await state()).lastSuccessAt;

    const log = await serveUntil(async () => (await state()).lastSuccessAt > before);

    expect(said(log, "Made a backup")).toMatchObject([{ removed: { snapshots: 3, files: 0 } }]);
    expect(listSnapshots(dir).map(({ path }) => path)).toEqual([days.at(-1) ?? "", expect.any(String)]);
    expect(existsSync(leftover)).toBe(false);
  });

  test("reports a failed backup in the log, and to the operator in the app once per day", async () => {
    renameSync(dir, `${dir}.away`);
    writeFileSync(dir, "a file where the folder should be");
    const failed = async (address: string) => (await notices(address)).length > 0;

    const log = await serveUntil(failed);
    let told: Json[] = [];
    await serveUntil(async (address) => {
      told = await notices(address);
      return told.length > 0;
    });
    rmSync(dir);
    renameSync(`${dir}.away`, dir);

    expect(said(log, "The backup failed")).toMatchObject([{ level: "error" }]);
    expect(told).toMatchObject([
      { entityKey: "library", title: expect.stringMatching(/^The backup of \d{4}-\d\d-\d\d failed: /) },
    ]);
    expect((await state()).lastFailureAt).toBeNumber();
  });

  test("does not mistake an empty folder for its own when the disk is not mounted", async () => {
    renameSync(dir, `${dir}.away`);
    mkdirSync(dir);
    const before = (await state()).lastFailureAt;

    const log = await serveUntil(async () => (await state()).lastFailureAt > before);
    rmSync(dir, { recursive: true });
    renameSync(`${dir}.away`, dir);

    expect(said(log, "The backup failed")).toMatchObject([
      { detail: expect.stringContaining("is its disk mounted?") },
    ]);
  });

  test("ends the backup in progress when it is stopped, and leaves nothing that counts as one", async () => {
    for (const { path } of listSnapshots(dir)) rmSync(path);
    rmSync(join(program.dataDir, "backups.json"));

    await serveUntil(() => true);

    for (const { path } of listSnapshots(dir))
      expect(await program.run(["verify", path])).toMatchObject({ code: 0 });
  });
});

test.each([
  ["BACKUP_EVERY", "often", "BACKUP_EVERY must be a time from 1m to 366d, such as 24h"],
  ["BACKUP_EVERY", "0h", "BACKUP_EVERY must be a time"],
  ["BACKUP_KEEP", "daily", "BACKUP_KEEP must be a list such as daily:7,weekly:4,monthly:6"],
  ["BACKUP_KEEP", "daily:7,daily:9", "BACKUP_KEEP must be a list"],
  ["BACKUP_DIR", "inside", "BACKUP_DIR must not be inside DATA_DIR"],
])("%s=%s stops the start with one sentence", async (name, value, sentence) => {
  const program = createProgram();
  const setting = value === "inside" ? join(program.dataDir, "backups") : value;

  const { code, stderr } = await program.run(["serve"], { extra: { [name]: setting } });

  expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
  expect(stderr).toContain(sentence);
  await program.close();
});
