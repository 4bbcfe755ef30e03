import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, CREATED_AT } from "../support/track-rows.ts";

const hash = (letter: string) => letter.repeat(64);

let app: TestApp;
let call: ReturnType<TestApp["as"]>;
let accountId: string;
beforeAll(async () => {
  app = await createTestApp();
  ({ accountId } = app.createAccount());
  call = app.as(app.createKey(accountId));
  const add = (cid: string, name: string, createdAt = CREATED_AT) =>
    addTrackRows(app.deps.db, accountId, { cid, name, createdAt });
  add(hash("a"), "alone.wav");
  add(hash("c"), "c2.wav", CREATED_AT + 2);
  add(hash("c"), "c1.wav", CREATED_AT + 1);
  add(hash("b"), "b1.wav", CREATED_AT + 1);
  add(hash("b"), "b2.wav", CREATED_AT + 2);
  for (const order of [3, 1, 2]) add(hash("d"), `d${order}.wav`, CREATED_AT + order);
  add("", "waits.wav");
  add("", "waits too.wav");
  // The same bytes in another account must not count.
  addTrackRows(app.deps.db, app.createAccount().accountId, { cid: hash("a") });
});
afterAll(() => app.close());

const duplicates = async (query = "") => (await call("GET", `/tracks/duplicates${query}`)).body.data;
const TOTALS = { totalGroups: 3, duplicateTrackCount: 7, missingCid: 2, scannedTracks: 10 };

describe("GET /tracks/duplicates", () => {
  test("lists the largest groups first, then by hash, each with its tracks, oldest first", async () => {
    const data = await duplicates();

    expect(data).toMatchObject({ ...TOTALS, paging: { limit: 20, offset: 0 } });
    expect(data.groups.map(({ cid, count }: { cid: string; count: number }) => [cid, count])).toEqual([
      [hash("d"), 3],
      [hash("b"), 2],
      [hash("c"), 2],
    ]);
    expect(
      data.groups.map((group: { tracks: { name: string }[] }) => group.tracks.map(({ name }) => name)),
    ).toEqual([
      ["d1.wav", "d2.wav", "d3.wav"],
      ["b1.wav", "b2.wav"],
      ["c1.wav", "c2.wav"],
    ]);
    expect(data.groups[0].tracks[0]).toEqual({
      id: expect.stringMatching(/^trk_/),
      name: "d1.wav",
      createdAt: new Date(CREATED_AT + 1).toISOString(),
    });
  });

  test("pages by offset, and counts the whole library on every page", async () => {
    const page = await duplicates("?limit=1&offset=1");

    expect(page).toMatchObject({ ...TOTALS, paging: { limit: 1, offset: 1 } });
    expect(page.groups.map(({ cid }: { cid: string }) => cid)).toEqual([hash("b")]);
    expect((await duplicates("?offset=3")).groups).toEqual([]);
    expect(await duplicates("?limit=100&offset=1000000000")).toMatchObject({ ...TOTALS, groups: [] });
  });

  test("lists no groups for an empty library", async () => {
    const { body } = await app.as(app.createKey(app.createAccount().accountId))("GET", "/tracks/duplicates");

    expect(body.data).toEqual({
      groups: [],
      totalGroups: 0,
      duplicateTrackCount: 0,
      missingCid: 0,
      scannedTracks: 0,
      sameAudio: [],
      totalSameAudio: 0,
      similar: [],
      totalSimilar: 0,
      paging: { limit: 20, offset: 0 },
    });
  });

  test.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "offset=-1", "offset=x", "offset=1e20"])(
    "refuses %s",
    async (query) => {
      const { status, body } = await call("GET", `/tracks/duplicates?${query}`);

      expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    },
  );

  test("needs a key that may read tracks", async () => {
    const refused = await app.as(app.createKey(accountId, ["update:tracks"]))("GET", "/tracks/duplicates");

    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect((await app.request("/api/v1/tracks/duplicates")).status).toBe(401);
  });

  test("finds groups using only the index", () => {
    const plan = app.deps.db.$client
      .query<{ detail: string }, []>(
        "EXPLAIN QUERY PLAN SELECT cid, count(*) FROM tracks WHERE owner_id = 'x' AND cid > '' GROUP BY cid",
      )
      .all();

    expect(plan.map(({ detail }) => detail).join()).toContain("COVERING INDEX tracks_by_owner_cid");
  });
});
