import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { transact } from "../../db/client.ts";
import { recordActivity } from "../../src/modules/library/analytics/service.ts";
import { partsOf, placesSql } from "../../src/modules/library/desk/table/queries.ts";
import { type SortName, TABLE_SORTS } from "../../src/modules/library/desk/table/shapes.ts";
import { type Answer, createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow, CREATED_AT, type TrackOptions } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A new account, signed in, with tracks. */
function owner(tracks: readonly TrackOptions[] = []) {
  const { accountId, token } = app.createAccount();
  const added = tracks.map((track) => addTrackRows(app.deps.db, accountId, track));
  const web = app.signedIn(token);
  const table = (query = "") => web("GET", `/app/tracks?${query}`);
  return {
    accountId,
    web,
    table,
    ids: added.map(({ id }) => id),
    versionIds: added.map((each) => each.versionId),
  };
}

const names = ({ body }: { body: Json }) => body.data.map(({ name }: { name: string }) => name);
const SORTS = TABLE_SORTS.flatMap((sort): SortName[] => [sort, `-${sort}`]);
const HOUR_MS = 3_600_000;

function play(ownerId: string, trackId: string, times: number) {
  const { db, now } = app.deps;
  const what = { ownerId, entity: "track", entityId: trackId, metric: "plays" } as const;
  transact(db, (tx) => {
    for (let time = 0; time < times; time++)
      recordActivity(tx, { ...what, actor: { type: "visitor", name: null } }, now());
  });
}

