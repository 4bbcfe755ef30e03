import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { eq } from "drizzle-orm";
import { shares, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/kernel/time.ts";
import { recordActivity, settleActivity } from "../../src/modules/library/analytics/service.ts";
import { listAccounts } from "../../src/modules/people/accounts/service.ts";
import { createCounting } from "../../src/modules/sharing/shares/counting/counting.ts";
import { deleteAccount } from "../../src/modules/whole/ownership/service.ts";
import { modernRequest } from "../mcp/support.ts";
import { attributesOf, BROWSER, createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

/** 10,000 bytes a second make the arithmetic easy to read. */
const BYTES_PER_SEC = 10_000;
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes an account with tracks of known lengths, and helpers to share them and read the statistics. */
async function library(...seconds: number[]) {
  const { accountId, token } = app.createAccount();
  const tracks = seconds.map((durationSec) => addTrack(accountId, durationSec));
  const api = app.as(app.createKey(accountId));
  const signedIn = app.signedIn(token);
  const share = async (settings: object = {}) => {
    const { body } = await signedIn("POST", "/app/shares", { trackId: tracks[0]?.id, ...settings });
    return { id: body.data.id as string, path: new URL(body.data.url).pathname };
  };
  const stats = async (entity = "track", id = tracks[0]?.id) =>
    (await api("GET", `/analytics/stats?entity=${entity}&ids=${id}`)).body.data.items[0].stats;
  /** Returns a link's log entries, newest first: metric, why it is left out, seconds heard. */
  const log = async (id: string) => {
    app.app.counting.flush();
    const { body } = await signedIn("GET", `/app/shares/${id}/activity`);
    return body.data as {
      metric: string;
      leftOut: string | null;
      heardSec: number | null;
      entityId: string;
      visit: string | null;
      actor: { type: string; name: string | null };
      counted: boolean;
    }[];
  };
  return { accountId, token, tracks, api, signedIn, share, stats, log };
}

function addTrack(accountId: string, durationSec: number) {
  const track = addTrackRows(app.deps.db, accountId, { durationSec, measured: { durationSec } });
  const bytes = new Uint8Array(durationSec * BYTES_PER_SEC).fill(1 + Math.random() * 250);
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

/**
 * Makes a person with a browser, who opens a page, which reports that it is seen, plays, and reports what was
 * heard.
 */
function createListener(headers: Record<string, string> = {}) {
  const visitor = createVisitor(app);
  let sources: string[] = [];
  const open = async (path: string, { isSeen = true } = {}) => {
    const answer = await visitor.open(path, headers);
    sources = attributesOf(answer.text, "data-src");
    if (isSeen) await visitor.post(`${path}/seen`, {}, headers);
    return answer;
  };
  const sourceOf = (index: number) => sources[index] ?? "";
  /** Loads exactly these seconds of a track. */
  const load = (from: number, to: number, { index = 0, suffix = "" } = {}) =>
    visitor.open(sourceOf(index) + suffix, {
      ...headers,
      range: `bytes=${from * BYTES_PER_SEC}-${to * BYTES_PER_SEC - 1}`,
    });
  const tell = (parts: string, index = 0) =>
    visitor.post(sourceOf(index).replace("/listen/", "/heard/"), { parts }, headers);
  return {
    ...visitor,
    open,
    load,
    /** Sends a request like those for the page's own files. */
    get: (address: string, fields: Record<string, string>) =>
      visitor.open(address, { ...headers, ...fields }),
    tell,
    source: () => sourceOf(0),
    /** Loads and hears a part in real time. */
    hear: async (from: number, to: number, index = 0) => {
      await load(from, to, { index });
      app.clock.advance((to - from) * SECOND_MS);
      await tell(`${from}-${to}`, index);
    },
  };
}

describe("a view", () => {
  test("counts once a browser shows the page; a reload within half an hour does not count", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share({ recipient: "Harbour" });
    const person = createListener();

    await person.open(path);
    await person.open(path);
    app.clock.advance(31 * MINUTE_MS);
    await person.open(path);

    expect((await stats()).views).toBe(2);
    const views = (await log(id)).filter(({ metric }) => metric === "views");
    expect(views.map(({ leftOut }) => leftOut)).toEqual([null, "repeat", null]);
    expect(new Set(views.map(({ visit }) => visit)).size).toBe(1);
    expect(views[0]?.actor).toEqual({ type: "visitor", name: "Harbour" });
  });

  test("a view of a page that was never reported as seen does not count", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();

    await createListener().open(path, { isSeen: false });

    expect((await stats()).views).toBe(0);
    expect((await log(id))[0]).toMatchObject({ metric: "views", leftOut: "unseen", counted: false });
  });

  test("counts without JavaScript, by the image in the page", async () => {
    const { share, stats } = await library(200);
    const { path } = await share();
    const person = createVisitor(app);
    const { text } = await person.open(path);
    const [image = ""] = attributesOf(/<noscript><img[^>]*>/.exec(text)?.[0] ?? "", "src");

    const { status } = await person.open(image);

    expect([status, (await stats()).views]).toEqual([204, 1]);
  });

  test.each([
    ["a link preview", { "user-agent": "Slackbot-LinkExpanding 1.0" }, "machine", 200],
    [
      "an Office program",
      { "user-agent": "Mozilla/4.0 (compatible; ms-office; MSOffice 16)" },
      "machine",
      200,
    ],
    [
      "a mail program",
      { "user-agent": "Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Thunderbird/140.0" },
      "machine",
      200,
    ],
    ["a script of a page", { "sec-fetch-dest": "empty" }, "machine", 200],
    ["a browser that fetches ahead", { "sec-purpose": "prefetch;prerender" }, "prefetch", 503],
    ["an older browser that fetches ahead", { "x-moz": "prefetch" }, "prefetch", 503],
    ["a browser that draws a preview", { "x-purpose": "preview" }, "prefetch", 503],
  ])("a view by %s is logged but not counted", async (_, headers, leftOut, status) => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const machine = createListener(headers);

    const answer = await machine.open(path);

    expect(answer.status).toBe(status);
    expect((await stats()).views).toBe(0);
    expect((await log(id))[0]).toMatchObject({ metric: "views", leftOut });
  });

  test("a view by HEAD, and one by the owner, are logged but not counted", async () => {
    const { share, stats, log, token } = await library(200);
    const { path, id } = await share();
    await createVisitor(app).head(path);
    const owner = createListener();
    owner.setCookie("dubplate_session", token);

    await owner.open(path);
    await owner.hear(0, 60);

    expect(await stats()).toMatchObject({ views: 0, plays: 0 });
    expect((await log(id)).map(({ leftOut }) => leftOut)).toEqual(["owner", "owner", "head", null]);
  });

  test("counts by the audio that is played if the page's report was lost", async () => {
    const { share, stats } = await library(200);
    const { path } = await share();
    const person = createListener();

    await person.open(path, { isSeen: false });
    await person.load(0, 1);

    expect((await stats()).views).toBe(1);
  });
});

