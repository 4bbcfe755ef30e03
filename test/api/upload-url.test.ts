import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { composers, events, jobs, tracks, trackTags, versions } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { originalsIn, sha256Of } from "../support/originals.ts";
import { picture } from "../support/pictures.ts";
import { sine, wavBytes } from "../support/signals.ts";

let app: TestApp;
let accountId: string;
let key: string;
let files: Record<string, (request: Request) => Response | Promise<Response>>;
let asked: string[];
let web: ReturnType<typeof serveFiles>;

function serveFiles() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return files[pathname]?.(request) ?? new Response("nothing here", { status: 404 });
    },
  });
}

beforeEach(async () => {
  asked = [];
  files = {};
  web = serveFiles();
  app = await createTestApp({ settings: { networkAllow: [`127.0.0.1:${web.port}`] } });
  ({ accountId } = app.createAccount());
  key = app.createKey(accountId);
});
afterEach(async () => {
  await web.stop(true);
  await app.close();
});

const url = (path: string) => `http://127.0.0.1:${web.port}${path}`;
const upload = (items: unknown, headers = {}) =>
  app.as(key)("POST", "/tracks/upload/url", { items }, headers);
const wav = (hz: number, seconds = 0.1) => new Uint8Array(wavBytes([sine(44_100, seconds, hz)], 44_100, 16));
const audio =
  (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = { "content-type": "audio/wav" }) =>
  () =>
    new Response(bytes, { headers });
const rows = () => ({
  tracks: app.deps.db.select().from(tracks).orderBy(tracks.seq).all(),
  versions: app.deps.db.select().from(versions).orderBy(versions.id).all(),
  jobs: app.deps.db.select().from(jobs).all(),
});
const originals = () => originalsIn(app.deps).list();
const filesIn = (folder: string) => {
  const dir = join(app.deps.settings.dataDir, folder);
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
};
async function expectNothing(): Promise<void> {
  expect(rows()).toEqual({ tracks: [], versions: [], jobs: [] });
  expect([await originals(), filesIn("artwork"), filesIn("tmp")]).toEqual([[], [], []]);
}

