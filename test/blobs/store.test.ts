import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Db, transact } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { emptyQuarantine } from "../../src/blobs/empty.ts";
import { bringBack } from "../../src/blobs/quarantine.ts";
import { addHold, endHolds, holdRemoval, listHolds } from "../../src/blobs/removal.ts";
import {
  audioShelf,
  blobPath,
  discardStaged,
  originalsOf,
  type StagedFile,
  stageFile,
} from "../../src/blobs/store.ts";
import { sweepTemporary, sweepUnnamed } from "../../src/blobs/sweep.ts";
import { readSettings } from "../../src/config.ts";
import { HEAD_BYTES } from "../../src/kernel/files.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import { openEmpty } from "../support/empty-library.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

const REMOVAL = join(import.meta.dir, "../../src/blobs/removal.ts");

let dataDir: string;
let deps: { db: Db; now: () => number; settings: ReturnType<typeof readSettings> };
/** Of the one track that has every version of a test. */
let trackId: string | undefined;
let order = 0;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "dubplate-blobs-"));
  trackId = undefined;
  const now = () => Date.UTC(2026, 10, 22, 23, 59);
  deps = { db: openEmpty(), now, settings: readSettings({ DATA_DIR: dataDir }) };
});
afterEach(() => {
  deps.db.$client.close();
  rmSync(dataDir, { recursive: true });
});

describe("stageFile", () => {
  test("keeps every byte, with their hash and their beginning", async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 251));

    const staged = await stage(bytes);

    expect(readFileSync(staged.path)).toEqual(bytes);
    expect(staged.sizeBytes).toBe(200_000);
    expect(staged.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
    expect(Buffer.from(staged.head)).toEqual(bytes.subarray(0, HEAD_BYTES));
  });

  test("keeps more than it flushes at once", async () => {
    const chunk = Buffer.alloc(1 << 20, "abc");

    const staged = await stageFile(deps, chunksOf(...Array.from({ length: 70 }, () => chunk)), {
      maxBytes: 2 ** 30,
    });

    expect(staged.sizeBytes).toBe(70 << 20);
    expect(new Bun.CryptoHasher("sha256").update(readFileSync(staged.path)).digest("hex")).toBe(
      staged.sha256,
    );
  });

  test("takes an empty file", async () => {
    expect(await stage(Buffer.alloc(0))).toMatchObject({
      sizeBytes: 0,
      sha256: sha256("").toString("hex"),
      head: new Uint8Array(0),
    });
  });

  test("takes a file of exactly the limit, and refuses one byte more without leaving anything", async () => {
    const exact = await stageFile(deps, chunksOf(Buffer.alloc(10)), { maxBytes: 10 });
    await discardStaged(exact);

    const refused = stageFile(deps, chunksOf(Buffer.alloc(6), Buffer.alloc(5)), { maxBytes: 10 });

    await expect(refused).rejects.toMatchObject({ code: "file_too_large" });
    expect(filesIn(dataDir)).toEqual([]);
  });

  test("leaves nothing when the stream breaks, and passes its error on", async () => {
    async function* broken() {
      yield Buffer.alloc(100_000);
      throw new Error("the client has gone");
    }

    const refused = stageFile(deps, broken(), { maxBytes: 2 ** 30 });

    await expect(refused).rejects.toThrow("the client has gone");
    expect(filesIn(dataDir)).toEqual([]);
  });
});

describe("placing a file", () => {
  test("moves a file to the address of its content", async () => {
    const staged = await stage(Buffer.from("take one"));

    place(staged);

    expect(blobPath(deps.settings, staged.sha256)).toBe(
      join(dataDir, "audio", staged.sha256.slice(0, 2), staged.sha256.slice(2, 4), staged.sha256),
    );
    expect(readFileSync(blobPath(deps.settings, staged.sha256), "utf8")).toBe("take one");
    expect(filesIn(dataDir)).toHaveLength(1);
  });

  test("keeps the same bytes once", async () => {
    const first = await stage(Buffer.from("take one"));
    const second = await stage(Buffer.from("take one"));

    place(first);
    place(second);
    await Promise.all([first, second].map(discardStaged));

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, first.sha256)]);
  });

  test("puts the good bytes in the place of a damaged file", async () => {
    const staged = await stage(Buffer.from("take one"));
    const path = blobPath(deps.settings, staged.sha256);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "take");

    place(staged);

    expect(readFileSync(path, "utf8")).toBe("take one");
  });

  test("accepts nothing but a hash as an address", () => {
    expect(() => blobPath(deps.settings, "../../../etc/passwd")).toThrow(RangeError);
  });
});

