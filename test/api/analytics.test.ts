import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { eq } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { migrate } from "../../db/migrations.ts";
import { accounts, activity, playlists, tracks, versions } from "../../db/schema.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { newId } from "../../src/kernel/ids.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { LIBRARY_SQL, RECENT_SQL, WEEK_SQL } from "../../src/modules/library/analytics/dashboard-queries.ts";
import { coverSpan, periodsOf, runsOf } from "../../src/modules/library/analytics/periods.ts";
import {
  COUNTS_SQL,
  HAPPENED_SQL,
  RESTS_BY_PLAYLIST_SQL,
  RESTS_SQL,
} from "../../src/modules/library/analytics/queries.ts";
import {
  ALIVE_SQL,
  ALL_SQL,
  RANKED_SQL,
  REST_RANKED_SQL,
} from "../../src/modules/library/analytics/ranking-queries.ts";
import {
  type Activity,
  createDownloadCounter,
  listShareActivity,
  recordActivity,
} from "../../src/modules/library/analytics/service.ts";
import type { ActivityMetric, Entity, Metric } from "../../src/modules/library/analytics/shapes.ts";
import { METRICS } from "../../src/modules/library/analytics/shapes.ts";
import {
  COUNTED_SQL,
  DAYS_SQL,
  LEFT_OUT_SQL,
  LISTENS_SQL,
} from "../../src/modules/library/analytics/trends-queries.ts";
import {
  durationLabel,
  weekBlurb,
  weekHeadline,
  weekLabel,
} from "../../src/modules/library/analytics/words.ts";
import { downloadUrl } from "../../src/modules/library/files/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { addTrackRows, CREATED_AT } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MIGRATIONS_FOLDER = join(import.meta.dir, "../../db/migrations");
const VISITOR = { type: "visitor", name: null } as const;
/** Thursday, 15 January 2026, noon: the clock of the test app. */
const NOW = Date.UTC(2026, 0, 15, 12);
const MONDAY = Date.UTC(2026, 0, 12);

/** Makes a new account and returns its id, and its API with a key that may read analytics. */
function owner() {
  const { accountId } = app.createAccount();
  const api = app.as(app.createKey(accountId, ["read:analytics"]));
  const { db } = app.deps;
  const happen = (entityId: string, metric: ActivityMetric, at: number, more: Partial<Activity> = {}) => {
    const entity: Entity = entityId.startsWith("pl_") ? "playlist" : "track";
    transact(db, (tx) =>
      recordActivity(tx, { ownerId: accountId, entity, entityId, metric, actor: VISITOR, ...more }, at),
    );
  };
  return { accountId, api, db, happen, track: (options = {}) => addTrackRows(db, accountId, options).id };
}

function addPlaylist(db: Db, ownerId: string, name: string, updatedAt = CREATED_AT): string {
  const id = newId("pl");
  db.insert(playlists).values({ id, ownerId, name, createdAt: CREATED_AT, updatedAt }).run();
  return id;
}

const noCounts = { plays: 0, views: 0, downloads: 0, saved: 0, shares: 0, comments: 0 };