describe("POST /tracks/upload/url", () => {
  test("makes a track from every address, in their order, and queues its analysis", async () => {
    const bytes = wav(440);
    files["/Night%20Bus.wav"] = audio(bytes);
    files["/b"] = audio(wav(441), {
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="take two.wav"',
    });

    const { status, body } = await upload([
      { fileUrl: url("/Night%20Bus.wav"), visible: true },
      { fileUrl: url("/b") },
    ]);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      uploaded: [
        { id: expect.stringMatching(/^trk_/), name: "Night Bus.wav", visible: true },
        { id: expect.stringMatching(/^trk_/), name: "take two.wav", visible: false },
      ],
      failed: [],
    });
    expect(rows().tracks.map(({ name, analysisStatus }) => [name, analysisStatus])).toEqual([
      ["Night Bus.wav", "pending"],
      ["take two.wav", "pending"],
    ]);
    const sha256 = sha256Of(bytes);
    expect(rows().versions[0]).toMatchObject({ sha256, mediaType: "audio/wav", visible: true });
    expect(await originalsIn(app.deps).bytes(sha256)).toEqual(Buffer.from(bytes));
    expect(rows().jobs.map(({ name }) => name)).toEqual(["analyze", "analyze"]);
    expect([filesIn("tmp"), app.deps.db.select().from(events).all()]).toEqual([[], []]);
  });

  test("lists failed items with the reason, and keeps the others", async () => {
    files["/good.wav"] = audio(wav(440));
    files["/page"] = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    files["/words.wav"] = audio(new TextEncoder().encode("no audio in here"));
    files["/huge.wav"] = () =>
      new Response(wav(440), {
        headers: { "content-type": "audio/wav", "content-length": String(2 ** 30 + 1) },
      });
    files["/away"] = () =>
      new Response(null, { status: 302, headers: { location: "http://10.0.0.1/a.wav" } });
    const items = ["/page", "/words.wav", "/good.wav", "/missing.wav", "/away"].map((path) => ({
      fileUrl: url(path),
    }));

    const { status, body } = await upload([
      ...items,
      { fileUrl: "http://127.0.0.1:1/a.wav" },
      { fileUrl: "http://me:word@example.com/a.wav" },
      { fileUrl: "http://no-such-host.invalid/a.wav" },
    ]);

    expect(status).toBe(200);
    expect(body.data.uploaded.map(({ name }: { name: string }) => name)).toEqual(["good.wav"]);
    expect(body.data.failed.map((item: { url: string; code: string }) => [item.url, item.code])).toEqual([
      [url("/page"), "invalid_file_type"],
      [url("/words.wav"), "invalid_file_type"],
      [url("/missing.wav"), "download_failed"],
      [url("/away"), "url_not_allowed"],
      ["http://127.0.0.1:1/a.wav", "url_not_allowed"],
      ["http://me:word@example.com/a.wav", "url_not_allowed"],
      ["http://no-such-host.invalid/a.wav", "download_failed"],
    ]);
    for (const { error } of body.data.failed) expect(error).toMatch(/^\S.{20,}/);
    expect(JSON.stringify(body.data.failed.map(({ error }: { error: string }) => error))).not.toContain(
      "word@",
    );
    expect(rows().tracks).toHaveLength(1);
    expect([filesIn("tmp"), (await originals()).length]).toEqual([[], 1]);
  });

  test("lists every item when all fail, and still answers with success", async () => {
    const { status, body } = await upload([{ fileUrl: url("/1") }, { fileUrl: url("/2") }]);

    expect([status, body.data.uploaded, body.data.failed.length]).toEqual([200, [], 2]);
    await expectNothing();
  });

  test.each([
    ["audio/mpeg", true],
    ["AUDIO/x-wav; rate=44100", true],
    ["application/octet-stream", true],
    ["binary/octet-stream", true],
    ["", true],
    ["text/plain", false],
    ["video/mp4", false],
    ["application/json", false],
  ])("accepts a file served as %p: %p", async (type, isTaken) => {
    files["/a.wav"] = audio(wav(440), type === "" ? {} : { "content-type": type });

    const { data } = (await upload([{ fileUrl: url("/a.wav") }])).body;

    expect(data.uploaded).toHaveLength(isTaken ? 1 : 0);
    if (!isTaken) expect(data.failed[0].code).toBe("invalid_file_type");
  });

  test("fails an item over 1 GB by its declared length", async () => {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => {
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: ${2 ** 30 + 1}\r\n\r\nRIFF`,
          );
        },
      },
    });
    const big = await createTestApp({ settings: { networkAllow: ["127.0.0.1"] } });
    try {
      const { body } = await big.as(big.createKey(big.createAccount().accountId))(
        "POST",
        "/tracks/upload/url",
        {
          items: [{ fileUrl: `http://127.0.0.1:${server.port}/a.wav` }],
        },
      );

      expect(body.data.failed).toMatchObject([{ code: "file_too_large" }]);
    } finally {
      server.stop(true);
      await big.close();
    }
  });

  test("writes the owner's profile, tags and details; details win", async () => {
    files["/a.wav"] = audio(wav(440));
    files["/cover.png"] = async () => new Response(await picture("png"));

    const { body } = await upload([
      {
        fileUrl: url("/a.wav"),
        audioProfile: {
          title: "From the profile",
          artist: "Someone",
          bpm: 122,
          genres: ["techno"],
          additionalTags: ["x"],
        },
        details: {
          title: "Ébauche",
          name: "Named.wav",
          isrc: "gb-abc-24-00001",
          total_discs_albumm: "2",
          lyrics: "umbrella",
          key: "F# minor",
          cover: url("/cover.png"),
        },
      },
    ]);

    const [uploaded] = body.data.uploaded;
    expect(uploaded).toMatchObject({ name: "Named.wav" });
    const { track } = (await app.as(key)("GET", `/tracks/single?id=${uploaded.id}`)).body.data;
    expect((await app.request(track.audio_profile.cover)).status).toBe(200);
    expect(track).toMatchObject({
      name: "Named.wav",
      audio_profile: {
        title: "Ébauche",
        artist: "Someone",
        bpm: 122,
        key: "F# minor",
        isrc: "GBABC2400001",
        total_discs_album: "2",
        lyrics: "umbrella",
        cover: expect.stringMatching(/\/artwork\/[0-9a-f]{32}\.webp$/),
        genres: [{ genre: { name: "Techno" } }],
        tags: [{ tag: { name: "x" } }],
      },
    });
    expect(rows().tracks[0]?.ownerFields.toSorted()).toEqual(
      ["artist", "bpm", "cover", "isrc", "key", "lyrics", "title", "totalDiscsAlbum"].toSorted(),
    );
    const found = app.deps.db.$client.query("SELECT rowid FROM track_text WHERE track_text MATCH ?");
    expect(found.all("title:ebauche lyrics:umbrella name:named")).toHaveLength(1);
    // A new track is not a changed track.
    expect(app.deps.db.select().from(events).all()).toEqual([]);
    expect(filesIn("tmp")).toEqual([]);
  });

  test.each([
    ["cannot be downloaded", "/missing.png", "image_download_failed"],
    ["is not an image", "/words.png", "invalid_image_type"],
  ])("fails the whole item when its cover %s", async (_, path, code) => {
    files["/a.wav"] = audio(wav(440));
    files["/words.png"] = () => new Response("words");

    const { body } = await upload([{ fileUrl: url("/a.wav"), details: { cover: url(path) } }]);

    expect(body.data).toMatchObject({ uploaded: [], failed: [{ url: url("/a.wav"), code }] });
    await expectNothing();
  });

  test("fails an item with another account's shareholder, and keeps the others", async () => {
    files["/a.wav"] = audio(wav(440));
    files["/b.wav"] = audio(wav(441));
    app.deps.db
      .insert(composers)
      .values({ id: "shr_mine", ownerId: accountId, fullName: "A", email: "a@example.com", createdAt: 1 })
      .run();
    const shareholders = (shareholderId: string) => ({
      shareholders: [{ shareholderId, share: 50, role: "writer" }],
    });

    const { body } = await upload([
      { fileUrl: url("/a.wav"), audioProfile: shareholders("shr_nobodys") },
      { fileUrl: url("/b.wav"), audioProfile: shareholders("shr_mine") },
    ]);

    expect(body.data).toMatchObject({
      uploaded: [{ name: "b.wav" }],
      failed: [{ url: url("/a.wav"), code: "composer_not_found" }],
    });
    expect([rows().tracks.length, (await originals()).length]).toEqual([1, 1]);
  });

  test("downloads four at a time, and no more", async () => {
    let running = 0;
    let most = 0;
    const four = Promise.withResolvers<void>();
    const items = Array.from({ length: 10 }, (_, index) => {
      files[`/${index}.wav`] = async () => {
        most = Math.max(most, ++running);
        if (running === 4) four.resolve();
        await four.promise;
        await new Promise(setImmediate);
        running--;
        return audio(wav(400 + index))();
      };
      return { fileUrl: url(`/${index}.wav`) };
    });

    const { body } = await upload(items);

    expect(body.data.uploaded.map(({ name }: { name: string }) => name)).toEqual(
      items.map((_, index) => `${index}.wav`),
    );
    expect(most).toBe(4);
  });

  test("makes two tracks with one file from the same address twice", async () => {
    files["/a.wav"] = audio(wav(440));

    const { body } = await upload([{ fileUrl: url("/a.wav") }, { fileUrl: url("/a.wav") }]);

    expect([body.data.uploaded.length, rows().tracks.length, (await originals()).length]).toEqual([2, 2, 1]);
  });

  test("runs a request repeated with its Idempotency-Key only once", async () => {
    files["/a.wav"] = audio(wav(440));
    const header = { "idempotency-key": "once" };

    const first = await upload([{ fileUrl: url("/a.wav") }], header);
    const second = await upload([{ fileUrl: url("/a.wav") }], header);

    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(rows().tracks).toHaveLength(1);
  });
});

