import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { events, jobs, tracks, trackTags, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import type { OrdinaryScope } from "../../src/kernel/scopes.ts";
import { type Answer, createTestApp, type TestApp } from "../support/app.ts";
import { onBucket, originalsIn, sha256Of } from "../support/originals.ts";
import { sine, wavBytes } from "../support/signals.ts";

const BOUNDARY = "test-boundary";

let app: TestApp;
let key: string;
let accountId: string;
beforeEach(async () => {
  app = await createTestApp();
  ({ accountId } = app.createAccount());
  key = app.createKey(accountId);
});
afterEach(() => app.close());

describe("POST /tracks/upload", () => {
  test("makes a track with one version from each file, and queues its analysis", async () => {
    const bytes = wav(440);

    const { status, body } = await upload(formOf(["Night Bus.wav", bytes], ["take two.wav", wav(550)]));

    expect(status).toBe(200);
    expect(body.data.uploaded).toEqual([
      { id: expect.stringMatching(/^trk_/), name: "Night Bus.wav", visible: false },
      { id: expect.stringMatching(/^trk_/), name: "take two.wav", visible: false },
    ]);
    const [first] = body.data.uploaded;
    const sha256 = sha256Of(bytes);
    expect(rows().tracks[0]).toMatchObject({
      id: first.id,
      ownerId: accountId,
      name: "Night Bus.wav",
      nameFold: "night bus.wav",
      cid: "",
      analysisStatus: "pending",
      ownerFields: [],
      title: null,
      createdAt: app.clock.now(),
    });
    expect(rows().versions[0]).toMatchObject({
      id: rows().tracks[0]?.activeVersionId,
      trackId: first.id,
      versionOrder: 0,
      label: null,
      name: "Night Bus.wav",
      visible: false,
      sha256,
      sizeBytes: bytes.length,
      mediaType: "audio/wav",
      container: "wav",
      analysedAt: null,
    });
    expect(rows().jobs.map(({ name, payload }) => [name, payload])).toEqual(
      body.data.uploaded.map(({ id }: { id: string }) => ["analyze", { trackId: id }]),
    );
    expect(app.deps.db.select().from(events).all()).toEqual([]);
    expect(await originalsIn(app.deps).bytes(sha256)).toEqual(Buffer.from(bytes));
    expect(temporaryFiles()).toEqual([]);
  });

  test.each([
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ])("shows the tracks in the library when visible is %p", async (text, visible) => {
    const form = formOf(["a.wav", wav(440)]);
    form.append("visible", text);

    const { body } = await upload(form);

    expect(body.data.uploaded[0].visible).toBe(visible);
    expect(rows().versions[0]?.visible).toBe(visible);
  });

  test("recognises audio by its content, not by its name or type", async () => {
    const form = new FormData();
    form.append("files", new File([wav(440)], "noise.bin", { type: "application/octet-stream" }));
    form.append("files", new File([wav(441)], "no extension", { type: "" }));
    form.append("files", new File([wav(442)], "photo.jpg", { type: "image/jpeg" }));

    const { status } = await upload(form);

    expect(status).toBe(200);
    expect(rows().versions.map(({ mediaType }) => mediaType)).toEqual([
      "audio/wav",
      "audio/wav",
      "audio/wav",
    ]);
  });

  test("finds a new track by its name, title and artist", async () => {
    await upload(
      withProfiles(formOf(["night_bus.wav", wav(440)]), [
        { name: "night_bus.wav", audioProfile: { title: "Éclair", artist: "Someone Else" } },
      ]),
    );
    const found = (words: string) =>
      app.deps.db.$client
        .query<{ rowid: number }, [string]>("SELECT rowid FROM track_text WHERE track_text MATCH ?")
        .all(words)
        .map(({ rowid }) => rowid);

    const seq = rows().tracks[0]?.seq ?? 0;
    for (const words of ["bus", "title:eclair", "artist:someone"]) expect(found(words)).toEqual([seq]);
    expect(found("artist:eclair")).toEqual([]);
  });
});

describe("audioProfiles", () => {
  test("take the details of a file too", async () => {
    const details = {
      album: "Harbour Lights",
      year: "2026",
      isrc: "qz-abc-26-00001",
    };
    const form = withProfiles(formOf(["a.wav", wav(440)]), [{ name: "a.wav", audioProfile: {}, details }]);

    const { status } = await upload(form);

    expect(status).toBe(200);
    expect(rows().tracks[0]).toMatchObject({
      album: "Harbour Lights",
      year: "2026",
      isrc: "QZABC2600001",
    });
  });

  test("take no cover, which POST /tracks/cover-art sets", async () => {
    const details = { album: "Harbour Lights", cover: "https://a.example/b.png" };
    const form = withProfiles(formOf(["a.wav", wav(440)]), [{ name: "a.wav", audioProfile: {}, details }]);

    const { status, body } = await upload(form);

    expect([status, body.data.errors[0].path]).toEqual([400, "audioProfiles.0.details.cover"]);
    expect(rows().tracks).toEqual([]);
  });

  test("set the owner's values for the file with that name", async () => {
    const form = withProfiles(formOf(["a.wav", wav(440)], ["b.wav", wav(441)]), [
      {
        name: "b.wav",
        audioProfile: {
          title: "Ébauche",
          artist: "Someone",
          key: "F# minor",
          bpm: 122.5,
          genres: ["deep HOUSE", "Techno", "techno"],
          moods: [],
          additionalTags: ["For Friday", "  For   Friday "],
        },
      },
      { name: "of no file.wav", audioProfile: { title: "ignored", genres: ["no such genre"] } },
    ]);

    const { status } = await upload(form);

    expect(status).toBe(200);
    const [a, b] = rows().tracks;
    expect(a).toMatchObject({ title: null, ownerFields: [] });
    expect(b).toMatchObject({
      title: "Ébauche",
      titleFold: "ebauche",
      artist: "Someone",
      key: "F# minor",
      bpm: 122.5,
    });
    expect(b?.ownerFields.toSorted()).toEqual(["artist", "bpm", "key", "title"]);
    const trackId = b?.id ?? "";
    const tags = app.deps.db.select().from(trackTags).orderBy(trackTags.category, trackTags.position).all();
    expect(tags.map(({ trackId, category, name, source }) => [trackId, category, name, source])).toEqual([
      [trackId, "genres", "Deep House", "owner"],
      [trackId, "genres", "Techno", "owner"],
      [trackId, "tags", "For Friday", "owner"],
    ]);
  });

  test("profiles with the same name apply to the files of that name in order", async () => {
    const form = withProfiles(formOf(["a.wav", wav(440)], ["a.wav", wav(441)], ["a.wav", wav(442)]), [
      { name: "a.wav", audioProfile: { title: "one" } },
      { name: "a.wav", audioProfile: { title: "two" } },
    ]);

    await upload(form);

    expect(rows().tracks.map(({ title }) => title)).toEqual(["one", "two", null]);
  });

  test("find their file even if accents and quotes are encoded differently", async () => {
    const name = 'Café "live".wav';
    const form = withProfiles(formOf([name.normalize("NFD"), wav(440)]), [
      { name: name.normalize("NFC"), audioProfile: { title: "one" } },
    ]);

    await upload(form);

    expect(rows().tracks[0]).toMatchObject({ name: name.normalize("NFD"), title: "one" });
  });

  test("leave blank and null values to the analysis", async () => {
    const audioProfile = { title: "  ", artist: null, key: "", bpm: null };

    const { status } = await upload(
      withProfiles(formOf(["a.wav", wav(440)]), [{ name: "a.wav", audioProfile }]),
    );

    expect(status).toBe(200);
    expect(rows().tracks[0]).toMatchObject({
      title: null,
      titleFold: null,
      artist: null,
      key: null,
      ownerFields: [],
    });
  });

  test.each([
    ["that are not JSON", "[{", "audioProfiles"],
    ["that are empty", "", "audioProfiles"],
    ["that are not a list", "{}", "audioProfiles"],
    ["without a name", '[{"audioProfile":{}}]', "audioProfiles.0.name"],
    ["without a profile", '[{"name":"a.wav"}]', "audioProfiles.0.audioProfile"],
    [
      "with a number for a title",
      '[{"name":"a.wav","audioProfile":{"title":5}}]',
      "audioProfiles.0.audioProfile.title",
    ],
    [
      "with text for a tempo",
      '[{"name":"a.wav","audioProfile":{"bpm":"120"}}]',
      "audioProfiles.0.audioProfile.bpm",
    ],
    ["with a tempo of 0", '[{"name":"a.wav","audioProfile":{"bpm":0}}]', "audioProfiles.0.audioProfile.bpm"],
    [
      "with a tempo of 1000",
      '[{"name":"a.wav","audioProfile":{"bpm":1000}}]',
      "audioProfiles.0.audioProfile.bpm",
    ],
    [
      "with text for a list",
      '[{"name":"a.wav","audioProfile":{"genres":"Techno"}}]',
      "audioProfiles.0.audioProfile.genres",
    ],
  ])("%s are refused, and nothing is uploaded", async (_, json, path) => {
    const form = formOf(["a.wav", wav(440)]);
    form.append("audioProfiles", json);

    const { status, body } = await upload(form);

    expect([status, body.messageCode, body.message]).toEqual([400, "validation_failed", "Invalid request"]);
    expect(body.data.errors.map((error: { path: string }) => error.path)).toContain(path);
    await expectNothing();
  });

  test("profiles with tags that the taxonomy does not know are refused by name, and nothing is uploaded", async () => {
    const form = withProfiles(formOf(["a.wav", wav(440)], ["b.wav", wav(441)]), [
      { name: "a.wav", audioProfile: { genres: ["Techno", "Nonsense One"], moods: ["Nonsense Two"] } },
      { name: "b.wav", audioProfile: { genres: ["Nonsense Three", "Nonsense One"] } },
    ]);

    const { status, body } = await upload(form);

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.unknown).toEqual({
      genres: ["Nonsense One", "Nonsense Three"],
      moods: ["Nonsense Two"],
    });
    await expectNothing();
  });
});

