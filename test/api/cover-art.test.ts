import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { events, playlists, tracks } from "../../db/schema.ts";
import { sweepUnnamed } from "../../src/blobs/sweep.ts";
import { artworkShelf } from "../../src/modules/library/artwork/service.ts";
import { type Answer, createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { GIF, picture, withExif } from "../support/pictures.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["as"]>;
let trackId: string;
let served: Record<string, Response | (() => Response)> = {};
const pictures = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const answer = served[new URL(request.url).pathname];
    return (
      (typeof answer === "function" ? answer() : answer) ?? new Response("nothing here", { status: 404 })
    );
  },
});
const address = (path: string) => `http://127.0.0.1:${pictures.port}${path}`;

beforeAll(async () => {
  app = await createTestApp({ settings: { networkAllow: [`127.0.0.1:${pictures.port}`] } });
  ({ accountId } = app.createAccount());
  call = app.as(app.createKey(accountId));
});
afterAll(async () => {
  await pictures.stop(true);
  await app.close();
});
beforeEach(() => {
  app.deps.db.delete(tracks).run();
  app.deps.db.delete(events).run();
  for (const folder of ["artwork", "quarantine"])
    rmSync(join(app.deps.settings.dataDir, folder), { recursive: true, force: true });
  served = {};
  ({ id: trackId } = addTrackRows(app.deps.db, accountId));
});

const post = (body: object, id = trackId) => call("POST", "/tracks/cover-art", { trackId: id, ...body });
const base64 = (bytes: Buffer) => ({ base64: bytes.toString("base64") });
const coverOf = async (id = trackId) =>
  (await call("GET", `/tracks/single?id=${id}`)).body.data.track.audio_profile.cover;
const told = () =>
  app.deps.db
    .select()
    .from(events)
    .all()
    .map(({ type, data }) => [type, data.changed]);
const filesIn = (folder: string) => {
  const dir = join(app.deps.settings.dataDir, folder);
  return existsSync(dir) ? readdirSync(dir).sort() : [];
};
/** Fetches the picture behind a public address, without a key. */
async function fetched(url: string) {
  const response = await app.request(url);
  const bytes = await response.bytes();
  return { response, bytes: Buffer.from(bytes), picture: await new Bun.Image(bytes).metadata() };
}
function expectRefusal({ status, body }: Answer, expected: number, code: string): void {
  expect([status, body.messageCode]).toEqual([expected, code]);
  expect([filesIn("artwork"), filesIn("tmp"), told()]).toEqual([[], [], []]);
}

