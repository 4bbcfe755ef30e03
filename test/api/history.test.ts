import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accounts, tracks } from "../../db/schema.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

let app: TestApp;
let accountId: string;
let key: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  key = app.createKey(accountId);
  call = app.signedIn(account.token);
});

const search = async (body: object): Promise<Json> =>
  (await app.as(key)("POST", "/tracks/search", body)).body.data;
const setCredits = (credits: number | null) =>
  app.deps.db.update(accounts).set({ credits }).where(eq(accounts.id, accountId)).run();
const queriesOf = (body: Json) => body.data.map(({ query }: Json) => query);

describe("GET /app/searches", () => {
  test("lists searches, newest first, with their results and costs", async () => {
    addTracks(app, accountId, [{ title: "Cellar", tags: { genres: ["Techno"] } }]);
    setCredits(5);
    const first = await search({ query: "dark techno" });
    app.clock.advance(1000);
    setCredits(null);
    const second = await search({ query: "folk", constraints: { bpmRange: [1, 2] } });

    const { status, body } = await call("GET", "/app/searches");

    const keyId = key.split(".")[0];
    const at = app.clock.now();
    expect(status).toBe(200);
    expect(body.paging).toEqual({ limit: 50, next_cursor: null });
    expect(body.data).toEqual([
      {
        id: second.searchId,
        query: "folk",
        resultCount: 0,
        creditsCharged: 0,
        keyId,
        createdAt: new Date(at).toISOString(),
        madeBy: null,
      },
      {
        id: first.searchId,
        query: "dark techno",
        resultCount: 1,
        creditsCharged: 1,
        keyId,
        createdAt: new Date(at - 1000).toISOString(),
        madeBy: null,
      },
    ]);
  });

  test("returns pages, and refuses another account's cursor", async () => {
    for (const query of ["a", "b", "c"]) await search({ query });
    const other = app.signedIn(app.createAccount().token);

    const first = (await call("GET", "/app/searches?limit=2")).body;
    const cursor = first.paging.next_cursor;
    const second = (await call("GET", `/app/searches?limit=2&cursor=${cursor}`)).body;
    const wrong = await other("GET", `/app/searches?cursor=${cursor}`);

    expect([...queriesOf(first), ...queriesOf(second)]).toEqual(["c", "b", "a"]);
    expect(second.paging.next_cursor).toBeNull();
    expect(wrong).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await other("GET", "/app/searches")).body.data).toEqual([]);
    expect((await call("GET", "/app/searches?limit=201")).status).toBe(400);
  });
});

describe("GET /app/searches/{searchId}", () => {
  test("shows the query, how it was read, and the tracks as they are now", async () => {
    addTracks(app, accountId, [
      {
        title: "Cellar",
        artist: "Lumen Vale",
        bpm: 132,
        key: "A minor",
        durationSec: 371.5,
        tags: { genres: ["Techno"] },
      },
      { title: "Attic", bpm: 130, tags: { genres: ["Techno"] } },
      { title: "Sunday", bpm: 90 },
    ]);
    const request = { limit: 2, constraints: { bpmRange: [120, 140] } };
    const found = await search({ query: "Cellar, dark techno", ...request });
    app.deps.db.update(tracks).set({ title: "Cellar II" }).where(eq(tracks.title, "Cellar")).run();

    const { status, body } = await call("GET", `/app/searches/${found.searchId}`);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: found.searchId,
      query: "Cellar, dark techno",
      request,
      interpretation: found.interpretation,
      resultCount: 2,
    });
    expect(body.data.results.map(({ id }: Json) => id)).toEqual(found.results.map(({ id }: Json) => id));
    expect(body.data.results[0]).toEqual({
      id: found.results[0].id,
      title: "Cellar II",
      artist: "Lumen Vale",
      durationSec: 371.5,
      bpm: 132,
      key: "A minor",
    });
  });

  test("leaves out deleted tracks, but still shows how many were found", async () => {
    addTracks(app, accountId, [{ title: "Techno Cellar" }, { title: "Techno Attic" }]);
    const found = await search({ query: "techno" });
    app.deps.db.delete(tracks).where(eq(tracks.title, "Techno Attic")).run();

    const { body } = await call("GET", `/app/searches/${found.searchId}`);

    expect(body.data).toMatchObject({ resultCount: 2, results: [{ title: "Techno Cellar" }] });
  });

  test("does not find another account's search", async () => {
    const { searchId } = await search({ query: "secret" });
    const other = app.signedIn(app.createAccount().token);

    const foreign = await other("GET", `/app/searches/${searchId}`);
    const none = await other("GET", "/app/searches/srch_none");

    expect(foreign).toMatchObject({ status: 404, body: { messageCode: "search_not_found" } });
    expect(foreign.body).toEqual(none.body);
  });
});

describe("GET /app/credits", () => {
  test("is unlimited by default, but still counts searches", async () => {
    await search({ query: "a" });

    const { status, body } = await call("GET", "/app/credits");

    expect(status).toBe(200);
    expect(body.data).toEqual({ credits: null, unlimited: true, searches: 1, charged: 0 });
  });

  test("goes down by one per search, to zero", async () => {
    setCredits(2);
    await search({ query: "a" });
    const one = await call("GET", "/app/credits");
    await search({ query: "b" });
    await search({ query: "c" });
    const none = await call("GET", "/app/credits");

    expect(one.body.data).toEqual({ credits: 1, unlimited: false, searches: 1, charged: 1 });
    expect(none.body.data).toEqual({ credits: 0, unlimited: false, searches: 2, charged: 2 });
  });
});

test.each(["/app/searches", "/app/searches/srch_x", "/app/credits"])(
  "GET %s needs a session, not a key",
  async (path) => {
    const bare = await app.request(path);
    const withKey = await app.request(path, { headers: { "x-api-key": key } });

    for (const response of [bare, withKey])
      expect(await response.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
  },
);