describe("GET /analytics/dashboard", () => {
  test("shows the current week, from Monday, and the library", async () => {
    const { api, db, accountId, happen } = owner();
    const { id: bus } = addTrackRows(db, accountId, {
      name: "Night Bus.wav",
      title: "Night Bus",
      durationSec: 3 * 3600,
      createdAt: MONDAY,
      tags: { genres: ["House", "Techno"], moods: ["Dreamy"] },
    });
    const { id: rain } = addTrackRows(db, accountId, {
      name: "Rain.wav",
      durationSec: 725.5,
      createdAt: MONDAY - 1,
      tags: { genres: ["Techno"], moods: ["Happy"] },
    });
    const playlist = addPlaylist(db, accountId, "For the road", CREATED_AT + 5);
    happen(bus, "uploaded", MONDAY, { actor: { type: "user", name: "Someone" } });
    happen(rain, "uploaded", MONDAY - 1);
    happen(bus, "plays", MONDAY - 1);
    happen(bus, "plays", MONDAY + 1000);
    happen(bus, "plays", MONDAY + 2000);
    happen(bus, "views", MONDAY + 3000);
    happen(bus, "downloads", MONDAY + 4000, { actor: { type: "visitor", name: "Ada" } });
    happen(playlist, "views", NOW - 5000);
    happen(playlist, "shares", NOW);

    const { status, body } = await api("GET", "/analytics/dashboard");

    expect(status).toBe(200);
    expect(body.data).toEqual({
      thisWeek: {
        rangeLabel: "12–18 January 2026",
        headline: "1 new track, 2 plays and 2 views",
        blurb: "Your music has been played 2 times this week, 1 more than in all of last week.",
        uploaded: 1,
        views: 2,
        downloads: 1,
      },
      recentActivity: {
        totalThisWeek: 7,
        items: [
          ["For the road was shared", "playlist", playlist, NOW, VISITOR],
          ["For the road was viewed", "playlist", playlist, NOW - 5000, VISITOR],
          ["Night Bus was downloaded", "track", bus, MONDAY + 4000, { type: "visitor", name: "Ada" }],
          ["Night Bus was viewed", "track", bus, MONDAY + 3000, VISITOR],
          ["Night Bus was played", "track", bus, MONDAY + 2000, VISITOR],
          ["Night Bus was played", "track", bus, MONDAY + 1000, VISITOR],
          ["Night Bus was uploaded", "track", bus, MONDAY, { type: "user", name: "Someone" }],
        ].map(([title, entityKey, entityId, at, actor]) => ({
          id: expect.stringMatching(/^act_[0-9a-f]{32}$/),
          title,
          entityKey,
          entityId,
          sentAt: new Date(Number(at)).toISOString(),
          actor,
        })),
      },
      tracks: { total: 2, uploadedThisWeek: 1 },
      yourSound: { genre: "Techno", mood: "Dreamy", totalDurationLabel: "3 hours 12 minutes" },
      playlists: { total: 1, lastUpdatedAt: "2026-01-15T12:30:00.005Z" },
    });
  });

  test("answers nulls and zeros for an empty library", async () => {
    const { body } = await owner().api("GET", "/analytics/dashboard");

    expect(body.data).toEqual({
      thisWeek: { rangeLabel: null, headline: null, blurb: null, uploaded: 0, views: 0, downloads: 0 },
      recentActivity: { totalThisWeek: 0, items: [] },
      tracks: { total: 0, uploadedThisWeek: 0 },
      yourSound: { genre: null, mood: null, totalDurationLabel: null },
      playlists: { total: 0, lastUpdatedAt: null },
    });
  });

  test("describes a quiet week in words", async () => {
    const { api, track, happen } = owner();
    happen(track({ createdAt: MONDAY - DAY_MS }), "plays", MONDAY - 1);

    const { data } = (await api("GET", "/analytics/dashboard")).body;

    expect(data.thisWeek).toMatchObject({
      rangeLabel: "12–18 January 2026",
      headline: "A quiet week so far",
      blurb: "Nothing has been played yet this week; last week it was 1 time.",
    });
    expect(data.recentActivity).toEqual({ totalThisWeek: 0, items: [] });
  });

  test("shows the ten newest activities, the later of equal times first, and counts all", async () => {
    const { api, track, happen } = owner();
    const ids = Array.from({ length: 12 }, (_, index) => track({ name: `${index}.wav` }));
    for (const id of ids) happen(id, "plays", NOW);
    happen(ids[0] ?? "", "views", NOW - 1);

    const { recentActivity } = (await api("GET", "/analytics/dashboard")).body.data;

    expect(recentActivity.totalThisWeek).toBe(13);
    expect(recentActivity.items.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${11 - index}.wav was played`),
    );
  });

  test("keeps the activity of a deleted track, without its name", async () => {
    const { api, db, track, happen } = owner();
    const id = track();
    happen(id, "plays", NOW);
    db.delete(tracks).where(eq(tracks.id, id)).run();

    const { data } = (await api("GET", "/analytics/dashboard")).body;

    expect(data.recentActivity).toMatchObject({
      totalThisWeek: 1,
      items: [{ title: "A deleted track was played", entityId: id }],
    });
    expect(data.tracks.total).toBe(0);
    expect(data.thisWeek.headline).toBe("1 play");
  });

  test("starts a new week on Monday at midnight, UTC", async () => {
    const late = await createTestApp();
    try {
      const { accountId } = late.createAccount();
      const { id } = addTrackRows(late.deps.db, accountId);
      const api = late.as(late.createKey(accountId));
      const sunday = Date.UTC(2026, 0, 18, 23, 59, 59, 999);
      const record = { ownerId: accountId, entity: "track", entityId: id, metric: "views" } as const;
      transact(late.deps.db, (tx) => recordActivity(tx, { ...record, actor: VISITOR }, sunday));
      late.clock.advance(sunday - NOW);

      const before = (await api("GET", "/analytics/dashboard")).body.data;
      late.clock.advance(1);
      const after = (await api("GET", "/analytics/dashboard")).body.data;

      expect([before.thisWeek.rangeLabel, before.thisWeek.views]).toEqual(["12–18 January 2026", 1]);
      expect([after.thisWeek.rangeLabel, after.thisWeek.views]).toEqual(["19–25 January 2026", 0]);
    } finally {
      await late.close();
    }
  });
});

describe("GET /analytics/stats", () => {
  test("counts all six metrics for each id, in the order requested", async () => {
    const { api, db, accountId, track, happen } = owner();
    const [first, second] = [track({ name: "First.wav", artist: "Someone" }), track({ name: "Second.wav" })];
    const times = { plays: 3, views: 2, downloads: 1, saved: 4, shares: 1, comments: 5 };
    for (const metric of METRICS)
      for (let n = 0; n < times[metric]; n++) happen(first, metric, NOW - n * DAY_MS);
    happen(first, "uploaded", NOW);

    const { status, body } = await api(
      "GET",
      `/analytics/stats?entity=track&ids=${second},trk_unknown, ${first},${second}`,
    );

    expect(status).toBe(200);
    expect(body.data).toEqual({
      entity: "track",
      range: { since: "1970-01-01T00:00:00.000Z", until: "2026-01-15T12:00:00.000Z" },
      items: [
        { id: second, name: "Second.wav", artist: null, stats: noCounts, total: 0 },
        { id: first, name: "First.wav", artist: "Someone", stats: times, total: 16 },
      ],
      notFound: ["trk_unknown"],
    });
    const playlist = addPlaylist(db, accountId, "Road");
    happen(playlist, "views", NOW);
    const ofPlaylist = await api("GET", `/analytics/stats?entity=playlist&ids=${playlist},${first}`);
    expect(ofPlaylist.body.data).toMatchObject({
      entity: "playlist",
      items: [{ id: playlist, name: "Road", artist: null, stats: { ...noCounts, views: 1 }, total: 1 }],
      notFound: [first],
    });
  });

  test("another account's id is not found, and neither is a deleted one", async () => {
    const [mine, theirs] = [owner(), owner()];
    const [foreign, deleted] = [theirs.track(), mine.track()];
    theirs.happen(foreign, "plays", NOW);
    mine.happen(deleted, "plays", NOW);
    mine.db.delete(tracks).where(eq(tracks.id, deleted)).run();

    const { body } = await mine.api("GET", `/analytics/stats?entity=track&ids=${foreign},${deleted}`);

    expect(body.data).toMatchObject({ items: [], notFound: [foreign, deleted] });
  });

  test("does not count activity that is left out of the statistics", async () => {
    const { api, track, happen } = owner();
    const id = track();
    happen(id, "plays", NOW);
    for (const leftOut of ["owner", "repeat", "machine"] as const) happen(id, "plays", NOW, { leftOut });

    const whole = await api("GET", `/analytics/stats?entity=track&ids=${id}`);
    const edge = await api(
      "GET",
      `/analytics/stats?entity=track&ids=${id}&since=2026-01-15T11:00:00Z&until=2026-01-15T12:00:00Z`,
    );

    expect(whole.body.data.items[0].stats.plays).toBe(1);
    expect(edge.body.data.items[0].stats.plays).toBe(1);
    const rows = app.deps.db.select({ leftOut: activity.leftOut }).from(activity).all();
    expect(rows.filter(({ leftOut }) => leftOut !== null)).toHaveLength(3);
  });

  test.each([
    ["2026-01-10", "2026-01-11", 2],
    ["2026-01-10T00:00:00.000Z", "2026-01-11T23:59:59.999Z", 2],
    ["2026-01-10T00:00:00.001Z", "2026-01-11T23:59:59.999Z", 1],
    ["2026-01-10T00:00:00.000Z", "2026-01-11T23:59:59.998Z", 1],
    ["2026-01-10T00:00:00", "2026-01-10T00:00:00", 1],
    ["2026-01-10T01:00:00%2B01:00", "2026-01-10T00:00:00Z", 1],
    ["2026-01-10T00:00:00.001Z", "2026-01-11T23:59:59.998Z", 0],
    ["2026-01-12", "2026-01-12", 0],
  ])("the range from %s to %s includes both ends and counts %i plays", async (since, until, plays) => {
    const { api, track, happen } = owner();
    const id = track();
    happen(id, "plays", Date.UTC(2026, 0, 10));
    happen(id, "plays", Date.UTC(2026, 0, 11, 23, 59, 59, 999));
    happen(id, "plays", Date.UTC(2025, 5, 1));
    happen(id, "plays", Date.UTC(2026, 0, 14));

    const range = `since=${since}&until=${until}`;
    const stats = await api("GET", `/analytics/stats?entity=track&ids=${id}&${range}`);
    const top = await api("GET", `/analytics/top?metric=plays&${range}`);

    expect(stats.body.data.items[0].stats).toEqual({ ...noCounts, plays });
    expect(top.body.data.items).toEqual(
      plays === 0 ? [] : [{ id, name: "Night Bus.wav", artist: null, count: plays }],
    );
  });

  test.each([
    ["entity=track", "ids"],
    ["entity=track&ids=", "ids"],
    ["entity=track&ids=,%20,", "ids"],
    [`entity=track&ids=${Array.from({ length: 51 }, (_, index) => `trk_${index}`)}`, "ids"],
    ["ids=trk_1", "entity"],
    ["entity=composer&ids=trk_1", "entity"],
    ["entity=track&ids=trk_1&since=yesterday", "since"],
    ["entity=track&ids=trk_1&until=2026-02-30", "until"],
    ["entity=track&ids=trk_1&until=2026-02-30T00:00:00Z", "until"],
    ["entity=track&ids=trk_1&since=2026-01-02&until=2026-01-01", "since"],
    ["entity=track&ids=trk_1&since=2026-01-16", "since"],
  ])("refuses %.60s: 400 names %s", async (query, path) => {
    const { status, body } = await owner().api("GET", `/analytics/stats?${query}`);

    expect([status, body.messageCode, body.message]).toEqual([400, "validation_failed", "Invalid request"]);
    expect(body.data.errors).toMatchObject([{ path }]);
  });

  test("takes 50 ids", async () => {
    const { api, track } = owner();
    const ids = Array.from({ length: 50 }, () => track());

    const { body } = await api("GET", `/analytics/stats?entity=track&ids=${ids}`);

    expect(body.data.items.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});

describe("GET /analytics/top", () => {
  test("lists the highest count first, and of equal counts the older track", async () => {
    const { api, track, happen } = owner();
    const ids = Array.from({ length: 4 }, (_, index) => track({ name: `${index}.wav`, artist: "Someone" }));
    const [a = "", b = "", c = "", d = ""] = ids;
    for (const id of [a, b, b, c, c, d, d, d]) happen(id, "plays", NOW);
    happen(a, "views", NOW);

    const { status, body } = await api("GET", "/analytics/top?metric=plays&limit=3");

    expect(status).toBe(200);
    expect(body.data).toEqual({
      entity: "track",
      metric: "plays",
      range: { since: null, until: null },
      items: [
        { id: d, name: "3.wav", artist: "Someone", count: 3 },
        { id: b, name: "1.wav", artist: "Someone", count: 2 },
        { id: c, name: "2.wav", artist: "Someone", count: 2 },
      ],
    });
    const shares = await api("GET", "/analytics/top?metric=shares&since=2026-01-01&until=2026-01-31");
    expect(shares.body.data).toMatchObject({
      range: { since: "2026-01-01T00:00:00.000Z", until: "2026-01-31T23:59:59.999Z" },
      items: [],
    });
  });

  test("ranks playlists on request, and returns ten without a limit", async () => {
    const { api, db, accountId, happen } = owner();
    const ids = Array.from({ length: 12 }, (_, index) => addPlaylist(db, accountId, `List ${index}`));
    for (const [index, id] of ids.entries())
      for (let n = 0; n <= index; n++) happen(id, "saved", NOW - n * DAY_MS);

    const { body } = await api("GET", "/analytics/top?metric=saved&entity=playlist");

    expect(body.data.items).toHaveLength(10);
    expect(body.data.items[0]).toEqual({ id: ids[11], name: "List 11", artist: null, count: 12 });
  });

  test("leaves deleted tracks out and fills their places", async () => {
    const { api, db, track, happen } = owner();
    const [gone, first, second] = [track(), track(), track()];
    for (const id of [gone, gone, gone, first, first, second]) happen(id, "plays", NOW);
    db.delete(tracks).where(eq(tracks.id, gone)).run();

    for (const range of [
      "",
      "&since=2026-01-15&until=2026-01-15",
      "&since=2026-01-15T01:00:00Z&until=2026-01-15T13:00:00Z",
      "&since=2025-01-01",
    ]) {
      const { body } = await api("GET", `/analytics/top?metric=plays&limit=2${range}`);
      expect(body.data.items.map(({ id }: { id: string }) => id)).toEqual([first, second]);
    }
  });

  test("does not include another account", async () => {
    const [mine, theirs] = [owner(), owner()];
    theirs.happen(theirs.track(), "plays", NOW);

    const { body } = await mine.api("GET", "/analytics/top?metric=plays");

    expect(body.data.items).toEqual([]);
  });

  test.each([
    ["", "metric"],
    ["metric=uploaded", "metric"],
    ["metric=plays&entity=brief", "entity"],
    ["metric=plays&limit=0", "limit"],
    ["metric=plays&limit=51", "limit"],
    ["metric=plays&limit=ten", "limit"],
    ["metric=plays&since=2026-1-1", "since"],
    ["metric=plays&since=2026-01-02&until=2026-01-01", "since"],
  ])("refuses %j: 400 names %s", async (query, path) => {
    const { status, body } = await owner().api("GET", `/analytics/top?${query}`);

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.errors).toMatchObject([{ path }]);
  });
});

describe.each([
  "/analytics/dashboard",
  "/analytics/stats?entity=track&ids=trk_1",
  "/analytics/top?metric=plays",
])("%s", (path) => {
  test("needs a key with read:analytics", async () => {
    const { accountId } = app.createAccount();

    const wrongScope = await app.as(app.createKey(accountId, ["read:tracks", "read:briefs"]))("GET", path);
    const noKey = await app.request(`/api/v1${path}`);

    expect([wrongScope.status, wrongScope.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect([noKey.status, await noKey.json()]).toMatchObject([401, { messageCode: "missing_api_key" }]);
  });

  test("POST is 405", async () => {
    const { status, body } = await owner().api("POST", path, {});

    expect([status, body.messageCode]).toEqual([405, "method_not_allowed"]);
  });
});

describe("counts match the log for every range", () => {
  const FIRST = Date.UTC(2023, 10, 20);
  const LAST = Date.UTC(2026, 0, 14);
  const random = randomFrom("activity");
  const between = (from: number, to: number) => Math.floor(from + random() * (to - from));

  /**
   * Makes a library whose activity is very skewed (`fame` 8) or even (1): the easy and the hard case for ranking in
   * rounds.
   */
  function library(fame: number, size: number, count: number) {
    const me = owner();
    const ids = Array.from({ length: size }, (_, index) => me.track({ name: `${index}.wav` }));
    const log: { id: string; metric: Metric; at: number; order: number }[] = [];
    transact(me.db, () => {
      for (const id of ids) me.happen(id, "uploaded", FIRST); // their order is that of their first activity
      for (let n = 0; n < count; n++) {
        const order = Math.floor(random() ** fame * size);
        const metric = METRICS[Math.floor(random() ** 2 * METRICS.length)] ?? "plays";
        const row = { id: ids[order] ?? "", metric, at: between(FIRST, LAST), order };
        log.push(row);
        me.happen(row.id, metric, row.at);
      }
    });
    return { ...me, ids, log };
  }

  const text = (at: number) => new Date(at).toISOString();
  const RANGES: [from: number, to: number][] = [
    [FIRST, LAST],
    [Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1) - 1],
    [Date.UTC(2024, 1, 1), Date.UTC(2025, 6, 1) - 1],
    [Date.UTC(2025, 11, 31, 23), Date.UTC(2026, 0, 1, 1)],
    [Date.UTC(2024, 1, 28, 12, 34, 56, 789), Date.UTC(2024, 2, 1, 1, 2, 3, 4)],
    ...Array.from({ length: 12 }, (): [number, number] => {
      const from = between(FIRST - DAY_MS, LAST);
      return [from, from + between(0, random() < 0.5 ? 50 * DAY_MS : 700 * DAY_MS)];
    }),
  ];

  test.each([
    ["few tracks have nearly all of it", 8, 400, 6000],
    ["all tracks have about as much", 1, 900, 3000],
  ])("stats and top list agree with the log when %s", async (_, fame, size, count) => {
    const { api, ids, log } = library(fame, size, count);
    const asked = ids.slice(0, 50);
    for (const [from, to] of RANGES) {
      const range = `since=${text(from)}&until=${text(to)}`;
      const inside = log.filter(({ at }) => at >= from && at <= to);

      const stats = (await api("GET", `/analytics/stats?entity=track&ids=${asked}&${range}`)).body.data;
      const top = (await api("GET", `/analytics/top?metric=plays&limit=7&${range}`)).body.data;

      const expected = asked.map((id) => {
        const counts: Record<Metric, number> = { ...noCounts };
        for (const row of inside) if (row.id === id) counts[row.metric]++;
        return counts;
      });
      expect(stats.items.map((item: { stats: unknown }) => item.stats)).toEqual(expected);
      const plays = Map.groupBy(
        inside.filter(({ metric }) => metric === "plays"),
        ({ order }) => order,
      );
      const best = Array.from(plays, ([order, rows]) => ({ order, count: rows.length }))
        .sort((a, b) => b.count - a.count || a.order - b.order)
        .slice(0, 7);
      expect(top.items.map(({ id, count }: { id: string; count: number }) => [id, count])).toEqual(
        best.map(({ order, count }) => [ids[order], count]),
      );
    }
  });
});

test("a range in which no track leads clearly is counted completely", async () => {
  const { api, db, track, happen } = owner();
  const ids = Array.from({ length: 600 }, () => track());
  transact(db, () => {
    for (const id of ids) for (const month of [1, 2]) happen(id, "plays", Date.UTC(2025, month, 10));
    happen(ids[599] ?? "", "plays", Date.UTC(2025, 3, 1, 11));
    for (const outside of [Date.UTC(2024, 5, 1), Date.UTC(2025, 3, 1, 11) + 1])
      for (let n = 0; n < 5; n++) happen(ids[7] ?? "", "plays", outside);
  });

  const range = "since=2025-02-01&until=2025-04-01T11:00:00Z";
  const { items } = (await api("GET", `/analytics/top?metric=plays&limit=3&${range}`)).body.data;

  expect(items.map(({ id, count }: { id: string; count: number }) => [id, count])).toEqual([
    [ids[599], 3],
    [ids[0], 2],
    [ids[1], 2],
  ]);
});

describe("calendar periods", () => {
  test("a time belongs to all time, its year, its month and its day", () => {
    expect(periodsOf(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toEqual([0, 2026, 202612, 20261231]);
  });

  test("a span uses the fewest whole periods, and partial days at its ends", () => {
    const from = Date.UTC(2023, 10, 29, 12);
    const to = Date.UTC(2026, 1, 2, 6);

    const { periods, rests } = coverSpan({ from, to });

    expect(periods).toEqual([20231130, 202312, 2024, 2025, 202601, 20260201]);
    expect(runsOf(periods)).toEqual([
      [20231130, 20231130],
      [202312, 202312],
      [2024, 2025],
      [202601, 202601],
      [20260201, 20260201],
    ]);
    expect(rests).toEqual([
      { from, to: Date.UTC(2023, 10, 30) - 1 },
      { from: Date.UTC(2026, 1, 2), to },
    ]);
  });

  test("a span within two days contains no whole period", () => {
    const span = { from: Date.UTC(2026, 0, 1, 1), to: Date.UTC(2026, 0, 2, 22) };

    expect(coverSpan(span)).toEqual({ periods: [], rests: [span] });
    expect(coverSpan({ from: 2 * DAY_MS, to: DAY_MS })).toEqual({ periods: [], rests: [] });
  });
});

describe("words", () => {
  const counts = { uploaded: 0, ...noCounts };

  test.each([
    [{}, "A quiet week so far"],
    [{ uploaded: 1 }, "1 new track"],
    [{ uploaded: 2, downloads: 1 }, "2 new tracks and 1 download"],
    [{ plays: 1, views: 1200, comments: 2, shares: 9 }, "1 play, 1,200 views and 2 comments"],
    [{ saved: 1, shares: 1 }, "1 save and 1 share"],
  ])("a headline for %j", (some, headline) => {
    expect(weekHeadline({ ...counts, ...some })).toBe(headline);
  });

  test.each([
    [0, 0, "Nothing has been played yet this week."],
    [0, 2, "Nothing has been played yet this week; last week it was 2 times."],
    [1, 0, "Your music has been played 1 time this week, after a week without plays."],
    [5, 5, "Your music has been played 5 times this week, as often as in all of last week."],
    [5, 3, "Your music has been played 5 times this week, 2 more than in all of last week."],
    [2, 1, "Your music has been played 2 times this week, 1 more than in all of last week."],
    [3, 1400, "Your music has been played 3 times this week; in all of last week it was 1,400 times."],
  ])("a blurb for %i plays after %i", (plays, last, blurb) => {
    expect(weekBlurb(plays, last)).toBe(blurb);
  });

  test.each([
    [Date.UTC(2026, 0, 12), "12–18 January 2026"],
    [Date.UTC(2026, 5, 29), "29 June – 5 July 2026"],
    [Date.UTC(2025, 11, 29), "29 December 2025 – 4 January 2026"],
  ])("a label for the week of %i", (monday, label) => {
    expect(weekLabel(monday)).toBe(label);
  });

  test.each([
    [0, null],
    [59_999, "Less than a minute"],
    [60_000, "1 minute"],
    [HOUR_MS, "1 hour"],
    [HOUR_MS + 120_000, "1 hour 2 minutes"],
    [5000 * HOUR_MS + 60_000, "5,000 hours 1 minute"],
  ])("a label for %i ms", (durationMs, label) => {
    expect(durationLabel(durationMs)).toBe(label);
  });
});

describe("what is recorded", () => {
  const bytes = wavBytes([noise(8_000, 1)], 8_000, 16);

  async function uploaded() {
    const account = app.createAccount();
    const api = app.as(app.createKey(account.accountId));
    const form = new FormData();
    form.append("files", new File([new Uint8Array(bytes)], "Night Bus.wav"));
    const id: string = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
    const version = app.deps.db.select().from(versions).where(eq(versions.trackId, id)).get();
    if (!version) throw new Error("the upload made no version");
    const downloads = async () =>
      (await api("GET", `/analytics/stats?entity=track&ids=${id}&until=2026-02-01`)).body.data.items[0].stats
        .downloads;
    return { api, id, url: downloadUrl(app.deps, version), downloads };
  }

  test("an upload shows at once, under the account's name", async () => {
    const { api, id } = await uploaded();

    const { data } = (await api("GET", "/analytics/dashboard")).body;

    expect(data.thisWeek).toMatchObject({ uploaded: 1, headline: "1 new track" });
    expect(data.recentActivity.items).toMatchObject([
      { title: "Night Bus.wav was uploaded", entityId: id, actor: { type: "user", name: "Someone" } },
    ]);
    expect(data.tracks).toEqual({ total: 1, uploadedThisWeek: 1 });
  });

  test("a refused upload leaves no activity", async () => {
    const { accountId } = app.createAccount();
    const form = new FormData();
    form.append("files", new File([new Uint8Array(bytes)], "good.wav"));
    form.append("files", new File(["no audio"], "bad.wav"));
    const before = app.deps.db.$count(activity);

    const { status } = await app.as(app.createKey(accountId))("POST", "/tracks/upload", form);

    expect(status).toBe(400);
    expect(await app.deps.db.$count(activity)).toBe(await before);
  });

  test("a download counts once per client and hour, whether whole or in parts", async () => {
    const { url, downloads } = await uploaded();
    const get = (peer: string, range?: string, method = "GET") =>
      app.request(url, { method, peer, ...(range && { headers: { range } }) });

    await get("10.0.0.1", undefined, "HEAD");
    await get("10.0.0.1", "bytes=100-199");
    expect(await downloads()).toBe(0);
    await get("10.0.0.1", "bytes=0-99");
    await get("10.0.0.1", "bytes=100-");
    await get("10.0.0.1");
    expect(await downloads()).toBe(1);
    await get("10.0.0.2");
    expect(await downloads()).toBe(2);
  });

  test("a refused link, or a file that the client already has, does not count as a download", async () => {
    const { url, downloads } = await uploaded();
    const etag = (await app.request(url, { method: "HEAD" })).headers.get("etag") ?? "";

    await app.request(url, { headers: { "if-none-match": etag } });
    await app.request(`${url}x`);
    await app.request(url, { headers: { range: "bytes=99999999-" } });

    expect(await downloads()).toBe(0);
  });

  test("the same client counts again after an hour", async () => {
    const { url, downloads } = await uploaded();
    let at = NOW;
    const count = createDownloadCounter({ ...app.deps, now: () => at });
    const served = { versionId: /ver_\w+/.exec(url)?.[0] ?? "", client: "10.0.0.9" };
    const answer = () => count(new Request("http://127.0.0.1/"), new Response("x"), served);

    answer();
    at += HOUR_MS - 1;
    answer();
    const within = await downloads();
    at += 1;
    answer();

    expect([within, await downloads()]).toEqual([1, 2]);
  });

  test("a download that cannot be counted is still served, and the error is logged", () => {
    const logged: string[] = [];
    const log = (_: string, message: string) => void logged.push(message);
    const closed = { ...app.deps, db: new Proxy(app.deps.db, { get: () => undefined }), log };
    const response = new Response("x");

    const served = createDownloadCounter(closed)(new Request("http://127.0.0.1/"), response, {
      versionId: "ver_1",
      client: "10.0.0.1",
    });

    expect(served).toBe(response);
    expect(logged).toEqual(["A download could not be counted"]);
  });

  test("visits through a link are listed for its owner, newest first, page by page", () => {
    const { accountId, track, happen, db } = owner();
    const id = track();
    for (let n = 0; n < 5; n++)
      happen(id, "plays", NOW + Math.floor(n / 2), {
        shareId: "lnk_1",
        ...(n === 4 && { leftOut: "repeat" }),
      });
    happen(id, "plays", NOW, { shareId: "lnk_2" });

    const first = listShareActivity({ db }, accountId, "lnk_1", { limit: 3 });
    const cursor = first.paging.next_cursor ?? "";
    const second = listShareActivity({ db }, accountId, "lnk_1", { limit: 3, cursor });

    expect(first.items).toMatchObject([
      { metric: "plays", entity: "track", entityId: id, at: "2026-01-15T12:00:00.002Z", leftOut: "repeat" },
      { at: "2026-01-15T12:00:00.001Z", actor: VISITOR, leftOut: null },
      { at: "2026-01-15T12:00:00.001Z" },
    ]);
    expect(second.items).toHaveLength(2);
    expect(second.paging).toEqual({ limit: 3, next_cursor: null });
    expect(new Set([...first.items, ...second.items].map((item) => item.id)).size).toBe(5);
    expect(listShareActivity({ db }, owner().accountId, "lnk_1", { limit: 3 }).items).toEqual([]);
    expect(() => listShareActivity({ db }, accountId, "lnk_2", { limit: 3, cursor })).toThrow(
      "Invalid request",
    );
  });

  test("activity of a failed transaction is not recorded", () => {
    const { accountId, track, db } = owner();
    const entityId = track();
    const rows = () =>
      ["activity", "activity_days", "activity_counts", "activity_series", "activity_entities"].map((table) =>
        db.$client.query(`SELECT count(*) AS count FROM ${table}`).get(),
      );
    const before = rows();

    const failing = () =>
      transact(db, (tx) => {
        const what = { entity: "track", entityId, metric: "plays", actor: VISITOR } as const;
        recordActivity(tx, { ownerId: accountId, ...what }, NOW);
        throw new Error("no");
      });

    expect(failing).toThrow("no");
    expect(rows()).toEqual(before);
  });
});

describe("totals of a library", () => {
  const totals = (db: Db, ownerId: string) =>
    db.$client.query("SELECT tracks, duration_ms FROM library_totals WHERE owner_id = ?").get(ownerId);
  const tags = (db: Db, ownerId: string) =>
    db.$client
      .query(
        "SELECT category, name, tracks FROM library_tags WHERE owner_id = ? AND tracks > 0 ORDER BY 1, 2",
      )
      .values(ownerId);

  test("follow every change of tracks and tags", () => {
    const { db, accountId } = owner();
    const { id } = addTrackRows(db, accountId, { durationSec: 1.5, tags: { genres: ["House"] } });
    const { id: other } = addTrackRows(db, accountId, { tags: { genres: ["House"], moods: ["Happy"] } });
    expect(totals(db, accountId)).toEqual({ tracks: 2, duration_ms: 1500 });
    expect(tags(db, accountId)).toEqual([
      ["genres", "House", 2],
      ["moods", "Happy", 1],
    ]);

    db.update(tracks).set({ durationSec: 2.25 }).where(eq(tracks.id, other)).run();
    db.update(tracks).set({ durationSec: null, title: "Same" }).where(eq(tracks.id, id)).run();
    expect(totals(db, accountId)).toEqual({ tracks: 2, duration_ms: 2250 });

    db.delete(tracks).where(eq(tracks.id, other)).run();
    expect(totals(db, accountId)).toEqual({ tracks: 1, duration_ms: 0 });
    expect(tags(db, accountId)).toEqual([["genres", "House", 1]]);
  });

  test("go with the account, and so does its log", () => {
    const { db, accountId, track, happen } = owner();
    happen(track({ tags: { genres: ["House"] } }), "plays", NOW);

    db.delete(accounts).where(eq(accounts.id, accountId)).run();

    expect([totals(db, accountId), tags(db, accountId)]).toEqual([null, []]);
    const left = "SELECT (SELECT count(*) FROM activity_series WHERE owner_id = ?1) AS n";
    expect(db.$client.query(left).get(accountId)).toEqual({ n: 0 });
    expect(db.$client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  test("include what a library had before the upgrade", async () => {
    const client = new Database(":memory:", { strict: true });
    for (const name of ["0001-foundation", "0002-contract"])
      client.run(await Bun.file(join(import.meta.dir, `../../db/migrations/${name}.sql`)).text());
    client.run(`
      INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', 'a@example.com', 'A', 'x', 1);
      INSERT INTO tracks (id, owner_id, name, name_fold, created_at, active_version_id, analysis_status, duration_sec)
      VALUES ('trk_1', 'usr_1', 'a', 'a', ${NOW}, 'ver_1', 'completed', 60.5),
        ('trk_2', 'usr_1', 'b', 'b', ${NOW - 1}, 'ver_2', 'pending', NULL);
      INSERT INTO track_tags VALUES ('trk_1', 'genres', 'g', 'House', 'house', 0, 'owner', 'usr_1');
      PRAGMA user_version = 2;
    `);

    migrate(client);

    expect(client.query("SELECT * FROM library_totals").values()).toEqual([["usr_1", 2, 60_500]]);
    expect(client.query("SELECT name, tracks FROM library_tags").values()).toEqual([["House", 1]]);
    expect(client.query("SELECT at, actor_type, actor_name FROM activity ORDER BY seq").values()).toEqual([
      [NOW - 1, "user", "A"],
      [NOW, "user", "A"],
    ]);
    expect(client.query("SELECT day, count FROM activity_days").values()).toEqual([[20260115, 2]]);
  });
});

test("earlier plays through a playlist's link count for the playlist, too", async () => {
  const client = new Database(":memory:", { strict: true });
  for (const file of [...new Glob("*.sql").scanSync(MIGRATIONS_FOLDER)].sort().slice(0, 9))
    client.run(await Bun.file(join(MIGRATIONS_FOLDER, file)).text());
  client.run(`
    INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', 'a@example.com', 'A', 'x', 1);
    INSERT INTO playlists (id, owner_id, name, created_at, updated_at) VALUES ('pl_1', 'usr_1', 'Set', 1, 1);
    INSERT INTO shares (id, owner_id, entity, entity_id, token, created_at) VALUES
      ('lnk_1', 'usr_1', 'playlist', 'pl_1', 'a', 1), ('lnk_2', 'usr_1', 'track', 'trk_1', 'b', 1),
      ('lnk_3', 'usr_1', 'playlist', 'pl_gone', 'c', 1);
    INSERT INTO activity_entities (ref, owner_id, entity, entity_id) VALUES
      (1, 'usr_1', 'track', 'trk_1'), (2, 'usr_1', 'playlist', 'pl_1');
    INSERT INTO activity_series (ref, owner_id, entity, metric) VALUES
      (1, 'usr_1', 'track', 'plays'), (2, 'usr_1', 'playlist', 'views');
    INSERT INTO activity (id, series_ref, entity_ref, at, actor_type, share_id, left_out) VALUES
      ('act_1', 1, 1, ${NOW}, 'visitor', 'lnk_1', NULL), ('act_2', 1, 1, ${NOW + DAY_MS}, 'visitor', 'lnk_1', NULL),
      ('act_3', 1, 1, ${NOW}, 'visitor', 'lnk_1', 'short'), ('act_4', 1, 1, ${NOW}, 'visitor', 'lnk_2', NULL),
      ('act_5', 2, 2, ${NOW}, 'visitor', 'lnk_1', NULL), ('act_6', 1, 1, ${NOW}, 'visitor', 'lnk_3', NULL);
    INSERT INTO activity_counts (entity_ref, series_ref, period, count) VALUES (2, 2, 0, 1);
    PRAGMA user_version = 9;
  `);

  migrate(client);

  const counts = `SELECT e.entity_id, s.entity, s.metric, c.period, c.count FROM activity_counts c
    JOIN activity_entities e ON e.ref = c.entity_ref JOIN activity_series s ON s.ref = c.series_ref
    ORDER BY s.metric, c.period`;
  expect(client.query(counts).values()).toEqual([
    ["pl_1", "playlist", "plays", 0, 2],
    ["pl_1", "playlist", "plays", 2026, 2],
    ["pl_1", "playlist", "plays", 202601, 2],
    ["pl_1", "playlist", "plays", 20260115, 1],
    ["pl_1", "playlist", "plays", 20260116, 1],
    ["pl_1", "playlist", "views", 0, 1],
  ]);
});

describe("no question reads the whole log", () => {
  const lists = { entities: "[1]", series: "[1]", runs: "[[0,0]]" };
  const span = { from: 0, to: 1 };

  test.each([
    [
      "counts",
      COUNTS_SQL,
      lists,
      ["SEARCH c USING PRIMARY KEY (entity_ref=? AND series_ref=? AND period>? AND period<?)"],
    ],
    [
      "rests",
      RESTS_SQL,
      { entities: "[1]", series: "[1]", ...span },
      ["SEARCH l USING COVERING INDEX activity_by_entity (entity_ref=? AND series_ref=? AND at>? AND at<?)"],
    ],
    [
      "rests by playlist",
      RESTS_BY_PLAYLIST_SQL,
      { series: "[1]", ...span },
      ["SEARCH l USING COVERING INDEX activity_by_playlist (series_ref=? AND at>? AND at<?)"],
    ],
    [
      "ranked",
      RANKED_SQL,
      { series: 1, period: 0, limit: 1 },
      ["SEARCH activity_counts USING COVERING INDEX activity_counts_ranked (series_ref=? AND period=?)"],
    ],
    [
      "all",
      ALL_SQL,
      { series: 1, runs: "[[0,0]]" },
      ["SEARCH c USING COVERING INDEX activity_counts_ranked (series_ref=? AND period>? AND period<?)"],
    ],
    [
      "rest ranked",
      REST_RANKED_SQL,
      { series: 1, ...span },
      ["SEARCH l USING COVERING INDEX activity_by_series (series_ref=? AND at>? AND at<?)"],
    ],
    [
      "alive",
      ALIVE_SQL,
      { entities: "[1]", series: 1 },
      ["SEARCH c USING PRIMARY KEY (entity_ref=? AND series_ref=? AND period=?)"],
    ],
    [
      "happened",
      HAPPENED_SQL,
      { ref: 1 },
      ["SEARCH activity USING COVERING INDEX activity_by_series (series_ref=?)"],
    ],
    [
      "week",
      WEEK_SQL,
      { ownerId: "usr_1", ...span },
      ["SEARCH d USING PRIMARY KEY (series_ref=? AND day>? AND day<?)"],
    ],
    [
      "recent",
      RECENT_SQL,
      { ownerId: "usr_1", limit: 1, ...span },
      [
        "SEARCH l USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH n USING COVERING INDEX activity_by_series (series_ref=? AND at>? AND at<?)",
      ],
    ],
    [
      "days",
      DAYS_SQL,
      { ownerId: "usr_1", ...span },
      ["SEARCH d USING PRIMARY KEY (series_ref=? AND day>? AND day<?)"],
    ],
    [
      "counted",
      COUNTED_SQL,
      { ownerId: "usr_1", ...span },
      ["SEARCH l USING COVERING INDEX activity_by_series (series_ref=? AND at>? AND at<?)"],
    ],
    [
      "left out",
      LEFT_OUT_SQL,
      { ownerId: "usr_1", reasons: "[]", ...span },
      ["SEARCH l USING COVERING INDEX activity_left_out (series_ref=? AND left_out=? AND at>? AND at<?)"],
    ],
    [
      "listens",
      LISTENS_SQL,
      { entityRef: 1, seriesRef: 1, limit: 1, ...span },
      [
        "SEARCH l USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH p USING COVERING INDEX activity_by_entity (entity_ref=? AND series_ref=? AND at>? AND at<?)",
        "SEARCH q USING COVERING INDEX activity_left_out (series_ref=? AND left_out=? AND at>? AND at<?)",
      ],
    ],
    [
      "library",
      LIBRARY_SQL,
      { ownerId: "usr_1", ...span },
      [
        "SEARCH library_totals USING PRIMARY KEY (owner_id=?)",
        "SEARCH track_rows USING COVERING INDEX track_rows_by_created (owner_id=? AND created_at>? AND created_at<?)",
        "SEARCH playlists USING COVERING INDEX playlists_by_update (owner_id=? AND deleted_at=?)",
      ],
    ],
  ])("an index serves the question: %s", (name, sql, values, expected) => {
    const plan = app.deps.db.$client
      .query<{ detail: string }, [Record<string, string | number>]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(values)
      .map(({ detail }) => detail);

    expect(plan).toEqual(expect.arrayContaining(expected));
    expect(plan.filter((step) => /^SCAN (?!\w+ VIRTUAL TABLE|CONSTANT ROW|\(?subquery)/.test(step))).toEqual(
      [],
    );
    // No sorting: the index provides the order.
    if (name === "ranked") expect(plan).not.toContainEqual(expect.stringContaining("ORDER BY"));
  });
});
