import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openDb } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { updateTrack } from "../../src/modules/library/catalog/service.ts";
import { type PageShape, pageSql } from "../../src/modules/library/tracks/queries.ts";
import type { TrackSort } from "../../src/modules/library/tracks/shapes.ts";
import { createWait } from "../../src/modules/library/tracks/wait.ts";
import { type Answer, createTestApp, type TestApp } from "../support/app.ts";
import { openEmptyAt } from "../support/empty-library.ts";
import { addTrackRows, CREATED_AT, MEASURED } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes a new account and returns its id, and its API with a key that may read tracks. */
function reader() {
  const { accountId } = app.createAccount();
  return { accountId, api: app.as(app.createKey(accountId, ["read:tracks"])), db: app.deps.db };
}

const HOUR_MS = 3_600_000;
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

describe("GET /tracks", () => {
  test("returns every documented field of a track except shareholders", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, {
      name: "Night Bus (final).wav",
      cid: "cd".repeat(32),
      title: "Night Bus",
      artist: "Someone",
      bpm: 122.04,
      key: "F minor",
      durationSec: 187.25,
      tags: { genres: ["House", "Ambient"], moods: ["Dreamy"], instruments: ["Piano"], tags: ["for radio"] },
      measured: {},
    });

    const { status, body } = await api("GET", "/tracks");

    expect(status).toBe(200);
    expect(body).toEqual({
      status: 200,
      messageCode: 200,
      message: "OK",
      data: [
        {
          id,
          name: "Night Bus (final).wav",
          createdAt: "2026-01-15T12:30:00.000Z",
          cid: "cd".repeat(32),
          audio_profile: {
            title: "Night Bus",
            artist: "Someone",
            bpm: 122.04,
            key: "F minor",
            durationSec: 187.25,
            genres: [
              { genre: { id: expect.any(String), name: "House" } },
              { genre: { id: expect.any(String), name: "Ambient" } },
            ],
            moods: [{ mood: { id: expect.any(String), name: "Dreamy" } }],
          },
          link: null,
          analysis: { status: "completed" },
          visible: true,
        },
      ],
      paging: { limit: 50, next_cursor: null },
    });
  });

  test("returns nulls and empty lists for unknown values, and includes hidden tracks", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { visible: false });

    const { body } = await api("GET", "/tracks");

    expect(body.data).toMatchObject([
      {
        cid: "",
        visible: false,
        audio_profile: {
          title: null,
          artist: null,
          bpm: null,
          key: null,
          durationSec: null,
          genres: [],
          moods: [],
        },
      },
    ]);
  });

  test("is an empty page for an empty library", async () => {
    const { body } = await reader().api("GET", "/tracks?limit=3");

    expect(body).toMatchObject({ data: [], paging: { limit: 3, next_cursor: null } });
  });

  test("returns each track's genres and moods, in the order written", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "a", tags: { genres: ["Techno", "House"], moods: ["Happy"] } });
    addTrackRows(db, accountId, { name: "b" });
    addTrackRows(db, accountId, { name: "c", tags: { genres: ["House", "Techno"] } });

    const { body } = await api("GET", "/tracks?sort=name&fields=audio_profile");

    const genres = body.data.map((track: { audio_profile: { genres: { genre: { name: string } }[] } }) =>
      track.audio_profile.genres.map(({ genre }) => genre.name),
    );
    expect(genres).toEqual([["Techno", "House"], [], ["House", "Techno"]]);
  });
});

describe("fields", () => {
  test.each([
    ["id", ["id"]],
    ["name", ["id", "name"]],
    ["createdAt, cid", ["cid", "createdAt", "id"]],
    ["audio_profile", ["audio_profile", "id"]],
    ["shareholders", ["id", "shareholders"]],
    ["link", ["id", "link"]],
    ["share_link", ["id", "share_link"]],
    ["link,share_link", ["id", "link", "share_link"]],
    [
      "id,name,createdAt,audio_profile,shareholders,link,share_link,cid",
      ["audio_profile", "cid", "createdAt", "id", "link", "name", "share_link", "shareholders"],
    ],
    ["", ["analysis", "audio_profile", "cid", "createdAt", "id", "link", "name", "visible"]],
  ])("%j returns exactly those", async (fields, keys) => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { tags: { genres: ["House"] } });

    const { body } = await api("GET", `/tracks?fields=${encodeURIComponent(fields)}`);

    expect(Object.keys(body.data[0]).sort()).toEqual(keys);
  });

  test("the chosen fields have the same values as in the whole item", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { title: "Night Bus", tags: { genres: ["House"], moods: ["Happy"] } });

    const whole = await api("GET", "/tracks");
    const chosen = await api("GET", "/tracks?fields=name,createdAt,audio_profile,cid,link,analysis");

    const { visible: _, ...rest } = whole.body.data[0];
    expect(chosen.body.data[0]).toEqual(rest);
  });
});

