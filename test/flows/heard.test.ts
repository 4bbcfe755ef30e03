import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { eq } from "drizzle-orm";
import { transact } from "../../db/client.ts";
import { type LibraryId, versions } from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/time.ts";
import { deleteActivityOf } from "../../src/modules/library/analytics/deletion.ts";
import { lists } from "../../src/modules/library/analytics/export.ts";
import { LISTENED_RULE, recordActivity } from "../../src/modules/library/analytics/service.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

const BYTES_PER_SEC = 10_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes an account with tracks of known lengths, and helpers to share them and read what was heard. */
async function library(...seconds: number[]) {
  const { accountId, token } = app.createAccount();
  const tracks = seconds.map((durationSec) => addTrack(accountId, durationSec));
  const signedIn = app.signedIn(token);
  const share = async (settings: object = {}) => {
    const { body } = await signedIn("POST", "/app/shares", { trackId: tracks[0]?.id, ...settings });
    return { id: body.data.id as string, path: new URL(body.data.url).pathname };
  };
  const listening = async (id: string): Promise<Json> => {
    app.app.counting.flush();
    return (await signedIn("GET", `/app/shares/${id}/listening`)).body.data;
  };
  return { accountId, token, tracks, signedIn, share, listening };
}

function addTrack(accountId: string, durationSec: number) {
  const track = addTrackRows(app.deps.db, accountId, { durationSec, measured: { durationSec } });
  const bytes = new Uint8Array(durationSec * BYTES_PER_SEC);
  crypto.getRandomValues(bytes.subarray(0, 32));
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const path = blobPath(app.deps.settings, sha256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  app.deps.db
    .update(versions)
    .set({ sha256, sizeBytes: bytes.length, mediaType: "audio/mpeg" })
    .where(eq(versions.id, track.versionId))
    .run();
  return track;
}

/** Makes a person with a browser that has loaded a link's page and all of its tracks. */
async function createListener(path: string, request = app.request) {
  const visitor = createVisitor({ request });
  const { text } = await visitor.open(path);
  const sources = attributesOf(text, "data-src");
  await visitor.post(`${path}/seen`, {});
  for (const source of sources) await visitor.open(source);
  const tell = (fields: Record<string, string>, index = 0) =>
    visitor.post((sources[index] ?? "").replace("/listen/", "/heard/"), fields);
  return {
    load: (index = 0) => visitor.open(sources[index] ?? ""),
    tell,
    /** Lets time pass, and then reports what was heard in it. */
    hear: async (seconds: number, parts: string, index = 0) => {
      app.clock.advance(seconds * SECOND_MS);
      await tell({ parts }, index);
    },
  };
}

const slices = (curve: number[]) =>
  curve.map((share, slice) => (share > 0 ? slice : -1)).filter((slice) => slice >= 0);

describe("what was heard", () => {
  test("is kept by its parts, and where the listener stopped, with each visit", async () => {
    const { share, listening, tracks } = await library(240);
    const { id, path } = await share({ recipient: "Ada" });
    const ada = await createListener(path);

    await ada.hear(20, "10.0-30.5");
    app.clock.advance(30 * SECOND_MS);
    await ada.tell({ parts: "10-30.5,100-130.25", at: "112.4" });

    const { visits, tracks: heard, totals, trackCount } = await listening(id);
    expect(visits).toMatchObject([
      {
        plays: 1,
        downloads: 0,
        trackId: tracks[0]?.id,
        heard: [
          [10, 30.5],
          [100, 130.3],
        ],
        stoppedAtSec: 112.4,
        tracks: [{ trackId: tracks[0]?.id, plays: 1, stoppedAtSec: 112.4 }],
      },
    ]);
    expect(heard).toMatchObject([{ trackId: tracks[0]?.id, durationSec: 240, plays: 1, visits: 1 }]);
    expect(heard[0].curve).toHaveLength(120);
    // Slices of two seconds.
    expect(slices(heard[0].curve)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => 5 + n),
      ...Array.from({ length: 15 }, (_, n) => 50 + n),
    ]);
    expect([totals, trackCount]).toEqual([
      { visits: 1, listened: 1, plays: 1, downloads: 0, comments: 0 },
      1,
    ]);
  });

  test("is not kept while the link's switch is off, but plays and their length are", async () => {
    const { share, listening, signedIn } = await library(240);
    const { id, path } = await share({ recipient: "Ida", noteParts: false });
    const ida = await createListener(path);

    await ida.hear(60, "0-50");

    const { totals, visits } = await listening(id);
    expect([totals.plays, visits[0].heard, visits[0].stoppedAtSec]).toEqual([1, [], null]);
    expect(visits[0].tracks).toMatchObject([{ plays: 1, heard: [], stoppedAtSec: null }]);
    await signedIn("PATCH", `/app/shares/${id}`, { noteParts: true });
    expect((await listening(id)).visits[0].heard).toEqual([]);
    expect((await signedIn("GET", "/app/insights")).body.data.people).toMatchObject([{ heardSec: 50 }]);
  });

  test("is in an export of the account, and gone with its activity", async () => {
    const { share, listening, accountId } = await library(240);
    const { id, path } = await share({ recipient: "Eve" });
    await (await createListener(path)).hear(60, "0-50");
    await listening(id);
    const { db, settings } = app.deps;
    const exported = () =>
      [...(lists.activity?.({ db, accountId, settings } as never) ?? [])].map(({ heard }) => heard);
    expect(exported()).toContain("[[0,50]]");

    transact(db, (tx) => deleteActivityOf(tx, accountId as LibraryId, 1000));

    expect(exported()).toEqual([]);
    expect((await listening(id)).visits).toEqual([]);
  });

  test("is shown no more once the switch is off, and of a listen under way nothing is kept", async () => {
    const { share, listening, signedIn } = await library(240);
    const { id, path } = await share({ recipient: "Jan" });
    const [one, two] = [await createListener(path), await createListener(path)];
    await one.hear(60, "0-50");
    await two.hear(60, "0-40");
    expect((await listening(id)).tracks[0].curve[0]).toBe(1);
    app.clock.advance(31 * MINUTE_MS);
    await two.load();
    await two.hear(60, "100-140");

    await signedIn("PATCH", `/app/shares/${id}`, { noteParts: false });

    await two.hear(10, "100-150");
    const off = await listening(id);
    expect([off.totals.plays, off.tracks[0].curve[0], off.visits.map(({ heard }: Json) => heard)]).toEqual([
      3,
      0,
      [[], []],
    ]);
    const insights = (await signedIn("GET", "/app/insights")).body.data;
    expect(insights.tracks).toMatchObject([{ plays: 3, listeners: 0, heardShare: null }]);
    expect(insights.people).toMatchObject([{ name: "Jan", stopped: null }]);

    await signedIn("PATCH", `/app/shares/${id}`, { noteParts: true });
    await two.hear(10, "100-160");
    const on = await listening(id);
    expect(on.visits.flatMap(({ heard }: Json) => heard)).toEqual([
      [0, 40],
      [0, 50],
    ]);
  });

  test("shows listening that was too short for a play", async () => {
    const { share, listening } = await library(240);
    const { id, path } = await share();
    const person = await createListener(path);

    await person.hear(12, "0-12");

    expect(await listening(id)).toMatchObject({
      totals: { visits: 1, plays: 0 },
      visits: [{ plays: 0, heard: [[0, 12]], stoppedAtSec: 12 }],
      tracks: [{ plays: 0, visits: 1 }],
      notCounted: [{ reason: "short", count: 1 }],
    });
  });

  test("is the share of all visits that heard a slice, each visit once", async () => {
    const { share, listening } = await library(120);
    const { id, path } = await share();
    const [one, two] = [await createListener(path), await createListener(path)];
    await createListener(path);
    await createListener(path);

    await one.hear(60, "0-60");
    await two.hear(30, "30-60");
    app.clock.advance(31 * MINUTE_MS);
    await one.load();
    await one.hear(60, "0-60");

    const { tracks, totals } = await listening(id);
    expect(totals).toMatchObject({ visits: 4, listened: 2, plays: 3 });
    expect([tracks[0].curve[0], tracks[0].curve[45], tracks[0].curve[90]]).toEqual([0.25, 0.5, 0]);
  });

  test.each([
    ["past the end of the track", "230-99999", [[230, 240]]],
    ["backwards, negative or no numbers", "50-40,-5-9,x-y,1e3-2e3", []],
    ["overlapping", "20-30,10-25,30-31", [[10, 31]]],
    ["parts that touch", "10-20,20-30", [[10, 30]]],
  ])("a report is bounded by what can be heard: %s", async (_, parts, heard) => {
    const { share, listening } = await library(240);
    const { id, path } = await share();
    const person = await createListener(path);

    await person.hear(60, parts);

    expect((await listening(id)).visits[0].heard).toEqual(heard as never);
  });

  test("is bounded by what was sent and by the time, at four times the speed at most", async () => {
    const { share, listening } = await library(240);
    const { id, path } = await share();
    const fast = await createListener(path);

    await fast.hear(10, "0-200");
    expect((await listening(id)).visits[0].heard).toEqual([[0, 55]]);
    await fast.hear(40, "0-200");

    expect((await listening(id)).visits[0].heard).toEqual([[0, 200]]);
  });

  test("has at most 64 parts: the smallest gaps are closed", async () => {
    const { share, listening } = await library(1000);
    const { id, path } = await share();
    const person = await createListener(path);
    const parts = Array.from({ length: 90 }, (_, n) => `${10 * n}-${10 * n + (n < 50 ? 9 : 5)}`);

    await person.hear(900, parts.join());

    const { heard } = (await listening(id)).visits[0];
    expect(heard).toHaveLength(64);
    expect([heard[0][0], heard.at(-1)]).toEqual([0, [890, 895]]);
  });

  test("does not change when a report is sent again, and survives refused ones", async () => {
    const { share, listening } = await library(240);
    const { id, path } = await share();
    const person = await createListener(path);

    await person.hear(30, "0-30");
    for (let again = 0; again < 5; again++) await person.tell({ parts: "0-30" });
    // Reports between were lost: the next says everything.
    await person.hear(40, "0-30,60-100");

    expect(await listening(id)).toMatchObject({
      totals: { plays: 1 },
      visits: [{ heard: [[0, 30], [60, 100]], stoppedAtSec: 100 }], // biome-ignore format: one line
    });
  });

  test("goes on in its row after a restart", async () => {
    const { share, listening, signedIn } = await library(240);
    const { id, path } = await share();
    let server = app.app;
    const person = await createListener(path, async (url, init) =>
      server.front(new Request(url, init), init?.peer ?? ""),
    );
    await person.hear(40, "0-40");
    await listening(id);

    server = createApp(app.deps);
    await person.load();
    await person.hear(10, "0-50");
    server.counting.flush();

    expect(await listening(id)).toMatchObject({
      totals: { plays: 1 },
      visits: [{ heard: [[0, 50]], plays: 1 }],
    });
    const { body } = await signedIn("GET", `/app/shares/${id}/activity`);
    expect(body.data.filter(({ metric }: Json) => metric === "plays")).toHaveLength(1);
  });

  test.each([
    ["the owner", "owner"],
    ["a machine", "machine"],
  ])("listening by %s counts nowhere, and is only named as left out", async (_, reason) => {
    const { share, listening, token } = await library(240);
    const { id, path } = await share();
    const visitor = createVisitor(app);
    if (reason === "owner") visitor.setCookie("dubplate_session", token);
    const headers = reason === "machine" ? { "user-agent": "Googlebot/2.1" } : {};
    const { text } = await visitor.open(path, headers as Record<string, string>);
    const [source = ""] = attributesOf(text, "data-src");
    await visitor.open(source, headers as Record<string, string>);
    app.clock.advance(60 * SECOND_MS);
    await visitor.post(
      source.replace("/listen/", "/heard/"),
      { parts: "0-60" },
      headers as Record<string, string>,
    );

    const { visits, totals, tracks, notCounted } = await listening(id);

    expect([visits, totals.visits, totals.plays]).toEqual([[], 0, 0]);
    expect(slices(tracks[0].curve)).toEqual([]);
    expect(notCounted.map(({ reason: why }: Json) => why)).toContain(reason);
    const kept = app.deps.db.$client
      .query<{ count: number }, [string]>("SELECT count(heard) AS count FROM activity WHERE share_id = ?")
      .get(id);
    expect(kept?.count).toBe(0);
  });

  test("listening to a playlist is reported for each of its tracks that was heard, in their order", async () => {
    const { tracks, signedIn, share, listening } = await library(200, 100, 60);
    const trackIds = tracks.map(({ id }) => id).toReversed();
    const { body } = await signedIn("POST", "/app/playlists", { name: "Set", trackIds });
    const { id, path } = await share({ trackId: undefined, playlistId: body.data.id, recipient: "Pier" });
    const pier = await createListener(path);

    await pier.hear(40, "0-40", 2);
    await pier.hear(50, "0-50", 1);

    const { tracks: heard, visits, trackCount } = await listening(id);
    expect(heard.map(({ trackId }: Json) => trackId)).toEqual([trackIds[1], trackIds[2]]);
    expect(visits[0]).toMatchObject({ trackId: trackIds[1], heard: [[0, 50]], plays: 2 });
    expect(visits[0].tracks).toHaveLength(2);
    expect(trackCount).toBe(3);
  });

  test("listening to another account's link is not found", async () => {
    const [one, other] = [await library(60), await library(60)];
    const { id } = await one.share();

    expect((await other.signedIn("GET", `/app/shares/${id}/listening`)).status).toBe(404);
    expect((await app.request(`/app/shares/${id}/listening`)).status).toBe(401);
  });

  test("listening in ten thousand visits is summed up, and the latest are listed", async () => {
    const { accountId, tracks, share, listening } = await library(200);
    const { id } = await share();
    const actor = { type: "visitor", name: null } as const;
    const link = {
      ownerId: accountId,
      entity: "track",
      entityId: tracks[0]?.id ?? "",
      actor,
      shareId: id,
    } as const;
    const { db, now } = app.deps;
    db.$client.transaction(() => {
      for (let n = 0; n < 10_000; n++) {
        const visit = `visit${n}`;
        recordActivity(db, { ...link, metric: "views", visit }, now() + n);
        const heard = JSON.stringify([[0, 20 + (n % 160)], [190, 195]]); // biome-ignore format: one line
        recordActivity(
          db,
          { ...link, metric: "plays", visit, heardSec: 30, heard, stoppedSec: 195 },
          now() + n,
        );
      }
    })();

    const began = performance.now();
    const { visits, totals, tracks: heard } = await listening(id);
    console.log(`10,000 visits: ${Math.round(performance.now() - began)} ms`);
    expect(totals).toMatchObject({ visits: 10_000, plays: 10_000 });
    expect(visits).toHaveLength(200);
    expect(visits[0].visit).toBe("visit9999");
    expect([heard[0].curve[0], heard[0].curve[119]]).toEqual([1, 0]);
  });
});