describe("GET /app/tracks", () => {
  test("shows suggested tags until the owner tags the track", async () => {
    const { table, ids, web } = owner([
      { name: "Fresh", measured: {} },
      { name: "Tagged", tags: { genres: ["House"] }, measured: {} },
    ]);
    const suggest = app.deps.db.$client.query(
      "INSERT INTO tag_suggestions (track_id, category, tag_id, name, confidence, model_version) VALUES (?, ?, ?, ?, ?, 'x')",
    );
    for (const id of ids)
      for (const [category, tag, confidence] of [
        ["genres", "Techno", 0.6],
        ["genres", "Ambient", 0.8],
        ["moods", "Calm", 0.7],
        ["instruments", "Piano", 0.9],
      ] as const)
        suggest.run(id, category, `tag_${category}_${tag}`, tag, confidence);
    const heard = async () =>
      (await table("sort=name")).body.data.map((row: Json) => [row.name, row.genres, row.heard]);

    const fresh = await heard();
    await web("POST", `/app/tracks/${ids[0]}/tags`, { edits: [{ category: "genres", add: ["Techno"] }] });
    const confirmed = await heard();

    expect(fresh).toEqual([
      ["Fresh", [], ["Ambient", "Techno", "Calm"]],
      ["Tagged", ["House"], ["Calm"]],
    ]);
    expect(confirmed[0]).toEqual(["Fresh", ["Techno"], ["Calm"]]);
  });

  test("gives each track as a flat row", async () => {
    const { table, ids, versionIds, accountId } = owner([
      {
        name: "Night Bus (final).wav",
        title: "Night Bus",
        artist: "Someone",
        bpm: 122.04,
        key: "F minor",
        durationSec: 187.25,
        cover: "ab".repeat(16),
        tags: { genres: ["House", "Ambient"], moods: ["Dreamy"], instruments: ["Piano"] },
        measured: {},
      },
    ]);
    addVersionRow(app.deps.db, ids[0] ?? "", { versionOrder: 1, label: "v2" });
    play(accountId, ids[0] ?? "", 3);

    const { status, body } = await table();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        {
          id: ids[0],
          name: "Night Bus (final).wav",
          title: "Night Bus",
          artist: "Someone",
          cover: expect.stringContaining(`/artwork/${"ab".repeat(16)}`),
          activeVersionId: versionIds[0],
          activeLabel: null,
          versions: 2,
          bpm: 122.04,
          key: "F minor",
          durationSec: 187.25,
          genres: ["House", "Ambient"],
          moods: ["Dreamy"],
          plays: 3,
          status: "completed",
          code: null,
          reason: null,
          visible: true,
          createdAt: "2026-01-15T12:30:00.000Z",
        },
      ],
      paging: { limit: 50, next_cursor: null, total: 1 },
    });
  });

  test("says where a browser gets the sound of a row, the same for ten minutes", async () => {
    const { table, versionIds } = owner([{ measured: { integratedLufs: -9.5, truePeakDbtp: -0.3 } }]);

    const [row] = (await table()).body.data;
    app.clock.advance(1000);
    const [again] = (await table()).body.data;
    app.clock.advance(11 * 60_000);
    const [later] = (await table()).body.data;

    const { pathname, searchParams } = new URL(row.playbackUrl);
    expect(pathname).toStartWith(`/media/${versionIds[0]}/`);
    expect(Number(searchParams.get("expires")) * 1000).toBeGreaterThanOrEqual(
      app.clock.now() + HOUR_MS - 11 * 60_000 - 1000,
    );
    expect(again.playbackUrl).toBe(row.playbackUrl);
    expect(later.playbackUrl).not.toBe(row.playbackUrl);
    expect(row).toMatchObject({ integratedLufs: -9.5, truePeakDbtp: -0.3 });
  });

  test("says what is not known yet, why an analysis failed, and what is hidden", async () => {
    const { table } = owner([
      {
        name: "a",
        visible: false,
        analysisStatus: "failed",
        analysisCode: "damaged",
        analysisReason: "It is damaged",
      },
      { name: "b" },
    ]);

    const { body } = await table("sort=name");

    const unknown = {
      artist: null,
      bpm: null,
      key: null,
      durationSec: null,
      cover: null,
      genres: [],
      moods: [],
    };
    expect(body.data).toMatchObject([
      { title: "a", status: "failed", code: "damaged", reason: "It is damaged", visible: false, ...unknown },
      { title: "b", status: "pending", code: null, reason: null, visible: true, plays: 0, ...unknown },
    ]);
  });

  test("is a 304 while nothing changes, and an answer again after a change", async () => {
    const { table, web, ids, accountId } = owner([{ name: "a" }]);
    const etag = (await table()).headers.get("etag") ?? "";

    const same = await web("GET", "/app/tracks", undefined, { "if-none-match": etag });
    const key = app.createKey(accountId);
    await app.as(key)("PATCH", `/tracks/details?id=${ids[0]}`, { title: "Other" });
    const changed = await web("GET", "/app/tracks", undefined, { "if-none-match": etag });

    expect([same.status, changed.status, changed.body.data[0].title]).toEqual([304, 200, "Other"]);
  });

  test("shows no track of another account", async () => {
    owner([{ name: "theirs" }]);
    const { table } = owner([{ name: "mine" }]);

    expect(names(await table())).toEqual(["mine"]);
  });

  test("needs a session", async () => {
    const { accountId } = owner();

    const nobody = await app.request("/app/tracks");
    const byKey = await app.request("/app/tracks", { headers: { "x-api-key": app.createKey(accountId) } });

    expect([nobody.status, byKey.status]).toEqual([401, 401]);
  });

  test("counts the plays of this month only", async () => {
    const { table, ids, accountId } = owner([{ name: "old" }, { name: "new" }, { name: "none" }]);
    play(accountId, ids[0] ?? "", 5);
    app.clock.advance(20 * 24 * HOUR_MS);
    play(accountId, ids[1] ?? "", 2);

    const { body } = await table("sort=-plays");

    expect(body.data.map((row: Json) => [row.name, row.plays])).toEqual([
      ["new", 2],
      ["old", 0],
      ["none", 0],
    ]);
  });

  test("shows a change of details, tags and versions by the time of the row", async () => {
    const { table, ids, accountId } = owner([{ name: "a" }, { name: "b" }, { name: "c" }]);
    const api = app.as(app.createKey(accountId));
    const before = await table("sort=-updated_at");

    await api("PATCH", `/tracks/tags?id=${ids[0]}`, { genres: ["House"] });
    const after = await table("sort=-updated_at&limit=1");

    expect(names(before)).toEqual(["c", "b", "a"]);
    expect(names(after)).toEqual(["a"]);
    expect(after.body.data[0].updatedAt > before.body.data[2].updatedAt).toBe(true);
  });
});