describe("setting a file aside", () => {
  test("moves bytes that no version has to the quarantine, and no others", async () => {
    const kept = await stage(Buffer.from("kept"));
    const orphan = await stage(Buffer.from("orphan"));
    place(kept);
    place(orphan);
    addVersion(kept.sha256);

    transact(deps.db, (tx) => {
      originalsOf(deps.settings).setAside(tx, kept.sha256, deps.now());
      originalsOf(deps.settings).setAside(tx, orphan.sha256, deps.now());
    });

    expect(filesIn(join(dataDir, "audio"))).toEqual([blobPath(deps.settings, kept.sha256)]);
    expect(originalsOf(deps.settings).locate(orphan.sha256)).toBe(asidePath(orphan.sha256));
  });

  test("a file that is sent again comes back from the quarantine, and is not kept twice", async () => {
    const first = await stage(Buffer.from("take one"));
    place(first);
    transact(deps.db, (tx) => originalsOf(deps.settings).setAside(tx, first.sha256, deps.now()));
    const again = await stage(Buffer.from("take one"));

    place(again);
    await discardStaged(again);

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, first.sha256)]);
  });

  test("a damaged file in the quarantine does not take the place of good bytes", async () => {
    const first = await stage(Buffer.from("take one"));
    place(first);
    transact(deps.db, (tx) => originalsOf(deps.settings).setAside(tx, first.sha256, deps.now()));
    writeFileSync(asidePath(first.sha256), "take");

    place(await stage(Buffer.from("take one")));

    expect(readFileSync(blobPath(deps.settings, first.sha256), "utf8")).toBe("take one");
  });

  test("a reader finds the file in its place again", async () => {
    const staged = await stage(Buffer.from("take one"));
    place(staged);
    transact(deps.db, (tx) => originalsOf(deps.settings).setAside(tx, staged.sha256, deps.now()));

    expect(originalsOf(deps.settings).find(staged.sha256)).toBe(blobPath(deps.settings, staged.sha256));
    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, staged.sha256)]);
    expect(originalsOf(deps.settings).find("ab".repeat(32))).toBeUndefined();
  });
});

describe("taking a file back", () => {
  test("deletes what a failed transaction placed", async () => {
    const staged = await stage(Buffer.from("take one"));
    place(staged);

    takeBack(staged);

    expect(filesIn(dataDir)).toEqual([]);
  });

  test("keeps bytes that were there before, whether or not a row names them", async () => {
    const earlier = await stage(Buffer.from("take one"));
    place(earlier);
    const again = await stage(Buffer.from("take one"));
    place(again);

    takeBack(again);
    await discardStaged(again);

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, earlier.sha256)]);
  });

  const takeBack = (staged: StagedFile) =>
    transact(deps.db, (tx) => originalsOf(deps.settings).takeBack(tx, staged));
});