describe("whether somebody listened", () => {
  /** What each page says of the one link of a library: whether anybody listened, and how many plays there were. */
  async function told(
    { signedIn, listening }: Awaited<ReturnType<typeof library>>,
    id: string,
    trackId?: string,
  ) {
    const { totals, visits } = await listening(id);
    const dataOf = async (path: string): Promise<Json> => (await signedIn("GET", path)).body.data;
    const insights = await dataOf("/app/insights");
    const [byTrack] = await dataOf(`/app/library/listeners?trackId=${trackId}`);
    return {
      listened: {
        "the page of the link": totals.listened > 0,
        "the visit": visits.some((visit: Json) => visit.listened),
        "the list of links": (await dataOf("/app/links"))[0].lastHeardAt !== null,
        "the links of the track": (await dataOf(`/app/links?trackId=${trackId}`))[0].lastHeardAt !== null,
        contacts: (await dataOf("/app/contacts"))[0].lastHeardAt !== null,
        listeners: (await dataOf("/app/library/listeners"))[0].lastHeardAt !== null,
        "the track's listeners": byTrack.lastHeardAt !== null && byTrack.tracks.length === 1,
        Insights: (insights.people[0]?.tracks ?? 0) > 0,
      },
      plays: [
        totals.plays,
        (await dataOf("/app/links"))[0].plays,
        (await dataOf("/app/contacts"))[0].plays,
        byTrack.plays,
        insights.totals.plays,
      ],
      person: insights.people[0],
    };
  }
  const everywhere = (isSaid: boolean) => ({
    "the page of the link": isSaid,
    "the visit": isSaid,
    "the list of links": isSaid,
    "the links of the track": isSaid,
    contacts: isSaid,
    listeners: isSaid,
    "the track's listeners": isSaid,
    Insights: isSaid,
  });
  /** Somebody at the page of a link, and where their browser asks for the track and reports what it played. */
  async function openAt(path: string) {
    const visitor = createVisitor(app);
    const [source = ""] = attributesOf((await visitor.open(path)).text, "data-src");
    return { visitor, source, heard: source.replace("/listen/", "/heard/") };
  }

  test.each([
    [20, true],
    [1, true],
    [0.6, false],
  ])("every page says the same of a person who heard for %p s", async (seconds, isSaid) => {
    const owner = await library(240);
    const { id, path } = await owner.share({ recipient: "Ada" });
    const { visitor, source, heard } = await openAt(path);
    await visitor.open(source);

    app.clock.advance(seconds * SECOND_MS);
    await visitor.post(heard, { parts: `0-${seconds}` });

    const { listened, plays, person } = await told(owner, id, owner.tracks[0]?.id);
    expect(listened).toEqual(everywhere(isSaid));
    expect(plays).toEqual([0, 0, 0, 0, 0]);
    expect(person?.heardSec).toBe(isSaid ? seconds : 0);
  });

  test("every page says the same of a person without JavaScript who was sent 20 seconds, and of a play", async () => {
    const [owner, other] = [await library(240), await library(240)];
    const [one, two] = [await owner.share({ recipient: "Ada" }), await other.share({ recipient: "Ben" })];
    const ada = await openAt(one.path);
    await ada.visitor.open(`${ada.source}&plain`, { range: `bytes=0-${20 * BYTES_PER_SEC - 1}` });
    const ben = await createListener(two.path);
    await ben.hear(40, "0-40");

    const [short, play] = [
      await told(owner, one.id, owner.tracks[0]?.id),
      await told(other, two.id, other.tracks[0]?.id),
    ];

    expect([short.listened, short.plays[0]]).toEqual([everywhere(true), 0]);
    expect([play.listened, play.plays]).toEqual([everywhere(true), [1, 1, 1, 1, 1]]);
  });

  test("an owner who listens to their own link is not a listener", async () => {
    const owner = await library(240);
    const { id, path } = await owner.share({ recipient: "Ada" });
    const own = await openAt(path);
    own.visitor.setCookie("dubplate_session", owner.token);
    await own.visitor.open(own.source);

    app.clock.advance(20 * SECOND_MS);
    await own.visitor.post(own.heard, { parts: "0-20" });

    expect((await told(owner, id, owner.tracks[0]?.id)).listened).toEqual(everywhere(false));
  });

  test("the console and the answers name the rule that decides", async () => {
    const words = await Bun.file("src/console/app/share/listened.tsx").text();
    expect(words).toContain(`Listened: ${LISTENED_RULE}.`);
  });
});

