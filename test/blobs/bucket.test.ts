import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { store, tracks, versions } from "../../db/schema.ts";
import type { Finding } from "../../src/backup/finding.ts";
import { verifyFiles } from "../../src/backup/verify-files.ts";
import { createBucket } from "../../src/blobs/bucket/client.ts";
import { emptyQuarantine } from "../../src/blobs/empty.ts";
import { originalPath } from "../../src/blobs/kept.ts";
import { moveToBucket, moveToDisk } from "../../src/blobs/relocate.ts";
import { holdRemoval, listHolds } from "../../src/blobs/removal.ts";
import { blobPath, originalsOf } from "../../src/blobs/store.ts";
import { sweepUnnamed } from "../../src/blobs/sweep.ts";
import type { BucketSettings } from "../../src/kernel/settings.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { startBucketServer } from "../support/bucket-server.ts";
import { sine, wavBytes } from "../support/signals.ts";

let server: Awaited<ReturnType<typeof startBucketServer>>;
beforeAll(async () => {
  server = await startBucketServer();
});
afterAll(() => server.close());

let settings: BucketSettings;
let app: TestApp;
let api: ReturnType<TestApp["as"]>;
let web: ReturnType<TestApp["signedIn"]>;
beforeEach(async () => {
  settings = server.newBucket();
  app = await createTestApp({ settings: { bucket: settings } });
  app.deps.db
    .insert(store)
    .values({ one: 1, id: "sto_1", generation: 1, secretCheck: Buffer.alloc(32), createdAt: 0 })
    .run();
  const account = app.createAccount();
  api = app.as(app.createKey(account.accountId));
  web = app.signedIn(account.token);
});
afterEach(() => app.close());

const wav = (hz: number) => Buffer.from(wavBytes([sine(8000, 1, hz)], 8000, 16));
const formOf = (bytes: Buffer) => {
  const form = new FormData();
  form.append("files", new File([new Uint8Array(bytes)], "Night Bus.wav"));
  return form;
};

type Uploaded = { id: string; versionId: string; sha256: string; url: string };

async function upload(bytes: Buffer): Promise<Uploaded> {
  const { status, body } = await api("POST", "/tracks/upload", formOf(bytes));
  expect(status).toBe(200);
  const { id } = body.data.uploaded[0];
  const { body: listed } = await api("GET", `/tracks/${id}/versions`);
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const [version] = listed.data.versions;
  return { id, versionId: version.id, sha256, url: version.downloadUrl };
}

const objects = async () => await Array.fromAsync(originalsOf(app.deps.settings).listRemote());
const hashes = async () => (await objects()).map(({ sha256 }) => sha256);
const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile())
    : [];
const put = async (text: string) => {
  const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  await createBucket(settings).putText(originalPath(sha256), text);
  return sha256;
};