describe("sort", () => {
  const library: TrackOptions[] = [
    { name: "z.wav", title: "Ábend", artist: "éric", bpm: 99.5, key: "F minor", durationSec: 60, tags: { genres: ["House"] } },
    { name: "b.wav", artist: "Zoe", bpm: 174, key: "a minor", durationSec: 600, tags: { moods: ["Happy"] } },
    { name: "a.wav", bpm: 60, tags: { genres: ["Ambient"] } },
    { name: "c.wav", artist: "amy", key: "C major", durationSec: 61 },
  ]; // biome-ignore format: a table

  test.each([
    ["name", ["a.wav", "z.wav", "b.wav", "c.wav"]],
    ["-name", ["c.wav", "b.wav", "z.wav", "a.wav"]],
    ["artist", ["c.wav", "z.wav", "b.wav", "a.wav"]],
    ["-artist", ["b.wav", "z.wav", "c.wav", "a.wav"]],
    ["bpm", ["a.wav", "z.wav", "b.wav", "c.wav"]],
    ["-bpm", ["b.wav", "z.wav", "a.wav", "c.wav"]],
    ["key", ["b.wav", "c.wav", "z.wav", "a.wav"]],
    ["-key", ["z.wav", "c.wav", "b.wav", "a.wav"]],
    ["duration", ["z.wav", "c.wav", "b.wav", "a.wav"]],
    ["-duration", ["b.wav", "c.wav", "z.wav", "a.wav"]],
    ["tags", ["a.wav", "b.wav", "z.wav", "c.wav"]],
    ["-tags", ["z.wav", "b.wav", "a.wav", "c.wav"]],
    ["created_at", ["z.wav", "b.wav", "a.wav", "c.wav"]],
    ["-created_at", ["c.wav", "a.wav", "b.wav", "z.wav"]],
  ])("the table sorts by %s, with missing values last", async (sort, expected) => {
    const { table } = owner(
      library.map((track, hour) => ({ ...track, createdAt: CREATED_AT + hour * HOUR_MS })),
    );

    expect(names(await table(`sort=${sort}`))).toEqual(expected);
  });

  test("the table is sorted by versions", async () => {
    const { table, ids } = owner([{ name: "one" }, { name: "two" }]);
    addVersionRow(app.deps.db, ids[1] ?? "", { versionOrder: 1 });

    expect([names(await table("sort=versions")), names(await table("sort=-versions"))]).toEqual([
      ["one", "two"],
      ["two", "one"],
    ]);
  });

  test.each(SORTS)("%s reads its index alone, before and behind what has no value", (sort) => {
    for (const part of partsOf(sort)) {
      const plan = app.deps.db.$client
        .query<{ detail: string }, []>(
          `EXPLAIN QUERY PLAN ${placesSql(sort, part, []).replace(/\$\w+/g, "1")}`,
        )
        .all()
        .map(({ detail }) => detail);

      expect(plan).toEqual([
        expect.stringMatching(/^SEARCH r USING COVERING INDEX track_rows_by_\w+ \(owner_id=\? /),
      ]);
    }
  });
});

/** Returns the answers of a walk by cursor. */
async function walk(table: (query: string) => Promise<Answer>, query: string): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1).paging.next_cursor)
    pages.push((await table(`${query}${cursor && `&cursor=${cursor}`}`)).body);
  return pages;
}

describe("paging", () => {
  test("the table gives every row once and in the same order by cursor and by position, whatever sort and filter", async () => {
    const random = fc.sample(
      fc.record({
        name: fc.constantFrom("a", "b", "É", "zz"),
        artist: fc.option(fc.constantFrom("x", "Y", "é"), { nil: undefined }),
        bpm: fc.option(fc.integer({ min: 60, max: 64 }), { nil: undefined }),
        key: fc.option(fc.constantFrom("A minor", "C major"), { nil: undefined }),
        durationSec: fc.option(fc.constantFrom(10.5, 20, 30), { nil: undefined }),
        visible: fc.boolean(),
        tags: fc.constantFrom({}, { genres: ["House"] }, { genres: ["Ambient"], moods: ["Happy"] }),
      }),
      { numRuns: 60, seed: 15 },
    );
    const { table } = owner(
      random.map((track) =>
        Object.fromEntries(Object.entries(track).filter(([, value]) => value !== undefined)),
      ),
    );

    for (const sort of SORTS)
      for (const filter of ["", "&visible=true", "&bpmMin=62"]) {
        const whole = await table(`sort=${sort}&limit=200${filter}`);
        const ids: string[] = whole.body.data.map(({ id }: Json) => id);
        expect(whole.body.paging).toEqual({ limit: 200, next_cursor: null, total: ids.length });

        const pages = await walk(table, `sort=${sort}&limit=7${filter}`);
        expect(pages.flatMap(({ data }) => data.map(({ id }: Json) => id))).toEqual(ids);
        expect(new Set(pages.map(({ paging }) => paging.total))).toEqual(new Set([ids.length]));

        for (const position of [0, 3, ids.length - 8, ids.length - 1, ids.length, ids.length + 5]) {
          const { body } = await table(`sort=${sort}&limit=6${filter}&position=${position}`);
          expect(body.data.map(({ id }: Json) => id)).toEqual(ids.slice(position, position + 6));
        }
      }
  });

  test("goes on from a jump by its cursor", async () => {
    const { table } = owner(Array.from({ length: 9 }, (_, index) => ({ name: `${index}` })));

    const jumped = await table("sort=name&limit=3&position=4");
    const next = await table(`sort=name&limit=3&cursor=${jumped.body.paging.next_cursor}`);

    expect([names(jumped), names(next)]).toEqual([
      ["4", "5", "6"],
      ["7", "8"],
    ]);
  });

  test("survives that the row of its cursor is deleted", async () => {
    const { table, web, ids } = owner(["a", "b", "c"].map((name) => ({ name })));
    const { body } = await table("sort=name&limit=2");
    await web("DELETE", `/app/tracks/${ids[1]}`);

    expect(names(await table(`sort=name&limit=2&cursor=${body.paging.next_cursor}`))).toEqual(["c"]);
  });
});