describe("POST /tracks/upload/url refuses the whole request for", () => {
  const good = () => ({ fileUrl: url("/a.wav") });
  test.each([
    ["no items", undefined, "items"],
    ["an empty list", [], "items"],
    ["26 items", Array.from({ length: 26 }, () => ({ fileUrl: "http://example.com/a.wav" })), "items"],
    ["no list", { fileUrl: "http://example.com/a.wav" }, "items"],
    ["an item without an address", [{}], "items.0.fileUrl"],
    ["a number as the address", [{ fileUrl: 1 }], "items.0.fileUrl"],
    ["an address without a protocol", [{ fileUrl: "example.com/a.wav" }], "items.0.fileUrl"],
    ["a protocol-relative address", [{ fileUrl: "//example.com/a.wav" }], "items.0.fileUrl"],
    ["another protocol", [{ fileUrl: "ftp://example.com/a.wav" }], "items.0.fileUrl"],
    ["a file of the server", [{ fileUrl: "file:///etc/passwd" }], "items.0.fileUrl"],
    ["an address without a host", [{ fileUrl: "http://" }], "items.0.fileUrl"],
    ["an invalid host", [{ fileUrl: "http://[bad/a.wav" }], "items.0.fileUrl"],
    ["text for visible", [{ fileUrl: "http://example.com/", visible: "yes" }], "items.0.visible"],
    [
      "a bad profile",
      [{ fileUrl: "http://example.com/", audioProfile: { title: 5 } }],
      "items.0.audioProfile.title",
    ],
    ["a bad detail", [{ fileUrl: "http://example.com/", details: { year: 1999 } }], "items.0.details.year"],
  ])("%s, before it fetches anything", async (_, items, path) => {
    files["/a.wav"] = audio(wav(440));

    const { status, body } = await upload(
      Array.isArray(items) && items.length === 1 ? [...items, good()] : items,
    );

    expect([status, body.messageCode, body.message]).toEqual([400, "validation_failed", "Invalid request"]);
    expect(body.data.errors[0].path).toBe(path);
    expect(asked).toEqual([]);
    await expectNothing();
  });

  test("a tag that the taxonomy does not know, by name", async () => {
    files["/a.wav"] = audio(wav(440));

    const { status, body } = await upload([
      good(),
      { ...good(), audioProfile: { genres: ["Techno", "Nonsense"] } },
    ]);

    expect([status, body.messageCode, body.data.unknown]).toEqual([
      400,
      "validation_failed",
      { genres: ["Nonsense"] },
    ]);
    expect(asked).toEqual([]);
    await expectNothing();
  });

  test("a key without the scope, and no key", async () => {
    const others = ASSIGNABLE_SCOPES.filter((scope) => scope !== "create:tracks");
    const refused = await app.as(app.createKey(accountId, [...others]))("POST", "/tracks/upload/url", {
      items: [good()],
    });
    const stranger = await app.request("/api/v1/tracks/upload/url", { method: "POST" });

    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(stranger.status).toBe(401);
    expect(asked).toEqual([]);
  });
});

