import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { type Activity, recordActivity } from "../../src/modules/library/analytics/service.ts";
import type { ActivityMetric } from "../../src/modules/library/analytics/shapes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows, MEASURED } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Thursday, 15 January 2026, noon: the clock of the test app. */
const NOW = Date.UTC(2026, 0, 15, 12);
const VISITOR = { type: "visitor", name: null } as const;
const LENGTH = MEASURED.durationSec;

/** A new account, its session, and what happens to its music. */
function owner() {
  const { accountId, token } = app.createAccount();
  const call = app.signedIn(token);
  return {
    call,
    track: (title: string) => addTrackRows(app.deps.db, accountId, { title, measured: {} }).id,
    share: async (trackId: string, recipient?: string): Promise<string> =>
      (await call("POST", "/app/shares", { trackId, ...(recipient && { recipient }) })).body.data.id,
    happen: (entityId: string, metric: ActivityMetric, at: number, more: Partial<Activity> = {}) =>
      transact(app.deps.db, (tx) =>
        recordActivity(
          tx,
          { ownerId: accountId, entity: "track", entityId, metric, actor: VISITOR, ...more },
          at,
        ),
      ),
    insights: async (query = ""): Promise<Json> => {
      const { status, body } = await call("GET", `/app/insights${query}`);
      expect(status).toBe(200);
      return body.data;
    },
  };
}

/** What a visit heard, from the start to a second. */
const heardUntil = (visit: string, sec: number) => ({
  visit,
  heardSec: Math.round(sec),
  heard: JSON.stringify([[0, sec]]),
  stoppedSec: sec,
});