describe("filters", () => {
  const library: TrackOptions[] = [
    { name: "one.wav", title: "Slow", artist: "Zoë", bpm: 70, key: "Gbm", durationSec: 100, tags: { genres: ["House"] } },
    { name: "two.wav", bpm: 124, key: "F# minor", durationSec: 200, tags: { genres: ["House"], moods: ["Happy"] } },
    { name: "three.wav", bpm: 125, key: "A major", analysisStatus: "completed" },
    { name: "four.wav", visible: false, analysisStatus: "failed" },
  ]; // biome-ignore format: a table

  test.each([
    ["q=ZOE", ["one.wav"]],
    ["q=slow", ["one.wav"]],
    ["q=.wav", ["four.wav", "one.wav", "three.wav", "two.wav"]],
    ["q=%25", []],
    ["tags=house", ["one.wav", "two.wav"]],
    ["tags=house,happy&tagMode=all", ["two.wav"]],
    ["untagged=true", ["four.wav", "three.wav"]],
    ["untagged=false", ["one.wav", "two.wav"]],
    ["status=failed", ["four.wav"]],
    ["status=completed,pending", ["one.wav", "three.wav", "two.wav"]],
    ["visible=true", ["one.wav", "three.wav", "two.wav"]],
    ["visible=false", ["four.wav"]],
    ["key=11A", ["one.wav", "two.wav"]],
    ["key=gb%20minor,A%20major", ["one.wav", "three.wav", "two.wav"]],
    ["key=C%20major", []],
    ["bpmMin=124", ["three.wav", "two.wav"]],
    ["bpmMax=124", ["one.wav", "two.wav"]],
    ["bpmMin=71&bpmMax=124.5", ["two.wav"]],
    ["durationMinSec=150", ["two.wav"]],
    ["durationMaxSec=150", ["one.wav"]],
    ["tags=house&bpmMin=100&q=two", ["two.wav"]],
    ["createdAfter=2026-01-15&createdBefore=2026-01-15", ["four.wav", "one.wav", "three.wav", "two.wav"]],
    ["createdAfter=2026-01-16", []],
  ])("the table is filtered by %s", async (query, expected) => {
    const { table } = owner(library);

    const page = await table(`${query}&sort=created_at`);

    expect(names(page).sort()).toEqual(expected);
    expect(page.body.paging.total).toBe(expected.length);
  });

  test.each([
    ["sort=title", "sort"],
    ["status=done", "status"],
    ["key=H%20moll", "key"],
    ["bpmMin=fast", "bpmMin"],
    ["visible=maybe", "visible"],
    ["position=-1", "position"],
    ["createdAfter=2026-02-30", "createdAfter"],
    ["cursor=nonsense", "cursor"],
    ["limit=201", "limit"],
  ])("the filter %s is refused", async (query, path) => {
    const { status, body } = await owner().table(query);

    expect([status, body.messageCode, body.data.errors[0].path]).toEqual([400, "validation_failed", path]);
  });

  test("a cursor is refused with a position, another filter, another sort or by another account", async () => {
    const [mine, theirs] = [owner(library), owner(library)];
    const { next_cursor } = (await mine.table("limit=1")).body.paging;

    const refused = await Promise.all([
      mine.table(`limit=1&cursor=${next_cursor}&position=1`),
      mine.table(`limit=1&cursor=${next_cursor}&bpmMin=1`),
      mine.table(`limit=1&cursor=${next_cursor}&sort=name`),
      theirs.table(`limit=1&cursor=${next_cursor}`),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});