describe("contacts", () => {
  test("are the recipients of links, the latest activity first", async () => {
    const { share, signedIn } = await library(200);
    const first = await share({ recipient: "Ada", recipientEmail: "ada@example.com" });
    app.clock.advance(DAY_MS);
    await share({ recipient: "Benno" });
    await share({ recipient: "ADA" });
    await share();
    app.clock.advance(DAY_MS);
    const ada = await createListener(first.path);
    await ada.hear(60, "0-60");

    const { body } = await signedIn("GET", "/app/contacts");

    expect(body.data).toMatchObject([
      { name: "ADA", email: "ada@example.com", links: 2, activeLinks: 2, plays: 1 },
      { name: "Benno", email: null, links: 1, plays: 0, lastHeardAt: null, lastActivityAt: null },
    ]);
    expect(body.data[0].lastHeardAt > body.data[1].lastSentAt).toBe(true);
    expect((await signedIn("GET", "/app/contacts?q=ben")).body.data).toMatchObject([{ name: "Benno" }]);
    expect((await signedIn("GET", "/app/contacts?limit=1")).body.data).toMatchObject([{ name: "ADA" }]);
  });

  test("contacts of another account are not shown", async () => {
    const [one, other] = [await library(60), await library(60)];
    await one.share({ recipient: "Ada" });

    expect((await other.signedIn("GET", "/app/contacts")).body.data).toEqual([]);
  });
});