describe("POST /tracks/cover-art", () => {
  test.each(["jpeg", "png", "webp"] as const)(
    "accepts a %s in base64 and shows it publicly",
    async (format) => {
      const { status, body } = await post(base64(await picture(format)));

      expect(status).toBe(200);
      const extension = format === "jpeg" ? "jpg" : "webp";
      expect(body.data).toEqual({
        key: expect.stringMatching(new RegExp(`^[0-9a-f]{32}\\.${extension}$`)),
        url: `http://127.0.0.1:4747/artwork/${body.data.key}`,
        trackId,
      });
      const { response, picture: shown } = await fetched(body.data.url);
      expect(shown).toMatchObject({ width: 60, height: 40, format: format === "jpeg" ? "jpeg" : "webp" });
      expect(response.headers.get("content-type")).toBe(format === "jpeg" ? "image/jpeg" : "image/webp");
      expect(await coverOf()).toBe(body.data.url);
      expect(told()).toEqual([["track.updated", ["cover"]]]);
      expect(filesIn("tmp")).toEqual([]);
    },
  );

  test("accepts a GIF and uses its first frame", async () => {
    const { body } = await post(base64(GIF));

    expect((await fetched(body.data.url)).picture).toMatchObject({ width: 1, height: 1 });
  });

  test.each([
    ["a data URI", (bytes: Buffer) => `data:image/png;base64,${bytes.toString("base64")}`],
    [
      "a data URI with the wrong type",
      (bytes: Buffer) => `data:text/plain;charset=x;BASE64,${bytes.toString("base64")}`,
    ],
    ["the URL-safe alphabet, without padding", (bytes: Buffer) => bytes.toString("base64url")],
    ["line breaks", (bytes: Buffer) => bytes.toString("base64").replace(/(.{76})/g, "$1\r\n")],
  ])("accepts base64 as %s", async (_, encode) => {
    expect((await post({ base64: encode(await picture("png")) })).status).toBe(200);
  });

  test("downloads an address, whatever content type it declares", async () => {
    served["/cover"] = new Response(await picture("png"), { headers: { "content-type": "text/plain" } });

    const { status, body } = await post({ url: address("/cover"), filename: "front.png" });

    expect(status).toBe(200);
    expect((await fetched(body.data.url)).picture.width).toBe(60);
  });

  test("prefers base64 to an address, and then makes no download", async () => {
    let asked = 0;
    served["/cover"] = () => {
      asked++;
      return new Response("x");
    };

    const { status } = await post({ ...base64(await picture("png")), url: address("/cover") });

    expect([status, asked]).toEqual([200, 0]);
  });

  test("limits a large picture's size, and makes a small version of it", async () => {
    const { body } = await post(base64(await picture("jpeg", { width: 2000, height: 1000 })));

    expect((await fetched(body.data.url)).picture).toMatchObject({ width: 1600, height: 800 });
    expect((await fetched(`${body.data.url}?size=thumbnail`)).picture).toMatchObject({
      width: 400,
      height: 200,
    });
  });

  test("turns a photograph upright and removes the place where it was taken", async () => {
    const photo = withExif(await picture("jpeg", { width: 300, height: 200 }), "52.5200 N, 13.4050 E");

    const { body } = await post(base64(photo));

    const { bytes, picture: shown } = await fetched(body.data.url);
    expect(shown).toMatchObject({ width: 200, height: 300 });
    expect(photo.includes("52.5200")).toBe(true);
    expect(bytes.includes("52.5200")).toBe(false);
    expect(bytes.includes("Exif")).toBe(false);
  });

  test("keeps transparency", async () => {
    const clear = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
      "base64",
    );

    const { body } = await post(base64(clear));

    expect(body.data.key).toEndWith(".webp");
  });
});