describe("POST /tracks/upload refuses", () => {
  test("a form without files", async () => {
    const form = new FormData();
    form.append("visible", "true");

    await expectRefusal(await upload(form), 400, "missing_file");
    const elsewhere = new FormData();
    elsewhere.append("file", new File([wav(440)], "a.wav"));
    await expectRefusal(await upload(elsewhere), 400, "missing_file");
  });

  test("more than 25 files", async () => {
    const named = (count: number) =>
      formOf(
        ...Array.from({ length: count }, (_, index): [string, Uint8Array] => [
          `${index}.wav`,
          wav(400 + index),
        ]),
      );

    await expectRefusal(await upload(named(26)), 400, "too_many_files");
    expect((await upload(named(25))).status).toBe(200);
  });

  test.each([
    ["a text named .wav", "[00:00] la la la\n".repeat(100)],
    ["a web page", "<!doctype html><title>x</title>"],
    ["a playlist", "#EXTM3U\n#EXTINF:10\nhttp://localhost/a.ts\n"],
    ["an image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["an empty file", ""],
  ])("all files when one of them is %s", async (_, content) => {
    const form = formOf(["good.wav", wav(440)]);
    form.append("files", new File([content], "bad.wav", { type: "audio/wav" }));
    form.append("files", new File([wav(441)], "also good.wav"));

    await expectRefusal(await upload(form), 400, "invalid_file_type");
  });

  test.each(["yes", "TRUE", "", "2"])("an upload with %p as visible is refused", async (text) => {
    const form = formOf(["a.wav", wav(440)]);
    form.append("visible", text);

    await expectRefusal(await upload(form), 400, "validation_failed");
  });

  test.each([
    ["JSON", "application/json", "{}"],
    ["no form", undefined, undefined],
    [
      "a form cut short",
      `multipart/form-data; boundary=${BOUNDARY}`,
      rawBody("a.wav", wav(440)).subarray(0, 2000),
    ],
    [
      "a form without its end",
      `multipart/form-data; boundary=${BOUNDARY}`,
      rawBody("a.wav", wav(440)).subarray(0, -4),
    ],
    ["another boundary", "multipart/form-data; boundary=other", rawBody("a.wav", wav(440))],
  ])("%s", async (_, type, body) => {
    const response = await app.request("/api/v1/tracks/upload", {
      method: "POST",
      headers: { "x-api-key": key, ...(type && { "content-type": type }) },
      ...(body !== undefined && { body }),
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ messageCode: "validation_failed" });
    await expectNothing();
  });

  test.each([
    ["nobody", undefined, 401, "missing_api_key"],
    ["a key without create:tracks", ["read:tracks", "update:tracks"], 403, "insufficient_scope"],
  ])("%s, before it reads a byte", async (_, scopes, status, code) => {
    let isRead = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = new Headers({ "content-type": `multipart/form-data; boundary=${BOUNDARY}` });
    if (scopes) headers.set("x-api-key", app.createKey(accountId, scopes as OrdinaryScope[]));

    const response = await app.request("/api/v1/tracks/upload", { method: "POST", headers, body });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ messageCode: code });
    expect(isRead).toBe(false);
  });

  test("files that do not fit on the disk, and keeps none of them", async () => {
    const dataDir = mountSmallDisk();
    if (!dataDir) return;
    const small = await createTestApp({ settings: { dataDir } });
    try {
      const full = small.as(small.createKey(small.createAccount().accountId));

      const refused = await full(
        "POST",
        "/tracks/upload",
        formOf(["a.wav", wav(440)], ["big.wav", wav(441, 60)]),
      );

      expect([refused.status, refused.body.messageCode]).toEqual([507, "insufficient_storage"]);
      expect(filesIn(dataDir)).toEqual([]);
      expect((await full("POST", "/tracks/upload", formOf(["a.wav", wav(440)]))).status).toBe(200);
    } finally {
      await small.close();
      Bun.spawnSync(["umount", dataDir]);
      rmSync(dataDir, { recursive: true });
    }
  });

  // In a bucket, an object that no row names is one that waits to be deleted.
  test.skipIf(onBucket)(
    "an unknown composer, and keeps a file with the same bytes that a lost row had named",
    async () => {
      const bytes = wav(440);
      const path = blobPath(app.deps.settings, sha256Of(bytes));
      await Bun.write(path, bytes);
      const shareholders = [{ shareholderId: "shr_nobodys", share: 50, role: "Writer" }];

      const { status } = await upload(
        withProfiles(formOf(["a.wav", bytes], ["b.wav", wav(441)]), [
          { name: "b.wav", audioProfile: { shareholders } },
        ]),
      );

      expect(status).toBe(404);
      expect(filesIn(app.deps.settings.dataDir)).toEqual([path]);
    },
  );

  test("files whose rows do not fit into the database, and keeps no file", async () => {
    const { page_count: pages } = app.deps.db.$client
      .query<{ page_count: number }, []>("PRAGMA page_count")
      .get() ?? { page_count: 0 };
    app.deps.db.$client.run(`PRAGMA max_page_count = ${pages}`);
    const form = withProfiles(
      formOf(
        ...Array.from({ length: 20 }, (_, index): [string, Uint8Array] => [`${index}.wav`, wav(400 + index)]),
      ),
      Array.from({ length: 20 }, (_, index) => ({
        name: `${index}.wav`,
        audioProfile: {
          additionalTags: Array.from({ length: 50 }, (_, tag) => `${"tag ".repeat(20)}${tag}`),
        },
      })),
    );

    const refused = await upload(form);
    app.deps.db.$client.run("PRAGMA max_page_count = 1000000");

    await expectRefusal(refused, 507, "insufficient_storage");
    expect((await upload(formOf(["a.wav", wav(440)]))).status).toBe(200);
  });
});