describe("sweepUnnamed", () => {
  const sweep = () => sweepUnnamed(deps, [audioShelf]);

  test("moves files without a version to the day's folder, and leaves everything else", async () => {
    const kept = stored("kept");
    const orphan = stored("orphan");
    addVersion(kept);
    const note = join(dataDir, "audio", "README");
    writeFileSync(note, "not of the store's making");

    const swept = await sweep();

    const audio = { files: 2, bytes: 10, unnamed: 1, unnamedBytes: 6 };
    expect(swept).toEqual({ heldBy: undefined, isNewHold: false, moved: 1, folders: { audio } });
    expect(filesIn(dataDir).toSorted()).toEqual(
      [blobPath(deps.settings, kept), note, asidePath(orphan)].toSorted(),
    );
  });

  test.each([
    ["20 files, however few are left", 1, 20, undefined],
    ["21 files of 100", 79, 21, "mass_removal"],
    ["21 files of 419", 398, 21, "mass_removal"],
    ["21 files of 420, which is 5 %", 399, 21, undefined],
    ["a single file where there are no versions at all", 0, 1, "new_database"],
  ] as const)(
    "a sweep that finds %s is held only when too much would go",
    async (_, named, unnamed, heldBy) => {
      for (let n = 0; n < named; n++) addVersion(stored(`same length ${String(n).padStart(4)}`));
      for (let n = 0; n < unnamed; n++) stored(`unnamed ones ${String(n).padStart(3)}`);
      const before = filesIn(dataDir);

      const swept = await sweep();

      expect(swept).toMatchObject({ heldBy, moved: heldBy ? 0 : unnamed });
      const after = filesIn(dataDir);
      expect(after.map((path) => basename(path)).toSorted()).toEqual(
        before.map((path) => basename(path)).toSorted(),
      );
      expect(after.filter((path) => path.includes("quarantine"))).toHaveLength(heldBy ? 0 : unnamed);
    },
  );

  test("a library where 21 files of 420 are more than 5 % of the bytes keeps them", async () => {
    for (let n = 0; n < 399; n++) addVersion(stored(`named ${n}`));
    for (let n = 0; n < 21; n++) stored(`much longer than the others ${n}`);

    expect(await sweep()).toMatchObject({ heldBy: "mass_removal", moved: 0 });
  });

  test("a hold lasts until the rows are back, and is reported once", async () => {
    for (let n = 0; n < 30; n++) addVersion(stored(`named ${n}`));
    const missed = Array.from({ length: 25 }, (_, n) => stored(`missed ${n}`));

    const sweeps = [await sweep(), await sweep()];
    expect(sweeps.map(({ isNewHold }) => isNewHold)).toEqual([true, false]);
    expect(listHolds(deps.db)).toMatchObject([
      { reason: "mass_removal", since: deps.now(), detail: { audio: { files: 55, unnamed: 25 } } },
    ]);

    for (const hash of missed.slice(1)) addVersion(hash);
    expect(await sweep()).toMatchObject({ heldBy: undefined, moved: 1 });
    expect(listHolds(deps.db)).toEqual([]);
  });

  test("moves nothing while an older database waits to be accepted, and everything when it is", async () => {
    addVersion(stored("kept"));
    for (let n = 0; n < 40; n++) stored(`unnamed ${n}`);
    addHold(deps.db, "older_database", { database: 3, folder: 7 }, 0);

    expect(await sweep()).toMatchObject({ heldBy: "older_database", isNewHold: false, moved: 0 });

    endHolds(deps.db, ["older_database"]);
    expect(await sweepUnnamed(deps, [audioShelf], { isAccepted: true })).toMatchObject({ moved: 40 });
  });

  test("keeps both where the day's folder has other bytes under the same name", async () => {
    addVersion(stored("kept"));
    const orphan = stored("orphan");
    await sweep();
    writeFileSync(blobPath(deps.settings, orphan), "a damaged one");

    expect(await sweep()).toMatchObject({ heldBy: undefined, moved: 0 });

    const texts = filesIn(dataDir).map((path) => readFileSync(path, "utf8"));
    expect(texts.toSorted()).toEqual(["a damaged one", "kept", "orphan"]);
  });

  test("a library without files has nothing to sweep", async () => {
    const audio = { files: 0, bytes: 0, unnamed: 0, unnamedBytes: 0 };
    expect(await sweep()).toEqual({ heldBy: undefined, isNewHold: false, moved: 0, folders: { audio } });
  });

  test("a file in the quarantine comes back once a version names it", async () => {
    addVersion(stored("kept"));
    const [missed, unknown] = [stored("missed"), stored("unknown")];
    await sweep();
    expect(existsSync(blobPath(deps.settings, missed))).toBe(false);
    addVersion(missed);

    expect(bringBack(deps, [audioShelf])).toBe(1);

    expect(readFileSync(blobPath(deps.settings, missed), "utf8")).toBe("missed");
    expect(existsSync(blobPath(deps.settings, unknown))).toBe(false);
  });
});