describe("GET /app/insights", () => {
  test("has every day of the range, beside the day as long before", async () => {
    const { track, happen, insights } = owner();
    const id = track("Night Bus");
    for (const daysAgo of [0, 0, 2, 3, 3, 3]) happen(id, "plays", NOW - daysAgo * DAY_MS);
    happen(id, "downloads", NOW);

    const { range, before, totals, totalsBefore, series, tracks } = await insights("?since=2026-01-13");

    expect(range).toEqual({ since: "2026-01-13", until: "2026-01-15", by: "day" });
    expect(before).toEqual({ since: "2026-01-10", until: "2026-01-12" });
    expect([totals.plays, totals.downloads, totalsBefore.plays]).toEqual([3, 1, 3]);
    expect(series.map(({ from, plays, playsBefore }: Json) => [from, plays, playsBefore])).toEqual([
      ["2026-01-13", 1, 0],
      ["2026-01-14", 0, 0],
      ["2026-01-15", 2, 3],
    ]);
    expect(tracks).toMatchObject([{ trackId: id, title: "Night Bus", plays: 3, playsBefore: 3 }]);
  });

  test("a range without bounds begins with the first activity, and is compared with nothing", async () => {
    const { track, happen, insights } = owner();
    happen(track("Harbour"), "plays", NOW - 9 * DAY_MS);

    const { range, before, totalsBefore, series } = await insights();

    expect(range).toEqual({ since: "2026-01-06", until: "2026-01-15", by: "day" });
    expect([before, totalsBefore, series.length]).toEqual([null, null, 10]);
  });

  test("takes longer steps where there were too many", async () => {
    const { track, happen, insights } = owner();
    happen(track("Old one"), "plays", Date.UTC(2024, 2, 5));

    const [whole, months] = [await insights("?since=2024-03-01"), await insights("?since=2020-01-01")];

    expect([whole.range.by, months.range.by]).toEqual(["week", "month"]);
    expect(Math.max(whole.series.length, months.series.length)).toBeLessThanOrEqual(120);
    expect(whole.series[1]).toMatchObject({ from: "2024-03-04", to: "2024-03-10", plays: 1 });
    expect((await insights("?since=2026-01-01&by=month")).series).toHaveLength(1);
  });

  test("says how far listeners come, and where they stop", async () => {
    const { track, happen, insights } = owner();
    const id = track("Long Intro");
    happen(id, "plays", NOW, heardUntil("one", 40));
    happen(id, "plays", NOW, heardUntil("two", 42));
    happen(id, "plays", NOW, { ...heardUntil("three", 3), leftOut: "short" });
    happen(id, "plays", NOW, heardUntil("four", LENGTH));
    happen(id, "plays", NOW); // without a script

    const [found] = (await insights("?since=2026-01-15")).tracks;

    expect(found).toMatchObject({ plays: 4, listeners: 4, finished: 1, stop: { atSec: 42, listeners: 2 } });
    expect(found.heardShare).toBeCloseTo((40 + 42 + 3 + LENGTH) / 4 / LENGTH, 2);
    expect(found.curve).toHaveLength(120);
    expect([found.curve[0], found.curve[10], found.curve[119]]).toEqual([1, 0.75, 0.25]);
  });

  test("says who listened through their own links, and which links nobody opened", async () => {
    const { track, share, happen, insights } = owner();
    const id = track("Night Bus");
    const [ada, again, open, unopened] = [
      await share(id, "Ada"),
      await share(id, "ada "),
      await share(id),
      await share(id, "Ben"),
    ];
    happen(id, "plays", NOW, { shareId: ada, ...heardUntil("a", 30) });
    happen(id, "plays", NOW + 1000, { shareId: again, ...heardUntil("b", 60) });
    happen(id, "views", NOW, { shareId: open, visit: "c" });
    happen(id, "views", NOW, { shareId: unopened, visit: "d", leftOut: "machine" });

    const { people, peopleCount, publicLinks, notOpened, notOpenedCount, notCounted } = await insights();

    expect([peopleCount, notOpenedCount]).toEqual([1, 1]);
    expect(people).toMatchObject([
      { plays: 2, tracks: 1, heardSec: 60, stopped: { trackId: id, title: "Night Bus", atSec: 60 } },
    ]);
    expect(people[0].shareIds.toSorted()).toEqual([ada, again].toSorted());
    expect(publicLinks).toMatchObject([{ shareId: open, recipient: null, plays: 0 }]);
    expect(notOpened).toMatchObject([{ shareId: unopened, recipient: "Ben", entityId: id }]);
    expect(notCounted).toEqual([{ reason: "machine", count: 1 }]);
  });

  test("answers nothing for a new account, and nothing of another account's", async () => {
    const other = owner();
    other.happen(other.track("Theirs"), "plays", NOW);

    const { totals, tracks, people, week, series } = await owner().insights();

    expect([totals.plays, tracks, people, week.headline, series.length]).toEqual([0, [], [], null, 1]);
  });

  test.each(["?since=yesterday", "?since=2026-02-30", "?since=2026-02-01", "?by=hour"])(
    "refuses %s",
    async (query) => {
      const { status } = await owner().call("GET", `/app/insights${query}`);

      expect(status).toBe(400);
    },
  );
});

describe("what happened since the last visit", () => {
  test("begins with the second visit, and ends when it is put away", async () => {
    const { call, track, share, happen } = owner();
    const id = track("Night Bus");
    const ada = await share(id, "Ada");
    const visit = async (body: object = {}): Promise<Json> =>
      (await call("POST", "/app/visits", body)).body.data;
    expect(await visit()).toMatchObject({ since: null, plays: 0 });
    const firstAt = new Date(app.clock.now()).toISOString();

    app.clock.advance(DAY_MS);
    happen(id, "plays", app.clock.now(), { shareId: ada });
    happen(id, "plays", app.clock.now(), { leftOut: "owner" });
    happen(id, "downloads", app.clock.now());

    const news = { since: firstAt, plays: 1, downloads: 1, comments: 0, submissions: 0 };
    expect(await visit()).toEqual({
      ...news,
      people: [{ name: "Ada", shareIds: [ada], plays: 1 }],
      peopleCount: 1,
    });
    app.clock.advance(60_000);
    expect((await call("GET", "/app/news")).body.data).toMatchObject(news);
    expect(await visit()).toMatchObject(news);
    expect(await visit({ seen: true })).toMatchObject({ plays: 0, people: [] });
    app.clock.advance(60_000);
    happen(id, "plays", app.clock.now());
    expect((await call("GET", "/app/news")).body.data).toMatchObject({ plays: 1, downloads: 0 });
  });
});