describe("sort", () => {
  test.each([
    ["created_at", ["b", "Á", "a", "C"]],
    ["-created_at", ["C", "a", "Á", "b"]],
    ["name", ["a", "Á", "b", "C"]],
    ["-name", ["C", "b", "Á", "a"]],
    [undefined, ["C", "a", "Á", "b"]],
  ])("the list is sorted by %s", async (sort, expected) => {
    const { accountId, api, db } = reader();
    // "Á" and "a" fold to the same key: their ids decide, and "a" came first.
    for (const [name, hours] of [["a", 2], ["b", 0], ["C", 3], ["Á", 1]] as const) // biome-ignore format: a table
      addTrackRows(db, accountId, { name, createdAt: CREATED_AT + hours * HOUR_MS });

    const { body } = await api("GET", sort ? `/tracks?sort=${sort}` : "/tracks");

    expect(names(body)).toEqual(expected);
  });
});

describe("q", () => {
  test.each([
    ["bus", ["Night Bus.wav"]],
    ["NIGHT b", ["Night Bus.wav"]],
    ["eclair", ["Éclair.mp3"]],
    ["ÉCLAIR", ["Éclair.mp3"]],
    ["hidden title", ["Éclair.mp3"]],
    ["100%", ["100% _pure_.wav"]],
    ["%", ["100% _pure_.wav"]],
    ["_", ["100% _pure_.wav"]],
    ["' OR 1=1 --", []],
    ["nothing like it", []],
    ["", ["100% _pure_.wav", "Éclair.mp3", "Night Bus.wav"]],
  ])("the text %j finds its tracks", async (q, expected) => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "Night Bus.wav" });
    addTrackRows(db, accountId, { name: "Éclair.mp3", title: "A Hidden Title" });
    addTrackRows(db, accountId, { name: "100% _pure_.wav" });

    const { body } = await api("GET", `/tracks?sort=name&q=${encodeURIComponent(q)}`);

    expect(names(body)).toEqual(expected);
  });
});

describe("tags", () => {
  test.each([
    ["tags=House", ["both", "house"]],
    ["tags=hOUSE", ["both", "house"]],
    ["tags=House,Piano", ["both", "house", "piano"]],
    ["tags=House,Piano&tagMode=any", ["both", "house", "piano"]],
    ["tags=House,Piano&tagMode=all", ["both"]],
    ["tags=%20house%20,,%20piano%20,HOUSE&tagMode=all", ["both"]],
    ["tags=House,No%20Such%20Tag&tagMode=all", []],
    ["tags=No%20Such%20Tag", []],
    ["tags=Für%20Radio", ["radio"]],
    ["tags=fur%20radio", ["radio"]],
    ["tags=", ["both", "house", "none", "piano", "radio"]],
    ["tagMode=all", ["both", "house", "none", "piano", "radio"]],
    ["tags=House&q=bo", ["both"]],
  ])("a filter by tags finds its tracks: %s", async (query, expected) => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "house", tags: { genres: ["House"] } });
    addTrackRows(db, accountId, { name: "piano", tags: { instruments: ["Piano"] } });
    addTrackRows(db, accountId, { name: "both", tags: { genres: ["House"], instruments: ["Piano"] } });
    addTrackRows(db, accountId, { name: "radio", tags: { tags: ["für radio"] } });
    addTrackRows(db, accountId, { name: "none" });

    const { body } = await api("GET", `/tracks?sort=name&${query}`);

    expect(names(body)).toEqual(expected);
  });

  test("the same name in two categories counts as one", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "twice", tags: { genres: ["House"], tags: ["house"] } });

    const all = await api("GET", "/tracks?tags=house,piano&tagMode=all");
    const one = await api("GET", "/tracks?tags=house&tagMode=all");

    expect([names(all.body), names(one.body)]).toEqual([[], ["twice"]]);
  });
});