describe("a play", () => {
  test("counts after half a minute, and only once while the visitor keeps listening", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);

    await person.hear(0, 20);
    expect((await stats()).plays).toBe(0);
    await person.hear(100, 115);
    expect((await stats()).plays).toBe(1);
    await person.hear(115, 200);
    await person.hear(0, 50);

    expect((await stats()).plays).toBe(1);
    expect((await log(id))[0]).toMatchObject({ metric: "plays", leftOut: null, heardSec: 150 });
    app.clock.advance(31 * MINUTE_MS);
    await person.hear(0, 40);
    expect((await stats()).plays).toBe(2);
  });

  test("a play of a short track counts after half of it", async () => {
    const { share, stats } = await library(20);
    const { path } = await share();
    const person = createListener();
    await person.open(path);

    await person.hear(0, 9);
    expect((await stats()).plays).toBe(0);
    await person.hear(9, 11);

    expect((await stats()).plays).toBe(1);
  });

  test("does not count audio that a browser only loaded ahead", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);

    await person.load(0, 200);
    await person.tell("0-12.5");

    expect((await stats()).plays).toBe(0);
    expect((await log(id))[0]).toMatchObject({ metric: "plays", leftOut: "short", heardSec: 12 });
  });

  test("counts no more than was sent and could be heard in the time, whatever a script reports", async () => {
    const { share, stats, log } = await library(200, 200);
    const [one, other] = [await share(), await share()];
    const [person, hasty] = [createListener(), createListener()];
    await person.open(one.path);
    await hasty.open(other.path);

    await person.load(0, 20);
    app.clock.advance(10 * MINUTE_MS);
    await person.tell("0-200,0-99999,-5-7,nonsense");
    await hasty.load(0, 200);
    await hasty.tell("0-200");

    expect((await stats()).plays).toBe(0);
    expect((await log(one.id))[0]).toMatchObject({ leftOut: "short", heardSec: 20 });
    expect((await log(other.id))[0]).toMatchObject({ leftOut: "short", heardSec: 15 });
  });

  test("a play of a range that was requested twice, or interrupted, counts what was sent of it", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);
    for (let n = 0; n < 3; n++) await person.load(0, 13, { suffix: "&plain" });
    const response = await app.request(`${person.source()}&plain`, {
      headers: { "user-agent": "x", cookie: "" },
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();

    expect((await stats()).plays).toBe(0);
    const plays = (await log(id)).filter(({ metric }) => metric === "plays");
    expect(plays.find(({ visit }) => visit !== null)).toMatchObject({ leftOut: "short", heardSec: 13 });
    // An unknown visitor without a cookie. One piece of 64 KB at most.
    expect(plays.find(({ visit }) => visit === null)?.heardSec).toBeLessThanOrEqual(6);
  });

  test("a play without JavaScript counts by the bytes sent", async () => {
    const { share, stats } = await library(200);
    const { path } = await share();
    const person = createListener();
    const { text } = await person.open(path);
    expect(text).toMatch(/<noscript><audio [^>]*src="[^"]*&amp;plain"/);

    await person.load(0, 20, { suffix: "&plain" });
    expect((await stats()).plays).toBe(0);
    await person.load(150, 161, { suffix: "&plain" });

    expect((await stats()).plays).toBe(1);
  });

  test("a play in Safari counts by the script's report and the time", async () => {
    const { share, stats } = await library(200);
    const { path } = await share();
    const person = createListener({ "user-agent": SAFARI });
    await person.open(path);

    const { headers } = await person.load(0, 200);
    app.clock.advance(40 * SECOND_MS);
    await person.tell("0-40");

    expect(headers.get("content-length")).toBe(String(200 * BYTES_PER_SEC));
    expect((await stats()).plays).toBe(1);
  });

  test("a play from the browser's cache counts by the script's report and the time", async () => {
    const { share, stats } = await library(200);
    const { path } = await share();
    const person = createListener();
    await person.open(path);
    const etag = (await createVisitor(app).open(person.source(), { range: "bytes=0-1" })).headers.get("etag");

    const known = await person.get(person.source(), { "if-none-match": etag ?? "" });
    app.clock.advance(40 * SECOND_MS);
    await person.tell("0-40");

    expect([known.status, (await stats()).plays]).toEqual([304, 1]);
  });

  test("a track that the page only made ready leaves nothing in the log", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);

    await person.get(person.source(), {});

    expect((await stats()).plays).toBe(0);
    expect((await log(id)).filter(({ metric }) => metric === "plays")).toEqual([]);
  });

  test("a play by a crawler or by a visitor without a cookie does not count", async () => {
    const { share, stats, log } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);

    await (
      await app.request(`${person.source()}&plain`, { headers: { "user-agent": "Mozilla/5.0" } })
    ).bytes();
    await (await app.request(person.source(), { headers: { "user-agent": "Googlebot/2.1" } })).bytes();

    expect((await stats()).plays).toBe(0);
    const plays = (await log(id)).filter(({ metric }) => metric === "plays");
    expect(plays.map(({ leftOut }) => leftOut)).toEqual(["machine", "machine"]);
  });

  test("is not counted again after a restart, and continues in its row", async () => {
    const { share, stats, log, tracks } = await library(200);
    const { path, id } = await share();
    const person = createListener();
    await person.open(path);
    await person.hear(0, 40);
    const [row] = await log(id);
    const link = app.deps.db.select().from(shares).where(eq(shares.id, id)).get();
    if (!link || !tracks[0]) throw new Error("the link is there");
    const { id: trackId, versionId } = tracks[0];
    const request = new Request("http://127.0.0.1:4747/", { headers: { "user-agent": BROWSER } });
    const heard = { share: link, request, visitId: row?.visit ?? "", trackId, versionId, durationSec: 200 };
    const rest = { source: "", sizeBytes: 200 * BYTES_PER_SEC, client: "203.0.113.7", isOwner: () => false };

    const restarted = createCounting(app.deps);
    const etagKnown = new Response(null, { status: 304 });
    restarted.serve({ ...heard, ...rest, use: "listen" }, etagKnown);
    app.clock.advance(60 * SECOND_MS);
    restarted.onHeard({ ...heard, ...rest, parts: [[0, 60]] });
    restarted.flush();

    expect((await stats()).plays).toBe(1);
    const plays = (await log(id)).filter(({ metric }) => metric === "plays");
    expect(plays).toMatchObject([{ leftOut: null, heardSec: 60 }]);
  });
});

