import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { analyses, renditions, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { downloadUrl, playbackUrl } from "../../src/modules/library/files/service.ts";
import { neededEncodings } from "../../src/modules/library/renditions/need.ts";
import { recoverRenditions, requestRendition } from "../../src/modules/library/renditions/service.ts";
import { transcodeHandler } from "../../src/modules/library/renditions/transcode.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { chordProgression, sine, wavBytes } from "../support/signals.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH);
const RATE_HZ = 44_100;
const SECONDS = 4;
const tone = (hz: number) => wavBytes([sine(RATE_HZ, SECONDS, hz)], RATE_HZ, 16);
const WAV = tone(440);
const fixture = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await Bun.file(join(import.meta.dir, "../fixtures", name)).arrayBuffer());

describe("an original is played as it is", () => {
  const light = { container: "mp3", codec: "MPEG 1 Layer 3", lossless: false, bitrateBps: 320_000 };

  test.each([
    ["an MP3 of the best quality", light],
    ["AAC", { container: "mp4", codec: "MPEG-4/AAC", lossless: false, bitrateBps: 256_000 }],
    ["AAC without details", { container: "adts", codec: null, lossless: null, bitrateBps: null }],
  ])("an original needs no copy when it is %s", (_, sound) => {
    expect(neededEncodings(sound)).toEqual([]);
  });

  test.each([
    ["Opus", { container: "ogg", codec: "Opus", lossless: false, bitrateBps: 160_000 }],
    ["Vorbis", { container: "ogg", codec: "Vorbis I", lossless: false, bitrateBps: 192_000 }],
  ])("an original is copied as AAC, for older Safari, when it is %s", (_, sound) => {
    expect(neededEncodings(sound)).toEqual(["aac"]);
  });

  test.each([
    ["WAV", { container: "wav", codec: "PCM", lossless: true, bitrateBps: 1_411_000 }],
    ["FLAC", { container: "flac", codec: "FLAC", lossless: true, bitrateBps: 300_000 }],
    ["FLAC in Ogg", { container: "ogg", codec: "FLAC", lossless: true, bitrateBps: 300_000 }],
    ["Apple Lossless", { container: "mp4", codec: "ALAC", lossless: true, bitrateBps: 300_000 }],
    ["AIFF", { container: "aiff", codec: "PCM", lossless: true, bitrateBps: 64_000 }],
    ["Wave64", { container: "w64", codec: null, lossless: null, bitrateBps: null }],
    ["CAF", { container: "caf", codec: null, lossless: false, bitrateBps: 128_000 }],
    ["MP2", { ...light, codec: "MPEG 1 Layer 2" }],
    ["an MP3 with a gigabyte of padding", { ...light, bitrateBps: 2_000_000 }],
  ])("an original is copied as Opus and as AAC when it is %s", (_, sound) => {
    expect(neededEncodings(sound)).toEqual(["opus", "aac"]);
  });
});