describe("createdAfter and createdBefore", () => {
  const day = Date.UTC(2026, 0, 15);

  test.each([
    ["createdAfter=2026-01-15", ["first", "last", "next"]],
    ["createdBefore=2026-01-15", ["before", "first", "last"]],
    ["createdAfter=2026-01-15&createdBefore=2026-01-15", ["first", "last"]],
    ["createdAfter=2026-01-16&createdBefore=2026-01-14", []],
    ["createdAfter=1960-02-29", ["before", "first", "last", "next"]],
  ])("%s includes whole UTC days in every sort", async (query, expected) => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "before", createdAt: day - 1 });
    addTrackRows(db, accountId, { name: "first", createdAt: day });
    addTrackRows(db, accountId, { name: "last", createdAt: day + 24 * HOUR_MS - 1 });
    addTrackRows(db, accountId, { name: "next", createdAt: day + 24 * HOUR_MS });

    for (const sort of ["created_at", "-created_at", "name", "-name"]) {
      const { body } = await api("GET", `/tracks?${query}&sort=${sort}&limit=200`);
      expect(names(body)).toEqual(sort.startsWith("-") ? expected.toReversed() : expected);
    }
  });
});

describe("refusals", () => {
  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=abc", "limit"],
    ["limit=1.5", "limit"],
    ["limit=-1", "limit"],
    ["sort=bpm", "sort"],
    ["sort=-", "sort"],
    ["tagMode=some", "tagMode"],
    ["fields=name,secret", "fields"],
    ["fields=visible", "fields"],
    ["createdAfter=2026-02-30", "createdAfter"],
    ["createdAfter=yesterday", "createdAfter"],
    ["createdBefore=2026-01-15T00:00:00Z", "createdBefore"],
    ["createdBefore=", "createdBefore"],
    ["bpmMin=fast", "bpmMin"],
    ["bpmMax=-1", "bpmMax"],
    ["key=H%20moll", "key"],
    ["cursor=", "cursor"],
    ["cursor=nonsense", "cursor"],
    [`cursor=${Buffer.from('["a","b","c"]').toString("base64url")}`, "cursor"],
  ])("%s is 400 validation_failed", async (query, path) => {
    const { status, body } = await reader().api("GET", `/tracks?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({
      statusCode: 400,
      messageCode: "validation_failed",
      message: "Invalid request",
      error: "Bad Request",
      data: { errors: [{ path, code: expect.any(String), detail: expect.any(String) }] },
    });
  });

  test("an unknown parameter is refused with the known ones", async () => {
    const { status, body } = await reader().api("GET", "/tracks?page=2");

    expect(status).toBe(400);
    expect(body.data.errors).toEqual([
      {
        path: "page",
        code: "unknown_parameter",
        detail: expect.stringContaining("is unknown: the known ones are limit, cursor"),
      },
    ]);
  });

  test.each([
    ["another sort", "sort=name"],
    ["another text", "q=i"],
    ["a tag", "tags=House"],
    ["a first day", "createdAfter=2026-01-01"],
    ["a last day", "createdBefore=2026-12-31"],
    ["a lowest tempo", "bpmMin=0"],
    ["a highest tempo", "bpmMax=300"],
    ["a key", "key=11A"],
  ])("a cursor is refused with %s", async (_, query) => {
    const { accountId, api, db } = reader();
    for (const name of ["Night", "Bus"]) addTrackRows(db, accountId, { name, tags: { genres: ["House"] } });
    const { body } = await api("GET", "/tracks?limit=1");

    const other = await api("GET", `/tracks?limit=1&${query}&cursor=${body.paging.next_cursor}`);

    expect([other.status, other.body.data.errors[0].path]).toEqual([400, "cursor"]);
  });

  test("a cursor of another account is refused", async () => {
    const [mine, theirs] = [reader(), reader()];
    for (const { accountId, db } of [mine, theirs])
      for (const name of ["a", "b"]) addTrackRows(db, accountId, { name });
    const { body } = await theirs.api("GET", "/tracks?limit=1");

    const { status } = await mine.api("GET", `/tracks?limit=1&cursor=${body.paging.next_cursor}`);

    expect(status).toBe(400);
  });

  test.each(["/tracks", "/tracks/count"])("%s needs a key with read:tracks", async (path) => {
    const { accountId } = app.createAccount();
    const key = app.createKey(accountId, ["create:tracks", "read:playlists"]);

    const wrongScope = await app.as(key)("GET", path);
    const noKey = await app.request(`/api/v1${path}`);

    expect([wrongScope.status, wrongScope.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect([noKey.status, ((await noKey.json()) as Answer["body"]).messageCode]).toEqual([
      401,
      "missing_api_key",
    ]);
  });

  test.each(["/tracks", "/tracks/count"])("the method DELETE on %s is 405", async (path) => {
    const { status, headers, body } = await reader().api("DELETE", path);

    expect([status, body.messageCode]).toEqual([405, "method_not_allowed"]);
    expect(headers.get("allow")).toContain("GET");
  });
});

test("another account's tracks are never shown", async () => {
  const [mine, theirs] = [reader(), reader()];
  const own = addTrackRows(mine.db, mine.accountId, { name: "Night Bus", tags: { genres: ["House"] } });
  addTrackRows(theirs.db, theirs.accountId, { name: "Night Bus", tags: { genres: ["House"] } });

  for (const query of ["", "sort=name", "q=night", "tags=House", "tags=House&tagMode=all"]) {
    const { body } = await mine.api("GET", `/tracks?${query}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  }
  expect((await mine.api("GET", "/tracks/count")).body.data).toEqual({ count: 1 });
});

