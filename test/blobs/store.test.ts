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
import { dirname, join } from "node:path";
import { openDb, transact } from "../../db/client.ts";
import { accounts, tracks, versions } from "../../db/schema.ts";
import {
  blobPath,
  discardStaged,
  placeBlob,
  removeBlobIfUnreferenced,
  type StagedFile,
  stageFile,
  takeBackBlob,
} from "../../src/blobs/store.ts";
import { sweepBlobs } from "../../src/blobs/sweep.ts";
import { readSettings } from "../../src/config.ts";
import { sha256 } from "../../src/kernel/secrets.ts";

let dataDir: string;
let deps: { db: ReturnType<typeof openDb>; settings: ReturnType<typeof readSettings> };
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "dubplate-blobs-"));
  deps = { db: openDb(":memory:"), settings: readSettings({ DATA_DIR: dataDir }) };
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
    expect(Buffer.from(staged.head)).toEqual(bytes.subarray(0, 65_536));
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

describe("removeBlobIfUnreferenced", () => {
  test("deletes bytes that no version has, and no others", async () => {
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

  test("keeps bytes that were there before, whether or not a row names them", async () => {
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

describe("sweepBlobs", () => {
  test("deletes files without a version and leaves everything else", async () => {
    const kept = await stage(Buffer.from("kept"));
    const orphan = await stage(Buffer.from("orphan"));
    place(kept);
    place(orphan);
    addVersion(kept.sha256);
    const note = join(dataDir, "audio", "README");
    writeFileSync(note, "not of the store's making");

    expect(await sweepBlobs(deps)).toEqual({ removed: 1 });

    expect(filesIn(dataDir).toSorted()).toEqual([blobPath(deps.settings, kept.sha256), note].toSorted());
  });

  test("deletes what killed processes were receiving, and nothing that is being received", async () => {
    const receiving = await stage(Buffer.from("now"));
    const ended = Bun.spawn([process.execPath, "--version"], { stdout: "ignore" });
    await ended.exited;
    const fromDead = temporary(ended.pid);
    const fromParent = temporary(process.ppid);
    const fromEarlierStart = temporary(process.pid);
    utimesSync(fromEarlierStart, new Date(0), new Date(0));

    expect(await sweepBlobs(deps)).toEqual({ removed: 2 });

    expect(existsSync(fromDead)).toBe(false);
    expect(filesIn(dataDir).toSorted()).toEqual([receiving.path, fromParent].toSorted());
  });

  test("finds nothing in a library that has no files yet", async () => {
    expect(await sweepBlobs(deps)).toEqual({ removed: 0 });
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

function addVersion(sha256: string): void {
  const at = 0;
  deps.db
    .insert(accounts)
    .values({ id: "usr_1", email: "a@example.com", name: "A", passwordHash: "-", createdAt: at })
    .run();
  deps.db
    .insert(tracks)
    .values({
      id: "trk_1",
      ownerId: "usr_1",
      name: "a",
      nameFold: "a",
      createdAt: at,
      activeVersionId: "ver_1",
      analysisStatus: "pending",
    })
    .run();
  deps.db
    .insert(versions)
    .values({
      id: "ver_1",
      trackId: "trk_1",
      versionOrder: 0,
      name: "a",
      visible: false,
      sha256,
      sizeBytes: 4,
      mediaType: "audio/wav",
      container: "wav",
      createdAt: at,
    })
    .run();
}