describe.skipIf(!FFMPEG)("with ffmpeg", () => {
  let app: TestApp;
  let key: string;
  beforeEach(async () => {
    await open(FFMPEG?.path);
  });
  afterEach(() => app.close());

  async function open(ffmpegPath: string | undefined): Promise<void> {
    app = await createTestApp(ffmpegPath === undefined ? {} : { ffmpegPath });
    key = app.createKey(app.createAccount().accountId);
  }

  async function upload(bytes: Uint8Array<ArrayBuffer>, name = "Night Bus.wav"): Promise<string> {
    const form = new FormData();
    form.append("files", new File([bytes], name));
    return (await app.as(key)("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  }

  async function addVersion(
    trackId: string,
    bytes: Uint8Array<ArrayBuffer>,
    fields: Record<string, string>,
  ): Promise<Json> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", new File([bytes], "two.wav"));
    return (await app.as(key)("POST", `/tracks/${trackId}/versions`, form)).body.data;
  }

  const rows = () => app.deps.db.select().from(renditions).all();
  const versionsOf = (trackId: string) =>
    app.deps.db.select().from(versions).where(eq(versions.trackId, trackId)).all();
  function versionOf(trackId: string, index = 0): typeof versions.$inferSelect {
    const row = versionsOf(trackId)[index];
    if (!row) throw new Error("no such version");
    return row;
  }
  const folder = () => join(app.deps.settings.dataDir, "renditions");
  const files = () => (existsSync(folder()) ? readdirSync(folder()) : []);
  const temporaryFiles = () => readdirSync(join(app.deps.settings.dataDir, "tmp"));

  test("a lossless upload gets a small copy that browsers play, and is not changed", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();

    const version = versionOf(trackId);
    expect(rows()).toMatchObject([
      { sha256: version.sha256, encoding: "opus" },
      { sha256: version.sha256, encoding: "aac" },
    ]);
    expect(files().sort()).toEqual([`${version.sha256}.m4a`, `${version.sha256}.ogg`]);
    expect(temporaryFiles()).toEqual([]);
    const response = await app.request(playbackUrl(app.deps, version));
    const bytes = await response.bytes();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/ogg"]);
    expect(bytes.length).toBe(Number(rows()[0]?.sizeBytes));
    // 128 kbit/s, less than a tenth of the WAV.
    expect((bytes.length * 8) / SECONDS).toBeWithin(40_000, 170_000);
    expect(String.fromCharCode(...bytes.slice(0, 4), ...bytes.slice(28, 36))).toBe("OggSOpusHead");
    const original = await app.request(downloadUrl(app.deps, version));
    expect(new Uint8Array(await original.arrayBuffer())).toEqual(new Uint8Array(WAV));
  });

  test("the copy sounds like the original and is as long", async () => {
    const chords = chordProgression(22_050, 8, { tonic: 9, minor: true });
    const trackId = await upload(wavBytes([chords], 22_050, 16));
    await app.drainJobs();
    const copy = await (await app.request(playbackUrl(app.deps, versionOf(trackId)))).arrayBuffer();

    const again = await upload(new Uint8Array(copy), "copy.ogg");
    await app.drainJobs();

    const { body } = await app.as(key)("GET", `/tracks/single?id=${again}`);
    expect(body.data.track.audio_profile.key).toBe("A minor");
    expect(body.data.track.audio_profile.durationSec).toBeCloseTo(8, 1);
    // Opus is small: it gets no copy except for browsers that cannot play it.
    expect(rows().map(({ encoding }) => encoding)).toEqual(["opus", "aac", "aac"]);
  });

  test("a player can request ranges of it, and nothing else with its link", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const url = playbackUrl(app.deps, versionOf(trackId));
    const whole = await (await app.request(url)).bytes();

    const part = await app.request(url, { headers: { range: "bytes=100-299" } });
    const outside = await app.request(url, { headers: { range: `bytes=${whole.length}-` } });
    const head = await app.request(url, { method: "HEAD" });
    const unchanged = await app.request(url, {
      headers: { "if-none-match": head.headers.get("etag") ?? "" },
    });
    const original = await app.request(url.replace("/renditions", ""));
    const forged = await app.request(url.replace(/signature=.*/, "signature=AAAA"));

    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-299/${whole.length}`]);
    expect(await part.bytes()).toEqual(whole.slice(100, 300));
    expect([outside.status, head.status, unchanged.status]).toEqual([416, 200, 304]);
    expect([original.status, forged.status]).toEqual([403, 403]);
    const download = downloadUrl(app.deps, { ...versionOf(trackId), name: "Night Bus.ogg" });
    expect((await app.request(download.replace("/media/", "/media/renditions/"))).status).toBe(403);
    app.clock.advance(3_600_000);
    expect((await app.request(url)).status).toBe(403);
  });

  test.each([["tone.mp3"], ["tone-aac.m4a"]])(
    "a small, playable upload (%s) is played as it is",
    async (name) => {
      const trackId = await upload(await fixture(name), name);
      await app.drainJobs();

      expect(app.deps.db.select().from(analyses).all()).toHaveLength(1);
      expect([rows(), files()]).toEqual([[], []]);
      const version = versionOf(trackId);
      expect(playbackUrl(app.deps, version)).toBe(downloadUrl(app.deps, version));
    },
  );

  test.each([["tone.flac"], ["tone.aiff"], ["tone-alac.m4a"]])("%s gets a copy", async (name) => {
    await upload(await fixture(name), name);
    await app.drainJobs();

    expect(rows()).toHaveLength(2);
  });

  test.each([["tone.ogg"], ["tone.opus"]])(
    "%s is played as it is, and as AAC in browsers that cannot play it",
    async (name) => {
      const bytes = await fixture(name);
      const trackId = await upload(bytes, name);
      await app.drainJobs();
      const url = playbackUrl(app.deps, versionOf(trackId));

      const modern = await app.request(url, {
        headers: { accept: "audio/webm,audio/ogg,audio/*;q=0.9,*/*;q=0.5" },
      });
      const older = await app.request(url, { headers: { accept: "audio/mp4" } });

      expect(modern.headers.get("content-type")).toBe("audio/ogg");
      expect(await modern.bytes()).toEqual(new Uint8Array(bytes));
      expect(older.headers.get("content-type")).toBe("audio/mp4");
      expect(older.headers.get("content-disposition")).toContain("tone.m4a");
      expect(rows().map(({ encoding }) => encoding)).toEqual(["aac"]);
    },
  );

  test("Safari and iPhones get AAC in an MP4 that starts at once", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const url = playbackUrl(app.deps, versionOf(trackId));

    const safari = await app.request(url, { headers: { accept: "audio/mp4,audio/*;q=0.5" } });
    // The headers that an iPhone sends for any media.
    const iphone = {
      "user-agent": "AppleCoreMedia/1.0.0.21E236 (iPhone; U; CPU OS 17_4 like Mac OS X; en_us)",
    };
    const part = await app.request(url, { headers: { ...iphone, accept: "*/*", range: "bytes=0-1" } });
    const anyone = await app.request(url, { headers: { accept: "*/*" } });

    const bytes = await safari.bytes();
    const text = Buffer.from(bytes).toString("latin1");
    expect(safari.headers.get("content-type")).toBe("audio/mp4");
    expect(text.slice(4, 12)).toBe("ftypM4A ");
    expect(text).toContain("mp4a");
    expect(text.indexOf("moov")).toBeLessThan(text.indexOf("mdat"));
    expect([part.status, part.headers.get("content-type")]).toEqual([206, "audio/mp4"]);
    expect(part.headers.get("content-range")).toBe(`bytes 0-1/${bytes.length}`);
    expect(anyone.headers.get("content-type")).toBe("audio/ogg");
    expect(anyone.headers.get("etag")).not.toBe(safari.headers.get("etag"));
    // At most 160 kbit/s for a sine.
    expect((bytes.length * 8) / SECONDS).toBeWithin(20_000, 200_000);
  });

  test("an older library gets the second copy at the next start", async () => {
    await upload(WAV);
    await app.drainJobs();
    app.deps.db.delete(renditions).where(eq(renditions.encoding, "aac")).run();
    for (const name of files()) if (name.endsWith(".m4a")) rmSync(join(folder(), name));

    expect(await recoverRenditions(app.deps)).toBe(1);
    await app.drainJobs();

    expect(rows().map(({ encoding }) => encoding)).toEqual(["opus", "aac"]);
  });

  test("a version gets its copy when it becomes the active one, without an analysis", async () => {
    const trackId = await upload(await fixture("tone.mp3"), "one.mp3");
    const second = await addVersion(trackId, tone(550), { activate: "false" });
    const third = await addVersion(trackId, await fixture("tone.ogg"), { activate: "false" });
    await app.drainJobs();
    expect(rows()).toEqual([]);

    for (const { id } of [third, second]) {
      await app.as(key)("POST", `/tracks/${trackId}/versions/${id}/activate`);
      await app.drainJobs();
    }

    expect(rows().map(({ sha256, encoding }) => [sha256, encoding])).toEqual([
      [versionOf(trackId, 2).sha256, "aac"],
      [versionOf(trackId, 1).sha256, "opus"],
      [versionOf(trackId, 1).sha256, "aac"],
    ]);
    expect(app.deps.db.select().from(analyses).all()).toHaveLength(1);
  });

  test("requesting it twice makes one copy", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const { sha256 } = versionOf(trackId);
    const before = rows();
    app.clock.advance(1000);

    transact(app.deps.db, (tx) => requestRendition(tx, app.deps, sha256, app.clock.now()));
    await app.drainJobs();

    expect(rows()).toEqual(before);
  });

  test("the copy is deleted with the last version that uses the original", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const again = await addVersion(trackId, WAV, { activate: "true" });
    const other = await addVersion(trackId, await fixture("tone.mp3"), { activate: "true" });
    await app.drainJobs();
    const link = playbackUrl(app.deps, versionOf(trackId));
    const remove = (id: string) => app.as(key)("DELETE", `/tracks/${trackId}/versions/${id}`);

    await remove(again.id);
    expect([rows().length, files().length]).toEqual([2, 2]);
    const sha256 = versionOf(trackId).sha256;
    await remove(versionOf(trackId).id);

    expect([rows(), files()]).toEqual([[], []]);
    expect(existsSync(blobPath(app.deps.settings, sha256))).toBe(false);
    expect(versionsOf(trackId).map(({ id }) => id)).toEqual([other.id]);
    expect((await app.request(link)).status).toBe(404);
  });

  test("a version deleted while its copy is made leaves no file", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const { sha256 } = versionOf(trackId);
    app.deps.db.delete(renditions).run();
    rmSync(folder(), { recursive: true });
    const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: false };

    const making = transcodeHandler(app.deps)({ sha256 }, run);
    app.deps.db.delete(versions).run();
    await making;

    expect([rows(), files(), temporaryFiles()]).toEqual([[], [], []]);
  });

  test("a stop in the middle leaves no file, and the job stays queued", async () => {
    const trackId = await upload(WAV);
    await app.drainJobs();
    const { sha256 } = versionOf(trackId);
    app.deps.db.delete(renditions).run();
    rmSync(folder(), { recursive: true });
    const stop = new AbortController();
    const run = { signal: stop.signal, attempt: 1, isLastAttempt: false };

    const making = transcodeHandler(app.deps)({ sha256 }, run);
    stop.abort(new DOMException("The program stops", "AbortError"));

    expect(await making.catch((error: Error) => error.name)).toBe("AbortError");
    expect([rows(), files(), temporaryFiles()]).toEqual([[], [], []]);
  });

  test("the original is played if ffmpeg fails on the file, and the log says so", async () => {
    await app.close();
    await open(undefined);
    const ffmpegPath = join(app.deps.settings.dataDir, "ffmpeg");
    writeFileSync(
      ffmpegPath,
      "#!/bin/sh\nprintf 'OggS and no more'\necho 'Invalid data found' >&2\nexit 1\n",
    );
    chmodSync(ffmpegPath, 0o755);
    const trackId = await upload(WAV);
    await app.drainJobs();
    const version = versionOf(trackId);
    const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: false };

    await transcodeHandler({ ...app.deps, ffmpegPath })({ sha256: version.sha256 }, run);

    expect([rows(), files(), temporaryFiles()]).toEqual([[], [], []]);
    expect(app.logged.map(({ message }) => message)).toContain(
      "No rendition could be made; the original is played instead",
    );
    expect(playbackUrl(app.deps, version)).toBe(downloadUrl(app.deps, version));
  });

  test("a copy is not queued without ffmpeg, and is made once ffmpeg is installed", async () => {
    await app.close();
    await open(undefined);
    const trackId = await upload(WAV);
    await upload(await fixture("tone.mp3"), "light.mp3");
    await app.drainJobs();
    const version = versionOf(trackId);
    expect(await recoverRenditions(app.deps)).toBe(0);
    expect(playbackUrl(app.deps, version)).toBe(downloadUrl(app.deps, version));

    const withFfmpeg = { ...app.deps, ffmpegPath: FFMPEG?.path };
    expect(await recoverRenditions(withFfmpeg)).toBe(1);
    const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: false };
    await transcodeHandler(withFfmpeg)({ sha256: version.sha256 }, run);

    expect(rows()).toHaveLength(2);
    expect(await recoverRenditions(withFfmpeg)).toBe(0);
  });

  test("a start cleans up after a crash", async () => {
    const kept = await upload(WAV);
    await upload(tone(550));
    await upload(tone(660));
    await app.drainJobs();
    const [, lost, cut] = app.deps.db.select().from(versions).all();
    rmSync(join(folder(), `${lost?.sha256}.ogg`));
    writeFileSync(join(folder(), `${cut?.sha256}.ogg`), "half");
    insertUnused(app.deps.db, "cd".repeat(32));

    const promised = await recoverRenditions(app.deps);
    await app.drainJobs();

    expect(promised).toBe(2);
    const originals = app.deps.db.select().from(versions).all();
    expect(new Set(files())).toEqual(
      new Set(originals.flatMap(({ sha256 }) => [`${sha256}.ogg`, `${sha256}.m4a`])),
    );
    expect(new Set(rows().map(({ sha256 }) => sha256))).toEqual(
      new Set(originals.map(({ sha256 }) => sha256)),
    );
    expect((await app.request(playbackUrl(app.deps, versionOf(kept)))).status).toBe(200);
  });

  test("a stop ends the search for missing copies, and the next start goes on with it", async () => {
    await app.close();
    await open(undefined);
    await upload(WAV);
    await app.drainJobs();
    const withFfmpeg = { ...app.deps, ffmpegPath: FFMPEG?.path };

    expect(await recoverRenditions(withFfmpeg, AbortSignal.abort())).toBe(0);
    expect(await recoverRenditions(withFfmpeg)).toBe(1);
  });

  function insertUnused(db: Db, sha256: string): void {
    db.insert(renditions).values({ sha256, encoding: "opus", sizeBytes: 1, createdAt: 1 }).run();
  }
});

describe.skipIf(!FFMPEG)("a server killed while it makes a copy", () => {
  const program = createProgram();
  afterAll(() => program.close());

  test("a copy is made after the next start, and no other file is left", async () => {
    const first = await program.serve();
    const email = "me@example.com";
    await program.run(["account", "create", "--email", email, "--name", "Me", "--password", "long enough 1"]);
    const path = join(program.dataDir, "long.wav");
    const long = sine(RATE_HZ, 240, 330);
    writeFileSync(path, wavBytes([long], RATE_HZ, 16));
    await program.run(["import", path, "--email", email]);
    const db = new Database(join(program.dataDir, "dubplate.db"), { readonly: true });
    const state = () =>
      db.query<{ state: string }, []>("SELECT state FROM jobs WHERE name = 'transcode'").get()?.state;
    const copies = () =>
      db
        .query<{ sha256: string }, []>("SELECT sha256 FROM renditions ORDER BY encoding")
        .all()
        .map(({ sha256 }) => sha256);
    const tmp = join(program.dataDir, "tmp");

    await until(() => state() === "running" && readdirSync(tmp).length > 0);
    first.child.kill("SIGKILL");
    await first.child.exited;
    expect([copies(), readdirSync(tmp).length]).toEqual([[], 1]);
    const second = await program.serve();
    await until(() => copies().length === 2);

    const [sha256] = copies();
    expect(readdirSync(join(program.dataDir, "renditions")).sort()).toEqual([
      `${sha256}.m4a`,
      `${sha256}.ogg`,
    ]);
    await until(() => state() === undefined);
    expect(readdirSync(tmp)).toEqual([]);
    db.close();
    second.child.kill("SIGTERM");
    expect(await second.child.exited).toBe(0);
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await Bun.sleep(10);
  }
});