test("GET /tracks/count counts all tracks of the account, including hidden ones", async () => {
  const { accountId, api, db } = reader();
  const empty = await api("GET", "/tracks/count");
  for (const visible of [true, false, false]) addTrackRows(db, accountId, { visible });

  const { status, body } = await api("GET", "/tracks/count");

  expect(empty.body.data).toEqual({ count: 0 });
  expect([status, body.data]).toEqual([200, { count: 3 }]);
});

test("an unchanged list is 304, a changed one is not", async () => {
  const { accountId, api, db } = reader();
  addTrackRows(db, accountId, { measured: MEASURED });
  const first = await api("GET", "/tracks");
  const etag = first.headers.get("etag") ?? "";

  const same = await api("GET", "/tracks", undefined, { "if-none-match": etag });
  addTrackRows(db, accountId);
  const changed = await api("GET", "/tracks", undefined, { "if-none-match": etag });

  expect(etag).toStartWith('W/"');
  expect([same.status, same.body]).toEqual([304, ""]);
  expect([changed.status, changed.body.data.length]).toEqual([200, 2]);
});

describe("paging", () => {
  const SORTS = ["created_at", "-created_at", "name", "-name"] as const;
  // Few different times and names, to make ties common.
  const track = fc.record({
    name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
    createdAt: fc.integer({ min: 0, max: 5 }).map((step) => CREATED_AT + step),
  });

  test("returns each track once and in order, whatever is added between pages", async () => {
    const library = fc.record({
      sort: fc.constantFrom(...SORTS),
      limit: fc.integer({ min: 1, max: 6 }),
      first: fc.array(track, { maxLength: 12 }),
      added: fc.array(track, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(library, async ({ sort, limit, first, added }) => {
        const { accountId, api, db } = reader();
        const old = first.map((each) => addTrackRows(db, accountId, each).id);
        const later = [...added];

        const seen: string[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const query = `sort=${sort}&limit=${limit}${cursor && `&cursor=${cursor}`}`;
          const { body } = await api("GET", `/tracks?${query}`);
          expect(body.data.length).toBeLessThanOrEqual(limit);
          seen.push(...body.data.map(({ id }: { id: string }) => id));
          cursor = body.paging.next_cursor;
          const next = later.pop();
          if (next) addTrackRows(db, accountId, next);
        }

        expect(new Set(seen).size).toBe(seen.length);
        expect(old.filter((id) => !seen.includes(id))).toEqual([]);
        const whole = await api("GET", `/tracks?sort=${sort}&limit=200&fields=id`);
        const order = whole.body.data.map(({ id }: { id: string }) => id);
        expect(seen).toEqual(order.filter((id: string) => seen.includes(id)));
      }),
      { numRuns: 60 },
    );
  });

  test("allows changes of limit and fields between pages, and returns no cursor with a full last page", async () => {
    const { accountId, api, db } = reader();
    for (const name of ["a", "b", "c"]) addTrackRows(db, accountId, { name });
    const first = await api("GET", "/tracks?sort=name&limit=1");

    const cursor = first.body.paging.next_cursor;
    const second = await api("GET", `/tracks?sort=name&limit=2&fields=name&cursor=${cursor}`);

    expect(names(second.body)).toEqual(["b", "c"]);
    expect(second.body.paging).toEqual({ limit: 2, next_cursor: null });
  });

  test("continues at the position of a deleted track", async () => {
    const { accountId, api, db } = reader();
    for (const name of ["a", "b", "c"]) addTrackRows(db, accountId, { name });
    const { body } = await api("GET", "/tracks?sort=name&limit=2");
    db.$client.query("DELETE FROM tracks WHERE id = ?").run(body.data[1].id);

    const next = await api("GET", `/tracks?sort=name&limit=2&cursor=${body.paging.next_cursor}`);

    expect(names(next.body)).toEqual(["c"]);
  });
});

describe("what lists are narrowed by", () => {
  test("an analysis that has come so far, no tags, and no plays", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "tagged", measured: {}, tags: { moods: ["Calm"] } });
    addTrackRows(db, accountId, { name: "bare", measured: {} });
    const { id } = addTrackRows(db, accountId, { name: "waiting", tags: { tags: ["for radio"] } });
    db.$client.run("UPDATE track_rows SET plays = 1 WHERE id = ?", [id]);
    const listed = async (query: string) => names((await api("GET", `/tracks?sort=name&${query}`)).body);

    expect(await listed("analysis=pending")).toEqual(["waiting"]);
    expect(await listed("analysis=completed")).toEqual(["bare", "tagged"]);
    expect(await listed("untagged=true")).toEqual(["bare"]);
    expect(await listed("untagged=false")).toEqual(["bare", "tagged", "waiting"]);
    expect(await listed("neverPlayed=true")).toEqual(["bare", "tagged"]);
    expect(await listed("neverPlayed=true&untagged=true&analysis=completed")).toEqual(["bare"]);
    expect((await api("GET", "/tracks?analysis=done")).status).toBe(400);
  });

  test("a lowest and a highest tempo, and keys in any notation; tracks without a value are left out", async () => {
    const { accountId, api, db } = reader();
    addTrackRows(db, accountId, { name: "slow", bpm: 84.5, key: "Gbm" });
    addTrackRows(db, accountId, { name: "house", bpm: 124, key: "F# minor" });
    addTrackRows(db, accountId, { name: "jungle", bpm: 168, key: "A major" });
    addTrackRows(db, accountId, { name: "unknown" });
    const listed = async (query: string) => names((await api("GET", `/tracks?sort=name&${query}`)).body);

    expect(await listed("bpmMin=124")).toEqual(["house", "jungle"]);
    expect(await listed("bpmMax=124")).toEqual(["house", "slow"]);
    expect(await listed("bpmMin=100&bpmMax=130&key=11A")).toEqual(["house"]);
    expect(await listed("key=11A")).toEqual(["house", "slow"]);
    expect(await listed("key=F%23%20minor,%20A")).toEqual(["house", "jungle", "slow"]);
    expect(await listed("bpmMin=130&bpmMax=100")).toEqual([]);
    expect(await listed("key=")).toEqual([]);
  });

  test("the status is the same field as in a single track, and can be asked for alone", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, {});

    const { body: list } = await api("GET", "/tracks?fields=id,analysis");
    const { body: single } = await api("GET", `/tracks/single?id=${id}`);

    expect(list.data).toEqual([{ id, analysis: { status: "pending" } }]);
    expect(single.data.track.analysis.status).toBe("pending");
  });
});

