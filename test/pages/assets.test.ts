import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createTestApp, type TestApp } from "../support/app.ts";
import { createVisitor } from "./visitor.ts";

let app: TestApp;
let paths: string[];
beforeAll(async () => {
  app = await createTestApp();
  app.createAccount();
  const { text } = await createVisitor(app).open("/signin");
  paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
});
afterAll(() => app.close());

describe("files of the pages", () => {
  test("are named for their content and cached for good", async () => {
    expect(paths.map((path) => path.replace(/\.[0-9a-f]{12}\./, ".HASH."))).toEqual([
      "/assets/icon.HASH.svg",
      "/assets/main.HASH.css",
      "/assets/figtree-latin.HASH.woff2",
    ]);
    for (const path of paths) {
      const response = await app.request(path);

      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const known = { headers: { "if-none-match": response.headers.get("etag") ?? "" } };
      expect((await app.request(path, known)).status).toBe(304);
    }
  });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("are sent as %s to browsers that accept it, with the same content", async (encoding, unpack) => {
    const [, path = ""] = paths;
    const plain = await (await app.request(path)).bytes();

    const packed = await app.request(path, { headers: { "accept-encoding": encoding } });

    expect(packed.headers.get("content-encoding")).toBe(encoding);
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");
    const bytes = await packed.bytes();
    expect(bytes.length).toBeLessThan(plain.length / 2);
    expect(Buffer.from(unpack(bytes))).toEqual(Buffer.from(plain));
  });

  test("include the font, which is sent as it is, under the names that the style sheet has", async () => {
    const [, style = "", latin = ""] = paths;
    const css = await (await app.request(style)).text();
    const named = [...css.matchAll(/url\("?([^")]+\.woff2)"?\)/g)].map(([, name]) => `/assets/${name}`);

    const fonts = await Promise.all(
      named.map((path) => app.request(path, { headers: { "accept-encoding": "br, gzip" } })),
    );

    expect(named).toHaveLength(2);
    expect(named).toContain(latin);
    expect(css).toContain("font-display:swap");
    for (const font of fonts) {
      expect([font.status, font.headers.get("content-type")]).toEqual([200, "font/woff2"]);
      expect(font.headers.get("content-encoding")).toBeNull();
      const bytes = await font.bytes();
      expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe("wOF2");
      expect(bytes.length).toBeLessThan(25_000);
    }
  });

  test("a file of another build is not found", async () => {
    expect((await app.request("/assets/main.000000000000.css")).status).toBe(404);
    expect((await app.request("/assets/..%2Fmain.ts")).status).toBe(404);
  });
});

test("a page loads only content from this server, and may not be framed or indexed", async () => {
  const { headers, text } = await createVisitor(app).open("/signin");

  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
      "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("x-robots-tag")).toContain("noindex");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(text).not.toMatch(/ style="|<style|<script(?! src)| on\w+="/);
});