describe("a changed cover", () => {
  test("removes the previous picture", async () => {
    const first = (await post(base64(await picture("png", { grey: 10 })))).body.data;
    const second = (await post(base64(await picture("png", { grey: 200 })))).body.data;

    expect(second.key).not.toBe(first.key);
    expect((await app.request(first.url)).status).toBe(404);
    expect((await app.request(second.url)).status).toBe(200);
    expect(filesIn("artwork")).toHaveLength(2);
  });

  test("keeps the previous picture while another track or a playlist shows it", async () => {
    const bytes = base64(await picture("png"));
    const other = addTrackRows(app.deps.db, accountId).id;
    const shared = (await post(bytes)).body.data;
    expect((await post(bytes, other)).body.data.key).toBe(shared.key);
    expect(filesIn("artwork")).toHaveLength(2);

    await post(base64(await picture("png", { grey: 200 })));

    expect((await app.request(shared.url)).status).toBe(200);
    app.deps.db
      .insert(playlists)
      .values({ id: "pl_1", ownerId: accountId, name: "List", image: shared.key, createdAt: 1, updatedAt: 1 })
      .run();
    await call("PATCH", `/tracks/details?id=${other}`, { cover: null });
    expect((await app.request(shared.url)).status).toBe(200);
    app.deps.db.delete(playlists).run();
  });

  test("a cover that is replaced by the same picture stays, and is not announced", async () => {
    const bytes = base64(await picture("png"));
    const { url } = (await post(bytes)).body.data;
    app.deps.db.delete(events).run();

    expect((await post(bytes)).body.data.url).toBe(url);

    expect((await app.request(url)).status).toBe(200);
    expect([told(), filesIn("tmp")]).toEqual([[], []]);
  });

  test("has another key than the same picture in another account", async () => {
    const bytes = base64(await picture("png"));
    const stranger = app.createAccount().accountId;
    const theirs = addTrackRows(app.deps.db, stranger).id;

    const { key } = (await post(bytes)).body.data;
    const other = await app.as(app.createKey(stranger))("POST", "/tracks/cover-art", {
      trackId: theirs,
      ...bytes,
    });

    expect(other.body.data.key).not.toBe(key);
  });

  test("a cover that several requests change at once is the last picture, and no other is left", async () => {
    const greys = [20, 80, 140, 200];

    const answers = await Promise.all(
      greys.map(async (grey) => post(base64(await picture("png", { grey })))),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const shown = await coverOf();
    expect((await app.request(shown)).status).toBe(200);
    expect(filesIn("artwork")).toHaveLength(2);
    expect(filesIn("tmp")).toEqual([]);
  });
});

describe("the `cover` of the details", () => {
  const patch = (cover: unknown, more = {}) =>
    call("PATCH", `/tracks/details?id=${trackId}`, { cover, ...more });

  test("is an address or a data URI, and comes back as a public address", async () => {
    served["/cover.png"] = new Response(await picture("png"));

    const byAddress = await patch(address("/cover.png"), { title: "One" });

    expect(byAddress.body.data.track.audio_profile).toMatchObject({
      title: "One",
      cover: expect.stringMatching(/\/artwork\/[0-9a-f]{32}\.webp$/),
    });
    expect(told()).toEqual([["track.updated", expect.arrayContaining(["title", "cover"])]]);
    const byData = await patch(`data:image/gif;base64,${GIF.toString("base64")}`);
    expect(byData.status).toBe(200);
    expect(filesIn("artwork")).toHaveLength(2);
  });

  test("is removed by null, together with its file", async () => {
    await post(base64(await picture("png")));

    const { body } = await patch(null);

    expect(body.data.track.audio_profile.cover).toBeNull();
    expect(filesIn("artwork")).toEqual([]);
  });

  test.each([
    ["no address", "front.png", "invalid_image_url"],
    ["nothing", "", "invalid_image_url"],
    ["a file", "file:///etc/passwd", "invalid_image_url"],
    ["a private address", "http://127.0.0.1:1/cover.png", "invalid_image_url"],
    ["an address that does not exist", address("/nothing"), "image_download_failed"],
    ["words", "data:text/plain,hello", "invalid_image_type"],
  ])("is refused when it is %s, and nothing else changes", async (_, cover, code) => {
    expectRefusal(await patch(cover, { title: "changed" }), 400, code);
    const row = app.deps.db.select().from(tracks).where(eq(tracks.id, trackId)).get();
    expect(row).toMatchObject({ title: null, cover: null, ownerFields: [] });
  });
});

describe("POST /tracks/cover-art refuses", () => {
  test.each([
    ["nothing", {}],
    ["nulls", { url: null, base64: null }],
    ["empty texts", { url: "", base64: "" }],
    ["only a name", { filename: "cover.jpg" }],
  ])("%s", async (_, body) => {
    expectRefusal(await post(body), 400, "missing_image");
  });

  test.each([
    "front.png",
    "//example.com/front.png",
    "ftp://example.com/front.png",
    "http://",
    "data:image/png;base64,AAAA",
    "http://me:secret@example.com/front.png",
    "http://127.0.0.1/front.png",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/front.png",
  ])("a cover at the address %s is refused", async (url) => {
    expectRefusal(await post({ url }), 400, "invalid_image_url");
  });

  test("an address that redirects to a private host", async () => {
    served["/away"] = new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/x.png" } });

    expectRefusal(await post({ url: address("/away") }), 400, "invalid_image_url");
  });

  test.each([
    ["that does not exist", () => new Response("no", { status: 404 })],
    ["that fails", () => new Response("no", { status: 500 })],
    ["that serves more than 15 MB", () => new Response(Buffer.alloc(15 * 1024 * 1024 + 1))],
  ])("a cover at an address %s is refused", async (_, answer) => {
    served["/cover"] = answer;

    expectRefusal(await post({ url: address("/cover") }), 400, "image_download_failed");
  });

  test.each([
    ["words", Buffer.from("hello, I am no picture at all")],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["a bitmap", Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)])],
    ["a PNG with only its first bytes", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["an empty JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
    ["an empty GIF", Buffer.from("GIF89a")],
    ["an empty WebP", Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1")],
  ])("%s, in base64 and by address", async (_, bytes) => {
    served["/cover"] = () =>
      new Response(new Uint8Array(bytes), { headers: { "content-type": "image/png" } });

    expectRefusal(await post(base64(bytes)), 400, "invalid_image_type");
    expectRefusal(await post({ url: address("/cover") }), 400, "invalid_image_type");
  });

  test.each([
    ["text that is not base64", "!!! not base64 !!!"],
    ["a data URI of plain text", "data:image/svg+xml;utf8,<svg/>"],
    ["a data URI without content", "data:image/png;base64,"],
  ])("%s", async (_, text) => {
    expectRefusal(await post({ base64: text }), 400, "invalid_image_type");
  });

  test("a small file that claims a huge canvas", async () => {
    const png = await picture("png");
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    const crc = Bun.hash.crc32(png.subarray(12, 29));
    png.writeUInt32BE(crc, 29);

    expectRefusal(await post(base64(png)), 400, "invalid_image_type");
  });

  test.each([
    ["no track", { base64: "AAAA" }],
    ["a number as the address", { trackId: "x", url: 1 }],
    ["a list", []],
  ])("%s", async (_, body) => {
    const { status, body: answer } = await call("POST", "/tracks/cover-art", body);

    expect([status, answer.messageCode]).toEqual([400, "validation_failed"]);
  });

  test("an unknown track or another account's, before it fetches anything", async () => {
    let asked = 0;
    served["/cover"] = () => {
      asked++;
      return new Response("x");
    };
    const stranger = app.as(app.createKey(app.createAccount().accountId));

    const theirs = await stranger("POST", "/tracks/cover-art", { trackId, url: address("/cover") });
    const nobodys = await post({ url: address("/cover") }, "trk_nobodys");

    expectRefusal(theirs, 404, "track_not_found");
    expect(nobodys.body).toEqual(theirs.body);
    expect(asked).toBe(0);
  });

  test("a key without the scope, and no key", async () => {
    const key = app.createKey(accountId, ["read:tracks", "create:tracks"]);
    const refused = await app.as(key)("POST", "/tracks/cover-art", { trackId, url: "x" });
    const stranger = await app.request("/api/v1/tracks/cover-art", { method: "POST" });

    expectRefusal(refused, 403, "insufficient_scope");
    expect(stranger.status).toBe(401);
  });
});

describe("GET /artwork/{key}", () => {
  test("may be cached forever, and is served only as a picture", async () => {
    const { url } = (await post(base64(await picture("png")))).body.data;

    const response = await app.request(url);

    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-length": String((await response.bytes()).length),
    });
    const etag = response.headers.get("etag") ?? "";
    expect((await app.request(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    const small = await app.request(`${url}?size=thumbnail`, { headers: { "if-none-match": etag } });
    expect(small.status).toBe(200);
    const head = await app.request(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each([
    `/artwork/${"0".repeat(32)}.jpg`,
    "/artwork/nothing",
    "/artwork/..%2F..%2Fdubplate.db",
    "/artwork/%2e%2e%2fmaster.key",
    `/artwork/${"0".repeat(32)}.thumb.jpg`,
    `/artwork/${"0".repeat(32)}.jpg%00`,
  ])("%s is 404", async (path) => {
    const response = await app.request(path);

    expect([response.status, (await jsonOf(response)).messageCode]).toEqual([404, "not_found"]);
  });

  test("refuses an unknown size", async () => {
    expect((await app.request(`/artwork/${"0".repeat(32)}.jpg?size=huge`)).status).toBe(400);
  });
});

describe("the sweep at the start", () => {
  test("sets aside only pictures that are not in use", async () => {
    const { key } = (await post(base64(await picture("png")))).body.data;
    const dir = join(app.deps.settings.dataDir, "artwork");
    const orphan = "0123456789abcdef".repeat(2);
    for (const name of [`${orphan}.jpg`, `${orphan}.thumb.jpg`, "notes.txt", ".DS_Store"])
      writeFileSync(join(dir, name), "x");

    expect(await sweepUnnamed(app.deps, [artworkShelf])).toMatchObject({ moved: 2 });

    expect(filesIn("artwork")).toEqual([".DS_Store", key, key.replace(".", ".thumb."), "notes.txt"].sort());
    expect(filesIn("quarantine/2026-01-15/artwork")).toEqual([`${orphan}.jpg`, `${orphan}.thumb.jpg`]);
  });
});
