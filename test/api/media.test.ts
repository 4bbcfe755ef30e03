import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { tracks, versions } from "../../db/schema.ts";
import { downloadUrl } from "../../src/modules/library/files/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";

const bytes = wavBytes([noise(8_000, 1)], 8_000, 16);
const NAME = "Nächtliche Fahrt (v2).wav";

let app: TestApp;
let version: typeof versions.$inferSelect;
beforeAll(async () => {
  app = await createTestApp();
  version = await addTrack(NAME);
});
afterAll(() => app.close());

describe("GET /media", () => {
  test("serves the original file to anyone with the link, without a key", async () => {
    const response = await app.request(link());

    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-disposition": `attachment; filename="Nachtliche Fahrt (v2).wav"; filename*=UTF-8''N%C3%A4chtliche%20Fahrt%20%28v2%29.wav`,
      "content-length": String(bytes.length),
      "content-type": "audio/wav",
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      "last-modified": new Date(version.createdAt).toUTCString(),
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.get("cache-control")).toContain("private");
  });

  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=1000-1999", 1000, 2000],
    ["bytes=-44", -44, undefined],
    ["bytes=16000-", 16_000, undefined],
  ])("serves the range %p", async (range, start, end) => {
    const response = await app.request(link(), { headers: { range } });
    const part = new Uint8Array(bytes).slice(start, end);

    expect(response.status).toBe(206);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(part);
    expect(response.headers.get("content-length")).toBe(String(part.length));
    expect(response.headers.get("content-range")).toEndWith(`/${bytes.length}`);
  });

  test("refuses a range outside the file", async () => {
    const response = await app.request(link(), { headers: { range: `bytes=${bytes.length}-` } });

    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
    expect(await response.json()).toMatchObject({ messageCode: "range_not_satisfiable" });
  });

  test("answers HEAD with the same headers and no body", async () => {
    const response = await app.request(link(), { method: "HEAD" });

    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  test("does not send a file that the client already has", async () => {
    const etag = (await app.request(link(), { method: "HEAD" })).headers.get("etag") ?? "";

    const response = await app.request(link(), { headers: { "if-none-match": etag } });

    expect(response.status).toBe(304);
  });

  test("serves ranges and whole files over a real connection", async () => {
    const server = Bun.serve({ port: 0, fetch: (request) => app.app.front(request, "127.0.0.1") });
    try {
      const get = (headers: Record<string, string>) =>
        fetch(link().replace(/^http:\/\/[^/]+/, `http://localhost:${server.port}`), { headers });

      const head = await fetch(link().replace(/^http:\/\/[^/]+/, `http://localhost:${server.port}`), {
        method: "HEAD",
      });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
      const part = await get({ range: "bytes=100-199", "if-range": head.headers.get("etag") ?? "" });
      const changed = await get({ range: "bytes=100-199", "if-range": '"another"' });
      const several = await get({ range: "bytes=0-1,5-6" });

      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes 100-199/${bytes.length}`,
      ]);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(new Uint8Array(bytes).slice(100, 200));
      for (const whole of [changed, several]) {
        expect(whole.status).toBe(200);
        expect(new Uint8Array(await whole.arrayBuffer())).toEqual(new Uint8Array(bytes));
      }
    } finally {
      await server.stop(true);
    }
  });

  test("refuses a link after its hour", async () => {
    const late = await createTestApp();
    try {
      const [old] = [downloadUrl(late.deps, version)];
      late.clock.advance(3_600_000);

      const response = await late.request(old);

      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ messageCode: "invalid_link" });
    } finally {
      await late.close();
    }
  });

  test.each([
    ["another version", (url: string) => url.replace(/ver_[^/]+/, "ver_other")],
    ["another name", (url: string) => url.replace(".wav?", ".mp3?")],
    ["a longer life", (url: string) => url.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 60}`)],
    ["another signature", (url: string) => url.replace(/signature=.*/, "signature=AAAA")],
    ["no signature", (url: string) => url.replace(/&signature=.*/, "")],
    ["nothing", (url: string) => url.replace(/\?.*/, "")],
  ])("refuses a link changed to %s", async (_, change) => {
    const response = await app.request(change(link()));

    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ messageCode: "invalid_link" });
  });

  test("does not find a deleted version", async () => {
    const doomed = await addTrack("doomed.wav");
    const url = downloadUrl(app.deps, doomed);
    app.deps.db.delete(tracks).where(eq(tracks.id, doomed.trackId)).run();

    const response = await app.request(url);

    expect(response.status).toBe(404);
  });

  test.each([
    ["take two", "audio/wav", "take two.wav"],
    ["take.2", "audio/flac", "take.2.flac"],
    ["renamed.mp3", "audio/wav", "renamed.wav"],
    ["SHOUT.WAV", "audio/wav", "SHOUT.WAV"],
    ["song.aif", "audio/aiff", "song.aif"],
    ["AC/DC? 100% #1", "audio/mpeg", "AC/DC? 100% #1.mp3"],
    ["..", "audio/wav", "...wav"],
  ])("offers %p of type %s as %p", async (name, mediaType, filename) => {
    const url = downloadUrl(app.deps, { id: version.id, name, mediaType });

    const response = await app.request(url);

    expect(response.status).toBe(200);
    const [, encoded = ""] =
      /filename\*=UTF-8''(.*)$/.exec(response.headers.get("content-disposition") ?? "") ?? [];
    expect(decodeURIComponent(encoded)).toBe(filename);
  });

  test("begins links with the operator's public address", () => {
    const settings = { ...app.deps.settings, apiRoot: "https://music.example.com/api" };

    expect(downloadUrl({ ...app.deps, settings }, version)).toStartWith(
      "https://music.example.com/api/media/ver_",
    );
  });
});

const link = () => downloadUrl(app.deps, version);

async function addTrack(name: string): Promise<typeof versions.$inferSelect> {
  const key = app.createKey(app.createAccount().accountId);
  const form = new FormData();
  form.append("files", new File([new Uint8Array(bytes)], name));
  const { body } = await app.as(key)("POST", "/tracks/upload", form);
  const row = app.deps.db.select().from(versions).where(eq(versions.trackId, body.data.uploaded[0].id)).get();
  if (!row) throw new Error("the upload made no version");
  return row;
}