describe("emptyQuarantine", () => {
  const DAY = 24 * 60 * 60 * 1000;
  const at = Date.UTC(2026, 10, 22, 23, 59);
  const empty = (now: number, olderThanMs?: number) =>
    emptyQuarantine({ ...deps, now: () => now }, [audioShelf], olderThanMs);
  /** One file that no version has, set aside on 22 November. */
  async function setOneAside(): Promise<string> {
    addVersion(stored("kept"));
    const orphan = stored("orphan");
    await sweepUnnamed(deps, [audioShelf]);
    return orphan;
  }

  test("deletes a file when its day has been over for long enough, and its empty folders with it", async () => {
    const orphan = await setOneAside();

    expect(await empty(at + 30 * DAY, 30 * DAY)).toEqual({ deleted: 0, bytes: 0, heldBy: undefined });
    expect(originalsOf(deps.settings).locate(orphan)).toBe(asidePath(orphan));

    expect(await empty(at + 31 * DAY, 30 * DAY)).toEqual({ deleted: 1, bytes: 6, heldBy: undefined });
    expect(originalsOf(deps.settings).locate(orphan)).toBeUndefined();
    expect(readdirSync(join(dataDir, "quarantine"))).toEqual([]);
  });

  test("deletes files of any day when no age is given, but nothing that is not ours", async () => {
    const orphan = await setOneAside();
    writeFileSync(join(asidePath(orphan), "..", "README"), "not of the store's making");

    expect(await empty(at)).toMatchObject({ deleted: 1 });

    expect(filesIn(join(dataDir, "quarantine")).map((path) => basename(path))).toEqual(["README"]);
  });

  test("moves back what a version names again", async () => {
    const orphan = await setOneAside();
    addVersion(orphan);

    expect(await empty(at + 99 * DAY, 30 * DAY)).toMatchObject({ deleted: 0 });

    expect(readFileSync(blobPath(deps.settings, orphan), "utf8")).toBe("orphan");
  });

  test("deletes nothing while removal is held", async () => {
    const orphan = await setOneAside();
    addHold(deps.db, "older_database", {}, 0);

    expect(await empty(at + 99 * DAY)).toEqual({ deleted: 0, bytes: 0, heldBy: "older_database" });
    expect(originalsOf(deps.settings).locate(orphan)).toBe(asidePath(orphan));
  });

  test("deletes nothing while any of two backups runs", async () => {
    const orphan = await setOneAside();
    const backups = [holdRemoval(deps.settings), holdRemoval(deps.settings)];

    for (const backup of backups) {
      expect(await empty(at)).toEqual({ deleted: 0, bytes: 0, heldBy: "backup" });
      expect(originalsOf(deps.settings).locate(orphan)).toBe(asidePath(orphan));
      backup.release();
    }

    expect(await empty(at)).toMatchObject({ deleted: 1 });
  });

  test("a backup that was killed holds nothing", async () => {
    await setOneAside();
    const code = `const { holdRemoval } = await import(${JSON.stringify(REMOVAL)});
      holdRemoval({ dataDir: ${JSON.stringify(dataDir)} });
      console.log("holds");
      await Bun.sleep(60_000);`;
    const backup = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
    await backup.stdout.getReader().read();

    expect(await empty(at)).toMatchObject({ heldBy: "backup" });
    backup.kill("SIGKILL");
    await backup.exited;

    expect(await empty(at)).toMatchObject({ deleted: 1 });
  });
});

describe("sweepTemporary", () => {
  test("deletes what killed processes were receiving, and nothing that is being received", async () => {
    const receiving = await stage(Buffer.from("now"));
    const ended = Bun.spawn([process.execPath, "--version"], { stdout: "ignore" });
    await ended.exited;
    const fromDead = temporary(ended.pid);
    const fromParent = temporary(process.ppid);
    const fromEarlierStart = temporary(process.pid);
    utimesSync(fromEarlierStart, new Date(0), new Date(0));

    expect(await sweepTemporary(deps)).toBe(2);

    expect(existsSync(fromDead)).toBe(false);
    expect(filesIn(dataDir).toSorted()).toEqual([receiving.path, fromParent].toSorted());
  });
});

async function* chunksOf(...chunks: Buffer[]) {
  yield* chunks;
}

function stage(bytes: Buffer): Promise<StagedFile> {
  const cut = Math.floor(bytes.length / 3);
  return stageFile(deps, chunksOf(bytes.subarray(0, cut), bytes.subarray(cut)), { maxBytes: 2 ** 30 });
}

function place(staged: StagedFile): void {
  transact(deps.db, (tx) => originalsOf(deps.settings).place(tx, staged));
}

function temporary(pid: number): string {
  const path = join(dataDir, "tmp", `${pid}-${crypto.randomUUID()}.part`);
  writeFileSync(path, "half a file");
  return path;
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Where a file is that was set aside on the day of these tests. */
function asidePath(hash: string): string {
  return join(dataDir, "quarantine", "2026-11-22", "audio", hash.slice(0, 2), hash.slice(2, 4), hash);
}

/** Puts a file where an upload would have left it; returns its hash. */
function stored(text: string): string {
  const hash = sha256(text).toString("hex");
  const path = blobPath(deps.settings, hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return hash;
}

function addVersion(sha256: string): void {
  trackId ??= addTrack();
  addVersionRow(deps.db, trackId, { versionOrder: ++order, sha256 });
}

function addTrack(): string {
  const account = { id: "usr_1", name: "A", createdAt: 0 };
  deps.db.insert(accounts).values(account).run();
  return addTrackRows(deps.db, account.id).id;
}
