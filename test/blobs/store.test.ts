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
import { openDb, transact } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { bringBack } from "../../src/blobs/quarantine.ts";
import {
  audioShelf,
  blobPath,
  discardStaged,
  placeBlob,
  removeBlobIfUnreferenced,
  type StagedFile,
  stageFile,
  takeBackBlob,
} from "../../src/blobs/store.ts";
import { sweepTemporary, sweepUnnamed } from "../../src/blobs/sweep.ts";
import { readSettings } from "../../src/config.ts";
import { HEAD_BYTES } from "../../src/kernel/files.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let dataDir: string;
let deps: { db: ReturnType<typeof openDb>; now: () => number; settings: ReturnType<typeof readSettings> };
/** Id of the track that has all versions of a test. */
let trackId: string | undefined;
let order = 0;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "dubplate-blobs-"));
  trackId = undefined;
  const now = () => Date.UTC(2026, 10, 22, 23, 59);
  deps = { db: openDb(":memory:"), now, settings: readSettings({ DATA_DIR: dataDir }) };
});
afterEach(() => {
  deps.db.$client.close();
  rmSync(dataDir, { recursive: true });
});

describe("stageFile", () => {
  test("stores every byte, and returns the hash and the beginning", async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 251));

    const staged = await stage(bytes);

    expect(readFileSync(staged.path)).toEqual(bytes);
    expect(staged.sizeBytes).toBe(200_000);
    expect(staged.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
    expect(Buffer.from(staged.head)).toEqual(bytes.subarray(0, HEAD_BYTES));
  });

  test("stores more bytes than one flush writes", async () => {
    const chunk = Buffer.alloc(1 << 20, "abc");

    const staged = await stageFile(deps, chunksOf(...Array.from({ length: 70 }, () => chunk)), {
      maxBytes: 2 ** 30,
    });

    expect(staged.sizeBytes).toBe(70 << 20);
    expect(new Bun.CryptoHasher("sha256").update(readFileSync(staged.path)).digest("hex")).toBe(
      staged.sha256,
    );
  });

  test("accepts an empty file", async () => {
    expect(await stage(Buffer.alloc(0))).toMatchObject({
      sizeBytes: 0,
      sha256: sha256("").toString("hex"),
      head: new Uint8Array(0),
    });
  });

  test("accepts a file of exactly the limit, and refuses one byte more and leaves nothing", async () => {
    const exact = await stageFile(deps, chunksOf(Buffer.alloc(10)), { maxBytes: 10 });
    await discardStaged(exact);

    const refused = stageFile(deps, chunksOf(Buffer.alloc(6), Buffer.alloc(5)), { maxBytes: 10 });

    await expect(refused).rejects.toMatchObject({ code: "file_too_large" });
    expect(filesIn(dataDir)).toEqual([]);
  });

  test("leaves nothing when the stream breaks, and passes on its error", async () => {
    async function* broken() {
      yield Buffer.alloc(100_000);
      throw new Error("the client has gone");
    }

    const refused = stageFile(deps, broken(), { maxBytes: 2 ** 30 });

    await expect(refused).rejects.toThrow("the client has gone");
    expect(filesIn(dataDir)).toEqual([]);
  });
});

describe("placeBlob", () => {
  test("moves a file to the address of its content", async () => {
    const staged = await stage(Buffer.from("take one"));

    place(staged);

    expect(blobPath(deps.settings, staged.sha256)).toBe(
      join(dataDir, "audio", staged.sha256.slice(0, 2), staged.sha256.slice(2, 4), staged.sha256),
    );
    expect(readFileSync(blobPath(deps.settings, staged.sha256), "utf8")).toBe("take one");
    expect(filesIn(dataDir)).toHaveLength(1);
  });

  test("stores the same bytes once", async () => {
    const first = await stage(Buffer.from("take one"));
    const second = await stage(Buffer.from("take one"));

    place(first);
    place(second);
    await Promise.all([first, second].map(discardStaged));

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, first.sha256)]);
  });

  test("replaces a damaged file with the good bytes", async () => {
    const staged = await stage(Buffer.from("take one"));
    const path = blobPath(deps.settings, staged.sha256);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "take");

    place(staged);

    expect(readFileSync(path, "utf8")).toBe("take one");
  });

  test("accepts only a hash as an address", () => {
    expect(() => blobPath(deps.settings, "../../../etc/passwd")).toThrow(RangeError);
  });
});

