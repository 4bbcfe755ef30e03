import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { partialPath } from "../../src/blobs/partial.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

/** A library with two accounts, and what the version before people answered to them. See the README of the fixtures. */
const FOLDER = join(import.meta.dir, "../fixtures/library-before-people");
const read = (name: string) => gunzipSync(readFileSync(join(FOLDER, name)));
const before = JSON.parse(read("answers.json.gz").toString());

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ database: read("library.db.gz"), settings: { networkAllow: ["127.0.0.1:9"] } });
  app.clock.advance(before.now - app.clock.now());
});
afterAll(() => app.close());

const HEADERS: Record<string, Record<string, string>> = {
  session: { authorization: `Bearer ${before.sessionToken}` },
  key: { "x-api-key": before.key },
  platform: { "x-api-key": before.platformKey },
};
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Addresses of files are signed anew in every answer, and since there are members, for a member. */
const unsigned = (body: string) => body.replace(/signature=[\w-]+(&m=\w+)?/g, "signature");

describe("a library from before people, opened by this version", () => {
  test.each<[string, string]>(before.answers.map(({ path, as }: Json) => [path, as]))(
    "answers %s with all that it answered before",
    async (path, as) => {
      const { body, status } = before.answers.find((answer: Json) => answer.path === path);

      const response = await app.request(path, { headers: HEADERS[as] ?? {} });

      expect(response.status).toBe(status);
      expect(JSON.parse(unsigned(await response.text()))).toMatchObject(JSON.parse(unsigned(body)));
    },
  );

  test("lets its owner in by every door that was open", async () => {
    const cookie = await app.request("/auth/session", {
      headers: { cookie: `dubplate_session=${before.cookie}` },
    });
    const login = await post("/auth/login", { email: "ana@example.com", password: before.password });
    const tools = await app.request("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        authorization: `Bearer ${before.accessToken}`,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_track_count", arguments: {} },
      }),
    });
    const refreshed = await app.request("/oauth/token", {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: before.refreshToken,
        client_id: before.clientId,
      }),
    });

    expect([cookie.status, login.status, tools.status, refreshed.status]).toEqual([200, 200, 200, 200]);
    const signedIn: Json = await login.json();
    expect(signedIn.data.user).toEqual({
      id: before.accountId,
      email: "ana@example.com",
      name: "Ana",
    });
  });

  test("opens the pages of its links", async () => {
    for (const url of [before.openShareUrl, before.publicLink, before.shareUrl, before.resetUrl])
      expect((await app.request(url)).status).toBe(200);
  });

  test("goes on with an upload where it was", async () => {
    const path = partialPath(app.deps.settings, before.upload.split("/").at(-1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, new Uint8Array(400));

    const head = await app.request(before.upload, {
      method: "HEAD",
      headers: { ...HEADERS.session, "tus-resumable": "1.0.0" },
    });

    expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "400"]);
  });

  test("knows an Idempotency-Key that was used before", async () => {
    const { path, body, headers, answer } = before.once;

    // Straight from the door: what was stored has none of the fields that came since.
    const again = await app.app.front(
      new Request(`http://127.0.0.1:4747${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...HEADERS.session, ...headers },
        body: JSON.stringify(body),
      }),
      "127.0.0.1",
    );

    expect(await again.text()).toBe(answer);
  });

  test("has one person for each account, who owns its library", () => {
    const rows = app.deps.db.$client
      .query(
        `SELECT p.id = m.account_id AND m.person_id = p.id AS same, role, sees_splits, sees_listening, ends_at, operator
         FROM people p JOIN members m ON m.person_id = p.id ORDER BY p.created_at, p.id`,
      )
      .all();

    const owner = { same: 1, role: "owner", sees_splits: 1, sees_listening: 1, ends_at: null };
    expect(rows).toEqual([
      { ...owner, operator: 1 },
      { ...owner, operator: 0 },
    ]);
    expect(app.deps.db.$client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  });
});

test("a program that somebody let in ends with their membership, and so does what it would renew", async () => {
  const other = await createTestApp({ database: read("library.db.gz") });
  other.clock.advance(before.now - other.clock.now());
  other.deps.db.$client.run("DELETE FROM members WHERE person_id = ?", [before.accountId]);

  const call = await other.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${before.accessToken}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const refreshed = await other.request("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: before.refreshToken,
      client_id: before.clientId,
    }),
  });
  const answer: Json = await refreshed.json();

  expect([call.status, refreshed.status, answer.error]).toEqual([401, 400, "invalid_grant"]);
  await other.close();
});