describe("POST /tracks/wait", () => {
  const completed = { status: "completed", code: null, reason: null };

  test("answers at once when there is nothing to wait for", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, { measured: {} });

    const { body } = await api("POST", "/tracks/wait", { trackIds: [id, "trk_unknown", id] });

    expect(body.data).toEqual({
      done: true,
      tracks: [{ id, analysis: completed }],
      notFound: ["trk_unknown"],
    });
  });

  test("answers when the last analysis ends, not before", async () => {
    const { accountId, api, db } = reader();
    const ids = [addTrackRows(db, accountId, {}).id, addTrackRows(db, accountId, {}).id];
    const [first = "", second = ""] = ids;
    let isAnswered = false;

    const waiting = api("POST", "/tracks/wait", { trackIds: ids }).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await api("GET", "/tracks/count");
    updateTrack(db, first, { analysisStatus: "completed" });
    await api("GET", "/tracks/count");
    const wasAnswered = isAnswered;
    updateTrack(db, second, {
      analysisStatus: "failed",
      analysisCode: "damaged",
      analysisReason: "No sound",
    });

    const { body } = await waiting;
    expect(wasAnswered).toBe(false);
    expect(body.data).toEqual({
      done: true,
      tracks: [
        { id: first, analysis: completed },
        { id: second, analysis: { status: "failed", code: "damaged", reason: "No sound" } },
      ],
      notFound: [],
    });
  });

  test("says that it is not done when the time has run out, and refuses more than 25 tracks and 60 seconds", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, {});
    const statusOf = async (body: object) => (await api("POST", "/tracks/wait", body)).status;

    const { body } = await api("POST", "/tracks/wait", { trackIds: [id], timeoutSec: 0 });

    expect(body.data).toMatchObject({ done: false, tracks: [{ id, analysis: { status: "pending" } }] });
    expect(await statusOf({ trackIds: Array(26).fill(id) })).toBe(400);
    expect(await statusOf({ trackIds: [id], timeoutSec: 61 })).toBe(400);
    expect(await statusOf({ trackIds: [] })).toBe(400);
  });
});

