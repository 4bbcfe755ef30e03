import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

const ADDRESS = "/openapi.json";

let app: TestApp;
let plain: string;
beforeAll(async () => {
  app = await createTestApp();
  plain = await (await fetchDocument()).text();
});
afterAll(() => app.close());

const fetchDocument = (headers: Record<string, string> = {}, method = "GET") =>
  app.request(ADDRESS, { method, headers: { "accept-encoding": "identity", ...headers } });

describe("the answer with the OpenAPI document", () => {
  test.each([
    ["br", "gzip, deflate, br, zstd", brotliDecompressSync],
    ["zstd", "zstd, gzip", zstdDecompressSync],
    ["gzip", "gzip;q=1.0", gunzipSync],
    ["gzip", "*, br;q=0, zstd;q=0", gunzipSync],
  ] as const)("is in %s for a client that accepts %p", async (encoding, accepted, unpack) => {
    const response = await fetchDocument({ "accept-encoding": accepted });

    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toContain("Accept-Encoding");
    const bytes = await response.bytes();
    expect(bytes.byteLength).toBeLessThan(plain.length / 10);
    expect(unpack(bytes).toString() === plain).toBe(true);
  });

  test("is plain for a client that accepts no encoding, and says that it varies", async () => {
    const response = await fetchDocument();

    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("vary")).toContain("Accept-Encoding");
    expect(JSON.parse(await response.text()).openapi).toBe("3.1.0");
  });

  describe("for openapi-generator", () => {
    type Shape = Record<string, Json>;
    let document: Shape;
    beforeAll(async () => {
      document = JSON.parse(await (await app.request(`${ADDRESS}?for=openapi-generator`)).text());
    });
    const everyShape = (value: Json): Shape[] =>
      typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(everyShape)] : [];

    test("leaves out webhooks and the bounds of lists of files", () => {
      const { webhooks, paths, components } = document;

      expect(webhooks).toBeUndefined();
      expect(components.schemas).toHaveProperty("TrackUpdatedEvent");
      const whole = JSON.parse(plain);
      const filesOf = (all: typeof paths) =>
        all["/api/v1/tracks/upload"].post.requestBody.content["multipart/form-data"].schema.properties.files;
      const { minItems, maxItems, ...files } = filesOf(whole.paths);
      expect([minItems, maxItems, filesOf(paths)]).toEqual([1, 25, files]);
      expect(Object.keys(paths)).toEqual(Object.keys(whole.paths));
    });

    test("has unions whose members cannot be taken for each other by the fields that they require", () => {
      const named = (member: Shape): Shape =>
        member.$ref ? document.components.schemas[member.$ref.split("/").at(-1)] : member;
      const unions: Shape[][] = everyShape(document)
        .filter(({ oneOf }) => Array.isArray(oneOf))
        .map(({ oneOf }) => oneOf.map(named));
      const pairs = unions.flatMap((members) =>
        members.flatMap((one) => members.filter((other) => other !== one).map((other) => ({ one, other }))),
      );
      const mistaken = pairs.filter(
        ({ one, other }) =>
          one.type === other.type && one.required.every((name: string) => name in other.properties),
      );

      expect(unions.length).toBeGreaterThan(10);
      expect(mistaken).toEqual([]);
      expect(everyShape(document).filter(({ anyOf }) => isPlainUnion(anyOf))).toEqual([]);
    });

    test("merges the refusals of an answer, and has a list where a text with commas would do too", () => {
      const { paths, components } = document;
      const added = paths["/api/v1/playlists/{playlistId}/tracks"].post.responses[200].content;
      const [, refusal] = added["application/json"].schema.properties.data.oneOf;

      expect(refusal.required).toEqual(["ok", "error"]);
      expect(refusal.properties.error.enum).toEqual(["PLAYLIST_NOT_FOUND", "TRACKS_NOT_FOUND"]);
      expect(refusal.properties).toHaveProperty("missing");
      expect(components.schemas.CreatePlaylist.properties.trackIds).toMatchObject({
        type: "array",
        description: "1 to 1000 track ids, in order; a track may be named more than once",
      });
    });

    test("says how large numbers can be, and has no constants but texts", () => {
      const { Version, AlbumFacts, AddedTracks } = document.components.schemas;

      expect(Version.properties.size.format).toBe("int64");
      expect(AlbumFacts.properties.durationSec.format).toBe("double");
      expect(AddedTracks.properties.ok).toEqual({ type: "boolean", description: "True: it was done" });
      const { parameters } = document.paths["/api/v1/listeners"].get;
      expect(parameters.find(({ name }: Shape) => name === "limit").schema.format).toBeUndefined();
    });
  });

  test.each(["for=swagger", "fro=openapi-generator"])("is refused with the parameter %s", async (query) => {
    expect((await app.request(`${ADDRESS}?${query}`)).status).toBe(400);
  });

  test("has a tag for each encoding, and is a 304 without a body for a client that has it", async () => {
    const [plainTag, packedTag] = await Promise.all(
      ["identity", "gzip"].map(async (encoding) =>
        (await fetchDocument({ "accept-encoding": encoding })).headers.get("etag"),
      ),
    );
    expect(plainTag).not.toBe(packedTag);

    const same = await fetchDocument({ "accept-encoding": "gzip", "if-none-match": packedTag ?? "" });
    const other = await fetchDocument({ "accept-encoding": "gzip", "if-none-match": plainTag ?? "" });
    expect([same.status, await same.text(), other.status]).toEqual([304, "", 200]);
    expect(same.headers.get("vary")).toContain("Accept-Encoding");
  });
});

describe("a server on its port", () => {
  let server: Bun.Server<undefined>;
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => app.app.front(request, "127.0.0.1"),
    });
  });
  afterAll(() => server.stop(true));

  test.each(["identity", "br"])(
    "answers HEAD for the document in %s as it answers GET, without the body",
    async (encoding) => {
      const headers = { "accept-encoding": encoding };
      const got = await fetch(`${server.url}openapi.json`, { headers, decompress: false });
      const { byteLength } = await got.bytes();
      const head = await fetch(`${server.url}openapi.json`, { method: "HEAD", headers, decompress: false });

      expect((await head.bytes()).byteLength).toBe(0);
      expect(head.headers.get("content-length")).toBe(String(byteLength));
      for (const field of ["etag", "content-encoding", "content-type", "vary"])
        expect(head.headers.get(field)).toBe(got.headers.get(field));
    },
  );

  test.each([
    ["header fields", `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(17_000)}\r\n\r\n`],
    ["a request line", `GET /health?${"a".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])("answers %s over 16 KiB with the documented 431, which has no body", async (_, request) => {
    const answer = await send(Number(server.port), request);

    expect(answer).toStartWith("HTTP/1.1 431 ");
    expect(answer.split("\r\n\r\n")[1]).toBe("");
    expect(JSON.parse(plain).info.description).toContain("16 KiB together are answered with 431");
  });
});

const isPlainUnion = (members: Json) =>
  Array.isArray(members) && !members.some(({ type }) => type === "null");

/** Returns all that a server answers on a connection until it closes it. */
function send(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
