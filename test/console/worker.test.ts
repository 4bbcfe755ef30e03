import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: { publicUrl: "https://music.example/dub" } });
});
afterAll(() => app.close());

test("the worker is one script for everybody, may control the console alone, and is asked for anew", async () => {
  const answer = await app.request("/library/sw.js");
  const script = await answer.text();

  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
  expect(answer.headers.get("service-worker-allowed")).toBe("/dub/library");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(answer.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'",
  );
  expect(script).not.toMatch(/\bimport(Scripts)?\b/);
  const etag = answer.headers.get("etag") ?? "";
  expect((await app.request("/library/sw.js", { headers: { "if-none-match": etag } })).status).toBe(304);
});

test("what the worker keeps for itself is there, and is all that the offline document loads", async () => {
  const script = await (await app.request("/library/sw.js")).text();
  const shell = JSON.parse(/^const SHELL = (.*);$/m.exec(script)?.[1] ?? "");
  const answer = await app.request("/library/offline");
  const html = await answer.text();

  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(shell.document).toBe("/dub/library/offline");
  const loaded = [...html.matchAll(/(?:src|href)="(\/dub\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(loaded.length).toBe(3);
  expect(shell.files).toEqual(expect.arrayContaining(loaded));
  for (const file of shell.files) expect((await app.request(file.replace("/dub", ""))).status).toBe(200);
});

test("the offline document says nothing of anybody", async () => {
  const { accountId, token } = app.createAccount("mara@example.com");
  const asMara = { headers: { cookie: `dubplate_session=${token}` } };

  const [hers, theirs] = await Promise.all(
    [asMara, {}].map(async (options) => (await app.request("/library/offline", options)).text()),
  );

  expect(hers).toBe(theirs ?? "");
  expect(hers).not.toContain(accountId);
});