describe("who listened, asked with a key", () => {
  test("a key reads who listened for each link and its recipient, within a range of days, the latest first", async () => {
    const { accountId, tracks, signedIn, share } = await library(240, 60);
    const api = app.as(app.createKey(accountId, ["read:shares"]));
    const [first, second] = tracks.map(({ id }) => id);
    const forPlaylist = app.as(app.createKey(accountId));
    const { playlist } = (await forPlaylist("POST", "/playlists", { name: "Set", trackIds: [first, second] }))
      .body.data;
    const jonas = await share({ trackId: undefined, playlistId: playlist.id, recipient: "Jonas" });
    const ada = await share({ recipient: "Ada" });
    const silent = await share({ recipient: "Ben" });
    await (await createListener(ada.path)).hear(40, "0-40");
    app.clock.advance(3 * DAY_MS);
    const since = new Date(app.deps.now()).toISOString();
    const listener = await createListener(jonas.path);
    await listener.hear(40, "10-50", 1);
    await (await createListener(jonas.path)).hear(40, "0-20,40-60", 1);
    app.app.counting.flush();
    const ask = async (query = "") => (await api("GET", `/listeners${query}`)).body.data as Json[];
    const named = (rows: Json[]) =>
      rows.map(({ recipient, plays }) => [recipient, plays]).filter(([recipient]) => recipient !== null);

    const all = await ask();

    expect(named(all)).toEqual([
      ["Jonas", 2],
      ["Ada", 1],
      ["Ben", 0],
    ]);
    expect(all[0]).toMatchObject({
      shareId: jonas.id,
      entity: "playlist",
      entityId: playlist.id,
      name: "Set",
      visits: 2,
      tracks: [{ trackId: second, plays: 2, heardSec: 60, durationSec: 60, stoppedAtSec: 60 }],
    });
    expect(all.find(({ shareId }) => shareId === silent.id)).toMatchObject({ lastHeardAt: null, tracks: [] });
    expect(named(await ask(`?since=${since}`))).toEqual([
      ["Jonas", 2],
      ["Ben", 0],
      ["Ada", 0],
    ]);
    expect(named(await ask(`?trackId=${first}`))).toEqual([
      ["Ada", 1],
      ["Ben", 0],
      ["Jonas", 0],
    ]);
    expect(named(await ask("?recipient=JON"))).toEqual([["Jonas", 2]]);
    expect(named(await ask(`?playlistId=${playlist.id}`))).toEqual([["Jonas", 2]]);
    const pages: Json[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await api("GET", `/listeners?limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(...body.data);
      cursor = body.paging.next_cursor;
      if (!cursor) break;
    }
    expect(pages).toEqual(all);
    expect((await api("GET", "/recipients")).body.data[0]).toMatchObject({ name: "Jonas", plays: 2 });
    expect((await api("GET", `/shares/${ada.id}/listening`)).body.data.totals.plays).toBe(1);
    expect((await api("GET", "/listeners?since=soon")).status).toBe(400);
    expect((await api("GET", "/listeners?since=2026-02-01&until=2026-01-01")).status).toBe(400);
    expect((await signedIn("GET", `/app/shares/${ada.id}/listening`)).body.data.totals.plays).toBe(1);
  });
});