describe("a download", () => {
  /** How many downloads the ledger is to have. */
  const finished = () =>
    app.deps.db.$client
      .query<{ n: number }, []>("SELECT count(*) AS n FROM ledger_pending WHERE type = 'download.finished'")
      .get()?.n;
  const downloadOf = (html: string) =>
    attributesOf(html, "href").find((address) => address.includes("/download/")) ?? "";

  test("counts once when all bytes were sent, in one answer or several", async () => {
    const { share, stats, log } = await library(10);
    const { path, id } = await share({ allowDownload: true });
    const [one, other] = [createListener(), createListener()];
    const first = downloadOf((await one.open(path)).text);
    const second = downloadOf((await other.open(path)).text);

    await one.open(first, { isSeen: false });
    await one.open(first, { isSeen: false });
    await one.head(first);
    await createVisitor(app).open(second, { range: "bytes=0-49999", "user-agent": "curl/8" });
    const part = createListener({ range: "bytes=0-49999" });
    await part.open(second, { isSeen: false });
    app.app.counting.flush();
    expect((await stats()).downloads).toBe(1);
    const rest = createListener({ range: "bytes=50000-" });
    await rest.open(second, { isSeen: false });
    app.app.counting.flush();

    expect((await stats()).downloads).toBe(2);
    const downloads = (await log(id)).filter(({ metric }) => metric === "downloads");
    expect(downloads.map(({ leftOut }) => leftOut)).toEqual([null, "machine", null]);
    expect(finished()).toBe(0);
    app.clock.advance(30 * 60_000);
    app.app.counting.flush();
    app.app.counting.flush(true);
    expect(finished()).toBe(2);
  });

  test("a download that is interrupted is removed from the count", async () => {
    const { share, stats, log } = await library(2000);
    const { path, id } = await share({ allowDownload: true });
    const person = createListener();
    const address = downloadOf((await person.open(path)).text);
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => app.app.front(request, "127.0.0.1"),
    });
    const socket = connect(server.port ?? 0, "127.0.0.1");
    const gone = Promise.withResolvers<void>();
    socket.once("data", () => {
      socket.pause();
      gone.resolve();
    });
    socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${BROWSER}\r\n\r\n`);
    await gone.promise;
    app.app.counting.flush();
    const during = (await stats()).downloads;

    socket.destroy();
    while (server.pendingRequests > 0) await Bun.sleep(5);
    await server.stop(true);

    expect([during, (await stats()).downloads]).toEqual([1, 0]);
    expect((await log(id))[0]).toMatchObject({ metric: "downloads", leftOut: "incomplete" });
    const before = finished();
    app.app.counting.flush(true);
    expect(finished()).toBe(before);
    expect((await stats()).plays).toBe(0);
  });
});

describe("activity through a playlist's link", () => {
  async function sharedSet() {
    const owner = await library(200, 100);
    const trackIds = owner.tracks.map(({ id }) => id);
    const { body } = await owner.api("POST", "/playlists", { name: "Set", trackIds });
    const playlistId: string = body.data.playlist.id;
    const settings = { trackId: undefined, playlistId, allowDownload: true, allowComments: true };
    const link = await owner.share({ ...settings, recipient: "Pier" });
    return { ...owner, playlistId, link };
  }

  test("counts for the playlist and for its tracks: plays, downloads and comments", async () => {
    const { api, accountId, playlistId, link, stats, tracks, log } = await sharedSet();
    const before = (await api("GET", "/analytics/dashboard")).body.data;
    const start = app.clock.now();
    const pier = createListener();
    const { text } = await pier.open(link.path);
    await pier.hear(0, 40, 0);
    await pier.hear(0, 5, 1);
    const [download = ""] = attributesOf(text, "href").filter((address) => address.includes("/download/"));
    await pier.get(download, {});
    app.app.counting.flush();
    const [e = "", s = ""] = ["e", "s"].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1],
    );
    const comment = { e, s, track: tracks[1]?.id ?? "", name: "Pier", text: "Lovely", at: "" };
    expect((await pier.post(`${link.path}/comments`, comment)).status).toBe(303);

    const once = { plays: 1, views: 1, downloads: 1, saved: 0, shares: 1, comments: 1 };
    expect(await stats("playlist", playlistId)).toEqual(once);
    expect(await stats("track", tracks[0]?.id)).toMatchObject({
      plays: 1,
      views: 0,
      downloads: 1,
      comments: 0,
    });
    expect(await stats("track", tracks[1]?.id)).toMatchObject({ plays: 0, downloads: 0, comments: 1 });
    const span = `since=${new Date(start).toISOString()}&until=${new Date(start + 60_000).toISOString()}`;
    const ranges = ["", `&${span}`, `&until=${new Date(start - 1).toISOString()}`];
    const counts = [];
    for (const range of ranges) {
      const top = await api("GET", `/analytics/top?metric=plays&entity=playlist${range}`);
      const inRange = await api("GET", `/analytics/stats?entity=playlist&ids=${playlistId}${range}`);
      counts.push([top.body.data.items[0]?.count, inRange.body.data.items[0].stats.plays]);
    }
    expect(counts).toEqual([
      [1, 1],
      [1, 1],
      [undefined, 0],
    ]);
    const { thisWeek, recentActivity } = (await api("GET", "/analytics/dashboard")).body.data;
    expect(thisWeek.downloads - before.thisWeek.downloads).toBe(1);
    // A view, a play, a download and a comment: each happened once.
    expect(recentActivity.totalThisWeek - before.recentActivity.totalThisWeek).toBe(4);
    expect((await log(link.id)).filter(({ counted }) => counted).map(({ metric }) => metric)).toEqual([
      "comments",
      "downloads",
      "plays",
      "views",
      "shares",
    ]);
    const asked = { name: "get_entity_stats", arguments: { entity: "playlist", ids: [playlistId] } };
    const { result } = await jsonOf(
      await app.request(
        "/mcp",
        modernRequest("tools/call", asked, { "x-api-key": app.createKey(accountId) }),
      ),
    );
    expect((JSON.parse(result.content[0].text) as Json).items[0]).toMatchObject({ stats: { plays: 1 } });
  });

  test("shows whose link was used", async () => {
    const { playlistId, share, link, log, tracks } = await sharedSet();
    const other = await share({ trackId: undefined, playlistId, recipient: "Quay" });
    const [pier, quay] = [createListener(), createListener()];
    await pier.open(link.path);
    await pier.hear(0, 31);
    await quay.open(other.path);
    await quay.hear(0, 60, 1);

    const plays = async (id: string) => (await log(id)).filter(({ metric }) => metric === "plays");
    expect([await plays(link.id), await plays(other.id)]).toMatchObject([
      [{ entityId: tracks[0]?.id, actor: { name: "Pier" }, heardSec: 31, counted: true }],
      [{ entityId: tracks[1]?.id, actor: { name: "Quay" }, heardSec: 60, counted: true }],
    ]);
  });

  test("a download through a playlist's link that does not count, counts for neither the track nor the playlist", async () => {
    const { accountId, playlistId, stats, tracks } = await sharedSet();
    const { db, now } = app.deps;
    const activity = {
      ownerId: accountId,
      entity: "track",
      entityId: tracks[0]?.id ?? "",
      playlistId,
    } as const;
    const actor = { type: "visitor", name: null } as const;
    const seq = recordActivity(db, { ...activity, metric: "downloads", actor }, now());
    expect((await stats("playlist", playlistId)).downloads).toBe(1);

    settleActivity(db, seq, "incomplete");

    expect([(await stats()).downloads, (await stats("playlist", playlistId)).downloads]).toEqual([0, 0]);
  });
});

test("mixed visits of people and bots give exact numbers everywhere", async () => {
  const { share, stats, log, api, tracks, token, signedIn } = await library(200, 100);
  const [first, second] = tracks.map(({ id }) => id);
  const { body } = await api("POST", "/playlists", { name: "Set", trackIds: [first, second] });
  const playlistId: string = body.data.playlist.id;
  const mine = await share({ recipient: "Harbour", allowDownload: true });
  const open = await share();
  const list = await share({ trackId: undefined, playlistId, recipient: "Pier" });
  const before = (await api("GET", "/analytics/dashboard")).body.data.thisWeek;

  const [harbour, anna, ben, pier, owner] = Array.from({ length: 5 }, () => createListener());
  if (!harbour || !anna || !ben || !pier || !owner) throw new Error("five listeners");
  owner.setCookie("dubplate_session", token);
  const page = await harbour.open(mine.path); // view
  await createListener({ "user-agent": "WhatsApp/2.23.20.0 A" }).open(open.path);
  await harbour.hear(0, 45); // play
  await anna.open(open.path); // view
  await createVisitor(app).head(open.path);
  await anna.hear(0, 10);
  await ben.open(open.path); // view
  await ben.hear(120, 160); // play
  await ben.open(open.path);
  await createListener({ "sec-purpose": "prefetch" }).open(open.path);
  await owner.open(open.path);
  await owner.hear(0, 60);
  await pier.open(list.path); // view of the playlist
  await pier.hear(0, 31, 0); // play of the first
  await pier.hear(50, 95, 1); // play of the second
  const download = attributesOf(page.text, "href").find((address) => address.includes("/download/")) ?? "";
  await harbour.open(download, { isSeen: false }); // download
  await createListener().open(open.path, { isSeen: false });
  app.app.counting.flush();

  expect(await stats("track", first)).toMatchObject({ views: 3, plays: 3, downloads: 1 });
  expect(await stats("track", second)).toMatchObject({ views: 0, plays: 1, downloads: 0 });
  expect(await stats("playlist", playlistId)).toMatchObject({ views: 1, plays: 2 });
  const top = (await api("GET", "/analytics/top?metric=plays")).body.data.items;
  expect(top.map(({ id, count }: { id: string; count: number }) => [id, count])).toEqual([
    [first, 3],
    [second, 1],
  ]);
  const { thisWeek } = (await api("GET", "/analytics/dashboard")).body.data;
  expect([thisWeek.views - before.views, thisWeek.downloads - before.downloads]).toEqual([4, 1]);
  const seen = async (id: string) =>
    (await log(id)).map(({ metric, leftOut, heardSec }) => [metric, leftOut, heardSec]);
  expect((await seen(mine.id)).toSorted()).toEqual([
    ["downloads", null, null],
    ["plays", null, 45],
    ["shares", null, null],
    ["views", null, null],
  ]);
  expect((await log(list.id)).filter(({ metric }) => metric === "plays")).toMatchObject([
    { entityId: second, heardSec: 45, actor: { name: "Pier" } },
    { entityId: first, heardSec: 31, actor: { name: "Pier" } },
  ]);
  const leftOut = (await log(open.id)).map(({ metric, leftOut }) => `${metric} ${leftOut}`).toSorted();
  expect(leftOut).toEqual([
    "plays null",
    "plays owner",
    "plays short",
    "shares null",
    "views head",
    "views machine",
    "views null",
    "views null",
    "views owner",
    "views prefetch",
    "views repeat",
    "views unseen",
  ]);
  expect((await signedIn("GET", `/app/shares/${open.id}`)).body.data.uses).toBe(3);
});

test("a listen whose library is deleted meanwhile does not keep others from being recorded", async () => {
  const [gone, kept] = [await library(60), await library(60)];
  const [first, second] = [createListener(), createListener()];
  const link = await kept.share();
  await first.open((await gone.share()).path);
  await first.load(0, 20);
  await second.open(link.path);
  await second.load(0, 20);
  const account = listAccounts(app.deps).find(({ id }) => id === gone.accountId);
  const before = app.logged.length;

  if (account) await deleteAccount(app.deps, account);
  app.clock.advance(20 * SECOND_MS);
  await second.tell("0-20");
  const [play] = (await kept.log(link.id)).filter(({ metric }) => metric === "plays");

  expect(play).toMatchObject({ heardSec: 20 });
  expect(app.logged.slice(before).filter(({ level }) => level === "error")).toEqual([]);
});