describe("a wait for an analysis in another process", () => {
  test("ends when that process has written the result", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dubplate-wait-"));
    const path = join(folder, "library.db");
    await Bun.write(path, app.deps.db.$client.serialize());
    const [db, other] = [openEmptyAt(path), openDb(path)];
    const accountId = "usr_wait";
    db.insert(accounts).values({ id: accountId, name: "A", createdAt: 1 }).run();
    const { id } = addTrackRows(db, accountId, {});

    const waiting = createWait({ db })(
      accountId,
      { trackIds: [id], timeoutSec: 60 },
      new AbortController().signal,
    );
    updateTrack(other, id, { analysisStatus: "completed" });

    expect(await waiting).toMatchObject({ done: true, tracks: [{ id, analysis: { status: "completed" } }] });
    for (const each of [db, other]) each.$client.close();
    rmSync(folder, { recursive: true });
  });
});

describe("the bound on waits", () => {
  test("a request that is aborted frees its place", async () => {
    const { accountId, db } = reader();
    const { id } = addTrackRows(db, accountId, {});
    const wait = createWait({ db });
    const wish = { trackIds: [id] };
    const gone = new AbortController();
    const given = Array.from({ length: 200 }, () => wait(accountId, wish, gone.signal));

    expect(() => wait(accountId, wish, new AbortController().signal)).toThrow(
      "Too many requests are waiting",
    );
    gone.abort();
    expect((await Promise.allSettled(given)).every(({ status }) => status === "rejected")).toBe(true);
    const next = wait(accountId, wish, new AbortController().signal);
    updateTrack(db, id, { analysisStatus: "completed" });
    expect(await next).toMatchObject({ done: true });
  });
});

describe("the plan of a page", () => {
  const columns = ["name", "createdAt", "cid", "profile", "visible"] as const;
  const shapes = (["created_at", "-created_at", "name", "-name"] as const).flatMap((sort: TrackSort) =>
    [false, true].flatMap((hasText) =>
      (["none", "any", "all"] as const).map(
        (tagFilter): PageShape => ({ sort, hasText, tagFilter, columns }),
      ),
    ),
  );

  test.each(shapes)("$sort, text $hasText, tags $tagFilter: uses an index and needs no sorting", (shape) => {
    const index = shape.sort.endsWith("name") ? "tracks_by_owner_name" : "tracks_by_owner_created";
    const key = shape.sort.endsWith("name") ? "name_fold" : "created_at";
    const next = shape.sort.startsWith("-") ? "<" : ">";

    const plan = app.deps.db.$client
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${pageSql(shape)}`)
      .all()
      .map(({ detail }) => detail);

    const seek = plan.find((detail) => detail.includes(` t USING INDEX ${index} `));
    expect(seek).toStartWith("SEARCH t ");
    expect(seek).toContain(`(${key},id)${next}(?,?)`);
    expect(plan.filter((detail) => detail.includes("FOR ORDER BY"))).toEqual([]);
    expect(plan.filter((detail) => detail.startsWith("SCAN t"))).toEqual([]);
  });
});