describe("an interrupted upload", () => {
  test("leaves nothing behind, and the service keeps working", async () => {
    const answers: Promise<Response>[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        const answer = Promise.resolve(app.app.front(request, "127.0.0.1"));
        answers.push(answer);
        return answer;
      },
    });
    try {
      const whole = rawBody("a.wav", wav(440, 5));
      const head =
        `POST /api/v1/tracks/upload HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: ${whole.length}\r\n\r\n`;

      for (const sentBytes of [1, 60, 300, 100_000, 400_000]) {
        await sendAndHangUp(
          server.port ?? 0,
          Buffer.concat([Buffer.from(head), whole.subarray(0, sentBytes)]),
          () => (sentBytes < 300 ? answers.length > 0 : temporaryFiles().length > 0),
        );
        await Promise.all(answers);
        await expectNothing();
        answers.length = 0;
      }

      expect((await fetch(`http://localhost:${server.port}/health`)).status).toBe(200);
      expect(app.logged.filter(({ level }) => level === "error")).toEqual([]);
    } finally {
      await server.stop(true);
    }
  });
});

describe("the same bytes", () => {
  test("uploaded at the same time become separate tracks with one file", async () => {
    const bytes = wav(440);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => upload(formOf([`${index}.wav`, bytes]))),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(rows().tracks).toHaveLength(8);
    expect(new Set(rows().versions.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(await originals()).toHaveLength(1);
    expect(temporaryFiles()).toEqual([]);
  });

  test("the same bytes in another account are that account's own track", async () => {
    const bytes = wav(440);
    const other = app.as(app.createKey(app.createAccount().accountId));

    const mine = await upload(formOf(["mine.wav", bytes]));
    const theirs = await other("POST", "/tracks/upload", formOf(["theirs.wav", bytes]));

    expect(Object.keys(theirs.body.data.uploaded[0])).toEqual(Object.keys(mine.body.data.uploaded[0]));
    expect((await other("GET", "/tracks/count")).body.data).toEqual(
      (await app.as(key)("GET", "/tracks/count")).body.data,
    );
    const listed = await other("GET", "/tracks");
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(["theirs.wav"]);
  });
});

function upload(form: FormData): Promise<Answer> {
  return app.as(key)("POST", "/tracks/upload", form);
}

function formOf(...files: [name: string, bytes: Uint8Array][]): FormData {
  const form = new FormData();
  for (const [name, bytes] of files)
    form.append("files", new File([new Uint8Array(bytes)], name, { type: "audio/wav" }));
  return form;
}

function withProfiles(form: FormData, profiles: unknown[]): FormData {
  form.append("audioProfiles", JSON.stringify(profiles));
  return form;
}

function wav(hz: number, seconds = 0.1): Uint8Array {
  return wavBytes([sine(44_100, seconds, hz)], 44_100, 16);
}

function rawBody(name: string, bytes: Uint8Array): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** Sends bytes, waits until the service has begun to process them, and closes the connection. */
async function sendAndHangUp(port: number, bytes: Buffer, hasBegun: () => boolean): Promise<void> {
  let rest = bytes;
  const send = (socket: { write: (data: Buffer) => number }) => {
    rest = rest.subarray(socket.write(rest));
  };
  const socket = await Bun.connect({
    hostname: "localhost",
    port,
    socket: { open: send, drain: send, data: () => undefined },
  });
  while (rest.length > 0 || !hasBegun()) await new Promise(setImmediate);
  socket.terminate();
}

function rows() {
  const { db } = app.deps;
  return {
    tracks: db.select().from(tracks).orderBy(tracks.seq).all(),
    versions: db.select().from(versions).orderBy(versions.id).all(),
    jobs: db.select().from(jobs).orderBy(jobs.id).all(),
  };
}

async function expectRefusal({ status, body }: Answer, expectedStatus: number, code: string): Promise<void> {
  expect([status, body.messageCode]).toEqual([expectedStatus, code]);
  await expectNothing();
}

/** Expects that nothing is left: no row, no job, no file, not even a temporary one. */
async function expectNothing(): Promise<void> {
  expect(rows()).toEqual({ tracks: [], versions: [], jobs: [] });
  expect(await originals()).toEqual([]);
  expect(temporaryFiles()).toEqual([]);
}

const originals = () => originalsIn(app.deps).list();

function temporaryFiles(): string[] {
  return filesIn(join(app.deps.settings.dataDir, "tmp"));
}

function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Mounts a disk of 2 MB, or returns undefined where only root may do that. */
function mountSmallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), "dubplate-full-"));
  mkdirSync(dir, { recursive: true });
  const isMounted =
    process.platform === "linux" &&
    Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", dir]).exitCode === 0;
  if (isMounted) return dir;
  rmSync(dir, { recursive: true });
  console.log("skipped: a full disk (this system does not permit a mount)");
  return undefined;
}