describe("a client that disconnects", () => {
  test("ends the downloads, and nothing becomes a track", async () => {
    const controller = new AbortController();
    let isEnded = false;
    files["/a.wav"] = audio(wav(440));
    files["/slow.wav"] = (request) => {
      request.signal.addEventListener("abort", () => {
        isEnded = true;
      });
      // The first piece is on its way: now the client disconnects.
      setTimeout(() => controller.abort(), 30);
      return new Response(
        new ReadableStream({
          async pull(stream) {
            stream.enqueue(wav(440));
            await new Promise(() => undefined);
          },
        }),
        { headers: { "content-type": "audio/wav" } },
      );
    };

    await app.request("/api/v1/tracks/upload/url", {
      method: "POST",
      signal: controller.signal,
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ items: [{ fileUrl: url("/a.wav") }, { fileUrl: url("/slow.wav") }] }),
    });
    while (!isEnded) await new Promise(setImmediate);

    await expectNothing();
    expect(app.logged).toEqual([]);
  });
});

test("tags sent with the upload count as the owner's", async () => {
  files["/a.wav"] = audio(wav(440));

  await upload([{ fileUrl: url("/a.wav"), audioProfile: { moods: ["Dark"] } }]);

  expect(app.deps.db.select().from(trackTags).all()).toMatchObject([
    { category: "moods", name: "Dark", source: "owner", ownerId: accountId },
  ]);
});