describe("an original in a bucket", () => {
  test("is stored under its hash, and served whole, in parts and as a head", async () => {
    const bytes = wav(440);

    const { sha256, url } = await upload(bytes);

    expect(await objects()).toEqual([{ sha256, sizeBytes: bytes.length }]);
    expect(filesIn(join(app.deps.settings.dataDir, "audio"))).toEqual([]);
    expect(filesIn(join(app.deps.settings.dataDir, "tmp"))).toEqual([]);
    const whole = await app.request(url);
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    const part = await app.request(url, { headers: { range: "bytes=100-199" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const head = await app.request(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    const wrong = await app.request(url, { headers: { range: "bytes=99999999-" } });
    expect(wrong.status).toBe(416);
  });

  test("is served with its notes as cue points, from where it is", async () => {
    const bytes = wav(440);
    const { id, versionId } = await upload(bytes);
    await api("POST", `/tracks/${id}/comments`, { text: "Kick", positionSec: 0.5 });
    const account = app.createKey(String(app.deps.db.select().from(tracks).get()?.ownerId));

    const notes = await app.request(`/api/v1/tracks/${id}/versions/${versionId}/notes?format=wav`, {
      headers: { "x-api-key": account },
    });
    const copy = Buffer.from(await notes.arrayBuffer());

    expect(notes.headers.get("content-length")).toBe(String(copy.length));
    expect(copy.subarray(8, bytes.length)).toEqual(bytes.subarray(8));
    expect(copy.includes("Someone: Kick\0")).toBe(true);
    expect(filesIn(join(app.deps.settings.dataDir, "audio"))).toEqual([]);
  });

  test("is analysed and transcoded from a copy that does not stay", async () => {
    await upload(wav(440));

    await app.drainJobs();

    expect(app.deps.db.select().from(tracks).get()?.analysisStatus).toBe("completed");
    expect(filesIn(join(app.deps.settings.dataDir, "tmp"))).toEqual([]);
    expect(filesIn(join(app.deps.settings.dataDir, "audio"))).toEqual([]);
  });

  test("is one object for the same bytes", async () => {
    await upload(wav(440));
    await upload(wav(440));

    expect(await objects()).toHaveLength(1);
  });

  test("an original that is missing is refused clearly", async () => {
    const { sha256, url } = await upload(wav(440));
    await createBucket(settings).delete(originalPath(sha256));

    const response = await app.request(url);

    expect([response.status, ((await response.json()) as { messageCode: string }).messageCode]).toEqual([
      500,
      "file_missing",
    ]);
  });

  test("an original that is missing is left out of an archive", async () => {
    const [gone, kept] = [await upload(wav(440)), await upload(wav(550))];
    await createBucket(settings).delete(originalPath(gone.sha256));

    const { body } = await web("POST", "/app/tracks/download", { where: { ids: [gone.id, kept.id] } });

    expect(body.data).toMatchObject({ files: 1, missing: 1 });
  });

  test("an original of another size is replaced by the good bytes", async () => {
    const bytes = wav(440);
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    await createBucket(settings).putText(originalPath(sha256), "half");

    await upload(bytes);

    expect(await objects()).toEqual([{ sha256, sizeBytes: bytes.length }]);
  });

  test("is fetched from the bucket itself where redirects are on", async () => {
    await app.close();
    settings = server.newBucket({ isRedirected: true });
    app = await createTestApp({ settings: { bucket: settings } });
    api = app.as(app.createKey(app.createAccount().accountId));
    const bytes = wav(440);
    const { url } = await upload(bytes);

    const answer = await app.request(url);
    const inPage = await app.request(url, { headers: { "sec-fetch-dest": "audio" } });

    expect(answer.status).toBe(302);
    const direct = await fetch(answer.headers.get("location") ?? "", { headers: { range: "bytes=0-9" } });
    expect(direct.status).toBe(206);
    expect(direct.headers.get("content-type")).toBe("audio/wav");
    expect(direct.headers.get("content-disposition")).toStartWith("attachment");
    expect(Buffer.from(await direct.arrayBuffer())).toEqual(bytes.subarray(0, 10));
    expect(inPage.status).toBe(200);
    await inPage.arrayBuffer();
  });
});

describe("while the service is down", () => {
  test("a server without its bucket acknowledges nothing, says when to come back, and goes on afterwards", async () => {
    const { url } = await upload(wav(440));
    const rows = () => app.deps.db.select().from(versions).all().length;

    await server.stop();
    const refused = await api("POST", "/tracks/upload", formOf(wav(550)));
    const unread = await app.request(url);
    const listed = await api("GET", "/tracks");
    await server.start();

    expect([refused.status, refused.body.messageCode, rows()]).toEqual([503, "storage_unavailable", 1]);
    expect([unread.status, unread.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(listed.status).toBe(200);
    expect(filesIn(join(app.deps.settings.dataDir, "tmp"))).toEqual([]);
    await upload(wav(550));
    const read = await app.request(url);
    expect(read.status).toBe(200);
    await read.arrayBuffer();
  });
});

describe("removal", () => {
  const wait = (days: number) => app.clock.advance(days * DAY_MS);
  const empty = (days?: number) =>
    emptyQuarantine(app.deps, [], days === undefined ? undefined : days * DAY_MS);
  const erase = async ({ id, versionId }: Uploaded) => {
    const body = new FormData();
    body.append("file", new File([new Uint8Array(wav(990))], "other.wav"));
    await api("POST", `/tracks/${id}/versions`, body);
    expect((await api("DELETE", `/tracks/${id}/versions/${versionId}`)).status).toBe(200);
  };

  test("the original of a deleted version waits for the days of the quarantine, and for backups", async () => {
    const track = await upload(wav(440));
    await erase(track);

    expect(await empty(30)).toMatchObject({ deleted: 0 });
    wait(30);
    const hold = holdRemoval(app.deps.settings);
    expect(await empty(30)).toMatchObject({ deleted: 0, heldBy: "backup" });
    hold.release();
    expect(await empty(30)).toMatchObject({ deleted: 1, bytes: wav(440).length });
    expect(await hashes()).not.toContain(track.sha256);
  });

  test("an original that came again is not removed", async () => {
    const track = await upload(wav(440));
    await erase(track);
    await upload(wav(440));
    wait(60);

    expect(await empty()).toMatchObject({ deleted: 0 });
    expect(await hashes()).toContain(track.sha256);
  });

  test("a removal under way lets no row name its object, and does not outlive a killed process for long", async () => {
    const bytes = wav(440);
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const begin = "INSERT INTO bucket_removals (sha256, since, deleting_at) VALUES (?, 1, ?)";
    app.deps.db.$client.query(begin).run(sha256, app.clock.now());

    const refused = await api("POST", "/tracks/upload", formOf(bytes));
    app.clock.advance(DAY_MS);

    expect([refused.status, refused.body.messageCode]).toEqual([503, "storage_unavailable"]);
    await upload(bytes);
  });

  test("an object that no row names is noted, not deleted; many are held", async () => {
    const { sha256 } = await upload(wav(440));
    const lost = await put("lost");

    expect(await sweepUnnamed(app.deps, [])).toMatchObject({ heldBy: undefined, moved: 1 });
    expect(originalsOf(app.deps.settings).listLeaving(app.deps.db)).toEqual([
      { sha256: lost, since: app.clock.now() },
    ]);
    for (let n = 0; n < 21; n++) await put(`lost ${n}`);
    expect(await sweepUnnamed(app.deps, [])).toMatchObject({ heldBy: "mass_removal", moved: 0 });
    wait(60);
    expect(await empty(30)).toMatchObject({ deleted: 0, heldBy: "mass_removal" });
    expect(await hashes()).toEqual(expect.arrayContaining([sha256, lost]));
  });

  test("a removal stops when a newer server has used the bucket", async () => {
    await erase(await upload(wav(440)));
    await createBucket(settings).putText("store.json", JSON.stringify({ id: "sto_1", generation: 2 }));
    wait(60);

    expect(await empty(30)).toMatchObject({ deleted: 0, heldBy: "older_database" });
    expect(listHolds(app.deps.db).map(({ reason }) => reason)).toEqual(["older_database"]);
  });
});

test("a bucket of another library is refused before anything is written to it", async () => {
  await createBucket(settings).putText("store.json", JSON.stringify({ id: "sto_2", generation: 1 }));

  const form = formOf(wav(440));

  const { status } = await api("POST", "/tracks/upload", form);
  expect(status).toBe(500);
  expect(await objects()).toEqual([]);
});

describe("verify and moving", () => {
  const findings = async () => {
    const found: Finding[] = [];
    await verifyFiles({
      dataDir: app.deps.settings.dataDir,
      originals: originalsOf(app.deps.settings),
      db: app.deps.db,
      hash: true,
      report: (finding) => void found.push(finding),
      read: () => undefined,
    });
    return found.map(({ kind, path }) => [kind, path]);
  };

  test("finds a missing, a damaged and a cut object, and one that no row names", async () => {
    const [missing, damaged, cut] = [await upload(wav(440)), await upload(wav(550)), await upload(wav(660))];
    expect(await findings()).toEqual([]);
    const bucket = createBucket(settings);
    await bucket.delete(originalPath(missing.sha256));
    await bucket.putText(originalPath(damaged.sha256), "x".repeat(wav(550).length));
    await bucket.putText(originalPath(cut.sha256), "x");

    const found = await findings();

    expect(found.sort()).toEqual(
      [
        ["missing", originalPath(missing.sha256)],
        ["damaged", originalPath(damaged.sha256)],
        ["damaged", originalPath(cut.sha256)],
      ].sort(),
    );
  });

  test("a library moves to the disk and back, and is served all the while", async () => {
    const bytes = wav(440);
    const { sha256, url } = await upload(bytes);
    const path = blobPath(app.deps.settings, sha256);
    const bytesOf = async () => Buffer.from(await (await app.request(url)).arrayBuffer());

    expect(await moveToDisk(app.deps)).toEqual({ files: 1, bytes: bytes.length, faulty: [] });
    expect(existsSync(path)).toBe(true);
    await createBucket(settings).delete(originalPath(sha256));
    expect(await bytesOf()).toEqual(bytes);
    expect(await moveToBucket(app.deps)).toEqual({ files: 1, bytes: bytes.length, faulty: [] });
    expect(existsSync(path)).toBe(false);
    expect(await bytesOf()).toEqual(bytes);
    expect(await findings()).toEqual([]);
  });

  test("a damaged file is not moved", async () => {
    const { sha256 } = await upload(wav(440));
    await moveToDisk(app.deps);
    const path = blobPath(app.deps.settings, sha256);
    rmSync(path);
    writeFileSync(path, "x");

    expect(await moveToBucket(app.deps)).toEqual({ files: 0, bytes: 0, faulty: [sha256] });
    expect(existsSync(path)).toBe(true);
  });

  test("an account leaves nothing when it is erased", async () => {
    const { sha256 } = await upload(wav(440));
    const originals = originalsOf(app.deps.settings);
    transact(app.deps.db, (tx) => tx.delete(versions).run());
    transact(app.deps.db, (tx) => originals.erase(tx, sha256));

    expect(await originals.emptyRemote(app.deps, Number.POSITIVE_INFINITY)).toMatchObject({ deleted: 1 });
    expect(await objects()).toEqual([]);
  });
});