describe("removeBlobIfUnreferenced", () => {
  test("deletes only bytes that no version uses", async () => {
    const kept = await stage(Buffer.from("kept"));
    const orphan = await stage(Buffer.from("orphan"));
    place(kept);
    place(orphan);
    addVersion(kept.sha256);

    transact(deps.db, (tx) => {
      removeBlobIfUnreferenced(tx, deps.settings, kept.sha256);
      removeBlobIfUnreferenced(tx, deps.settings, orphan.sha256);
    });

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, kept.sha256)]);
  });
});

describe("takeBackBlob", () => {
  test("deletes what a failed transaction placed", async () => {
    const staged = await stage(Buffer.from("take one"));
    place(staged);

    takeBack(staged);

    expect(filesIn(dataDir)).toEqual([]);
  });

  test("keeps bytes that were already there, with or without a row", async () => {
    const earlier = await stage(Buffer.from("take one"));
    place(earlier);
    const again = await stage(Buffer.from("take one"));
    place(again);

    takeBack(again);
    await discardStaged(again);

    expect(filesIn(dataDir)).toEqual([blobPath(deps.settings, earlier.sha256)]);
  });

  const takeBack = (staged: StagedFile) => transact(deps.db, (tx) => takeBackBlob(tx, deps.settings, staged));
});

describe("sweepUnnamed", () => {
  const sweep = () => sweepUnnamed(deps, [audioShelf]);

  test("moves files without a version to the day's folder, and nothing else", async () => {
    const kept = stored("kept");
    const orphan = stored("orphan");
    addVersion(kept);
    const note = join(dataDir, "audio", "README");
    writeFileSync(note, "not of the store's making");

    const swept = await sweep();

    expect(swept).toEqual({ isHeld: false, moved: 1, folders: { audio: { files: 2, unnamed: 1 } } });
    const aside = join(dataDir, "quarantine", "2026-11-22", "audio", orphan.slice(0, 2), orphan.slice(2, 4));
    expect(filesIn(dataDir).toSorted()).toEqual(
      [blobPath(deps.settings, kept), note, join(aside, orphan)].toSorted(),
    );
  });

  test.each([
    ["20 files, however few are left", 1, 20, false],
    ["21 files of 100", 79, 21, true],
    ["21 files of 419", 398, 21, true],
    ["21 files of 420, which is 5 %", 399, 21, false],
    ["a single file without any versions", 0, 1, true],
  ])("with %s", async (_, named, unnamed, isHeld) => {
    for (let n = 0; n < named; n++) addVersion(stored(`named ${n}`));
    for (let n = 0; n < unnamed; n++) stored(`unnamed ${n}`);
    const before = filesIn(dataDir);

    const swept = await sweep();

    expect(swept).toMatchObject({ isHeld, moved: isHeld ? 0 : unnamed });
    const after = filesIn(dataDir);
    expect(after.map((path) => basename(path)).toSorted()).toEqual(
      before.map((path) => basename(path)).toSorted(),
    );
    expect(after.filter((path) => path.includes("quarantine"))).toHaveLength(isHeld ? 0 : unnamed);
  });

  test("keeps both if the day's folder has other bytes under the same name", async () => {
    addVersion(stored("kept"));
    const orphan = stored("orphan");
    await sweep();
    writeFileSync(blobPath(deps.settings, orphan), "a damaged one");

    expect(await sweep()).toMatchObject({ isHeld: false, moved: 0 });

    const texts = filesIn(dataDir).map((path) => readFileSync(path, "utf8"));
    expect(texts.toSorted()).toEqual(["a damaged one", "kept", "orphan"]);
  });

  test("finds nothing in a library without files", async () => {
    expect(await sweep()).toEqual({ isHeld: false, moved: 0, folders: { audio: { files: 0, unnamed: 0 } } });
  });

  test("brings back a file once a version names it again", async () => {
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

describe("sweepTemporary", () => {
  test("deletes files left by killed processes, but none that are being received", async () => {
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
  transact(deps.db, () => placeBlob(deps.settings, staged));
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

/** Stores a file as an upload would, and returns its hash. */
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
  const account = { id: "usr_1", email: "a@example.com", name: "A", passwordHash: "-", createdAt: 0 };
  deps.db.insert(accounts).values(account).run();
  return addTrackRows(deps.db, account.id).id;
}
