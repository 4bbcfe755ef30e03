import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accounts, searches } from "../../db/schema.ts";
import { createLibrary, type Library } from "../contract/library.ts";
import { modernRequest } from "../mcp/support.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";

let app: TestApp;
let account: { accountId: string; email: string; token: string };
let key: string;
let library: Library;
let trackId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { registrationOpen: true } });
  account = app.createAccount();
  key = app.createKey(account.accountId);
  library = createLibrary(app, { ...account, key });
  trackId = await library.track();
});
afterAll(() => app.close());

/** Text that shows nothing: white space, and characters that fonts do not draw. */
const BLANKS = [" ", " \t\r\n\u00a0\u3000 ", "\u200b", " \u2060\ufeff\u00ad ", "\u3164\u115f", "\u2800"];

describe("a blank search", () => {
  const credits = (left: number) =>
    app.deps.db.update(accounts).set({ credits: left }).where(eq(accounts.id, account.accountId)).run();
  const left = () =>
    app.deps.db.select().from(accounts).where(eq(accounts.id, account.accountId)).get()?.credits;

  test.each(BLANKS.map((blank) => [blank]))(
    "a search for %j is refused, costs nothing and leaves no history",
    async (query) => {
      credits(3);

      const { status, body } = await app.as(key)("POST", "/tracks/search", { query });

      expect([status, body.messageCode, body.data.errors[0].path]).toEqual([
        400,
        "validation_failed",
        "query",
      ]);
      expect([left(), app.deps.db.select().from(searches).all()]).toEqual([3, []]);
    },
  );

  test("is refused by the tool, too", async () => {
    credits(3);
    const params = { name: "search_tracks", arguments: { query: " \u200b " } };

    const response = await app.request("/mcp", modernRequest("tools/call", params, { "x-api-key": key }));

    const { result } = await jsonOf(response);
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      "validation_failed: Invalid request: query: must not be blank",
    ]);
    expect(JSON.parse(result.content[1].text).errors[0]).toMatchObject({ path: "query" });
    expect(left()).toBe(3);
  });

  test("is refused as blank even when no credits are left", async () => {
    credits(0);

    const { body } = await app.as(key)("POST", "/tracks/search", { query: "  " });

    expect(body.messageCode).toBe("validation_failed");
  });
});

/** Every text that must not be blank: how to send it, and the field that the refusal names. */
const TEXTS: [
  what: string,
  path: string,
  send: (blank: string) => Promise<{ status: number; body: Json }>,
][] = [
  ["a playlist's name", "name", (name) => app.as(key)("POST", "/playlists", { name, trackIds: [trackId] })],
  ["a track's name", "name", (name) => app.as(key)("PATCH", `/tracks/details?id=${trackId}`, { name })],
  [
    "a composer's name",
    "fullName",
    (fullName) => app.as(key)("POST", "/composers", { fullName, email: "c@example.com" }),
  ],
  ["a brief's name", "name", (name) => app.signedIn(account.token)("POST", "/app/briefs", { name })],
  ["a key's name", "name", (name) => app.signedIn(account.token)("POST", "/integration/api-keys", { name })],
  [
    "a comment",
    "text",
    (text) => app.signedIn(account.token)("POST", `/app/tracks/${trackId}/comments`, { text }),
  ],
  [
    "a link's recipient",
    "recipient",
    (recipient) => app.signedIn(account.token)("POST", "/app/shares", { trackId, recipient }),
  ],
  [
    "a version's name",
    "name",
    async (name) => {
      const { body } = await app.as(key)("GET", `/tracks/${trackId}/versions`);
      return app.as(key)("PATCH", `/tracks/${trackId}/versions/${body.data.activeVersionId}`, { name });
    },
  ],
  [
    "a role in a track",
    "shareholders.0.role",
    (role) =>
      app.as(key)("PUT", `/tracks/shareholders?id=${trackId}`, {
        shareholders: [{ shareholderId: "shr_x", share: 1, role }],
      }),
  ],
  [
    "the name of a new account",
    "name",
    (name) =>
      app.signedIn("")("POST", "/auth/register", {
        name,
        email: "n@example.com",
        password: "a long password",
      }),
  ],
];

describe.each(TEXTS)("a blank text for %s", (_, path, send) => {
  test("is refused", async () => {
    for (const blank of [" ", "\u200b \u2060"]) {
      const { status, body } = await send(blank);

      expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
      expect(body.data.errors).toEqual([{ path, code: "blank", detail: "must not be blank" }]);
    }
  });
});
