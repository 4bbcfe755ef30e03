import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { pruneBin } from "../../src/modules/library/bin/service.ts";
import { createLibrary, type Library } from "../contract/library.ts";
import { legacyRequest } from "../mcp/support.ts";
import { createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { originalsIn } from "../support/originals.ts";

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let owner: { accountId: string; token: string; key: string };
let library: Library;
beforeEach(() => {
  const { accountId, token } = app.createAccount();
  owner = { accountId, token, key: app.createKey(accountId) };
  library = createLibrary(app, owner);
});

const web = (method: string, path: string, body?: Json) => app.signedIn(owner.token)(method, path, body);
const deleted = async (kind = "tracks") =>
  (await library.web("GET", `/app/${kind}/deleted`)).map(({ id }: Json) => id);

/** A track with everything that can belong to one, beside another that stays. */
async function fullTrack() {
  const [id, other] = await library.analysed();
  const { versions } = await library.api("GET", `/tracks/single?id=${id}`);
  const versionId: string = versions[0].id;
  const composer = await library.composer();
  await library.api("PUT", `/tracks/shareholders?id=${id}`, {
    shareholders: [{ shareholderId: composer.id, share: 50, role: "Composer" }],
  });
  const playlistId = await library.playlist([other, id, other]);
  const share = await library.web("POST", "/app/shares", {
    trackId: id,
    allowDownload: true,
    recipient: "Ana",
  });
  await library.web("POST", `/app/tracks/${id}/comments`, { text: "Lovely" });
  await library.web("PUT", `/app/saves/track/${id}`);
  const briefId = await library.brief();
  await library.submit(briefId, id);
  const { searchId } = await library.api("POST", "/tracks/search", { query: "happy house" });
  const { downloadUrl } = await library.api("GET", `/tracks/${id}/versions/${versionId}`);
  return { id, other, versionId, playlistId, briefId, composer, share, searchId, downloadUrl };
}
type FullTrack = Awaited<ReturnType<typeof fullTrack>>;

/** What every door says that could say something of the track, by its request. */
async function everyDoor({ id, other, versionId, playlistId, briefId, composer, searchId }: FullTrack) {
  const asked = await Promise.all(
    [
      "GET /tracks",
      "GET /tracks?sort=name",
      "GET /tracks?tags=House",
      "GET /tracks/count",
      `GET /tracks/single?id=${id}`,
      `GET /tracks/${id}/versions`,
      `GET /tracks/${id}/versions/${versionId}`,
      "GET /tracks/duplicates",
      "GET /playlists",
      `GET /playlists/single/${playlistId}`,
      "GET /composers",
      `GET /composers/single?id=${composer.id}`,
      `GET /tracks/similar?id=${other}`,
      "GET /analytics/dashboard",
      `GET /analytics/stats?entity=track&ids=${id},${other}`,
      "GET /analytics/top?entity=track&metric=saved",
      `GET /briefs/${briefId}/submissions`,
      `GET /tracks/submissions?id=${id}`,
      `GET /tracks/suggested-tags?id=${id}`,
      "GET /app/tracks",
      `GET /app/tracks/${id}/comments`,
      `GET /app/searches/${searchId}`,
      `GET /app/briefs/${briefId}/submissions`,
    ].map(async (what) => {
      const [method = "", path = ""] = what.split(" ");
      const { status, body } = path.startsWith("/app")
        ? await web(method, path)
        : await app.as(owner.key)(method, path);
      return [what, { status, data: body.data ?? body.messageCode }] as const;
    }),
  );
  const found = await app.as(owner.key)("POST", "/tracks/search", { query: "house" });
  const call = { name: "list_tracks", arguments: {} };
  const tool = await app.request("/mcp", legacyRequest("tools/call", call, { "x-api-key": owner.key }));
  return {
    ...Object.fromEntries(asked),
    search: found.body.data.results,
    tool: await tool.text(),
  };
}

describe("a deleted track", () => {
  test("vanishes behind every door, and comes back unchanged", async () => {
    const track = await fullTrack();
    const before = await everyDoor(track);

    const { deletedAt, deletesAt } = await library.web("DELETE", `/app/tracks/${track.id}`);
    const meanwhile = await everyDoor(track);
    await library.web("POST", `/app/tracks/${track.id}/restore`);
    const after = await everyDoor(track);

    expect(Date.parse(deletesAt) - Date.parse(deletedAt)).toBe(30 * DAY_MS);
    for (const [door, said] of Object.entries(meanwhile)) {
      // Routes that are asked for an id may repeat it; the log says "A deleted track" of what happened to it.
      const repeats = door.includes(track.id) || door.endsWith("/dashboard");
      const names = repeats ? [] : [JSON.stringify(said)];
      expect([door, names.filter((text) => text.includes(track.id))]).toEqual([door, []]);
      expect([door, said]).not.toEqual([door, before[door as never]]);
    }
    expect(meanwhile).toMatchObject({
      "GET /tracks/count": { data: { count: 1 } },
      [`GET /tracks/single?id=${track.id}`]: { data: { track: null } },
      [`GET /tracks/${track.id}/versions`]: { status: 404, data: "track_not_found" },
      "GET /tracks/duplicates": { data: { totalGroups: 0, scannedTracks: 1 } },
      [`GET /playlists/single/${track.playlistId}`]: { data: { trackCount: 2 } },
      "GET /analytics/dashboard": { data: { tracks: { total: 1 } } },
      [`GET /app/tracks/${track.id}/comments`]: { status: 404 },
    });
    expect(after).toEqual(before);
  });

  test("is refused by everything that would change it", async () => {
    const { id, other, versionId, composer, playlistId } = await fullTrack();
    await library.web("DELETE", `/app/tracks/${id}`);
    const api = app.as(owner.key);

    const answers = await Promise.all([
      api("PATCH", `/tracks/details?id=${id}`, { title: "Other" }),
      api("PATCH", `/tracks/tags?id=${id}`, { genres: ["House"] }),
      api("POST", "/tracks/auto-tag", { trackId: id }),
      api("POST", `/tracks/${id}/versions/${versionId}/activate`),
      api("PUT", `/tracks/shareholders?id=${id}`, {
        shareholders: [{ shareholderId: composer.id, share: 10, role: "Writer" }],
      }),
      web("POST", "/app/shares", { trackId: id }),
      web("POST", `/app/tracks/${id}/comments`, { text: "Hello?" }),
      web("PUT", `/app/saves/track/${id}`),
      web("DELETE", `/app/tracks/${id}`),
    ]);
    const added = await api("POST", `/playlists/${playlistId}/tracks`, { trackIds: [other, id] });

    expect(answers.map(({ status, body }) => [status, body.messageCode])).toEqual(
      answers.map(() => [404, "track_not_found"]),
    );
    expect(added.body.data).toMatchObject({ ok: false, error: "TRACKS_NOT_FOUND", missing: [id] });
  });

  test("ends its links with 410 and its files with 404, until it is restored", async () => {
    const track = await fullTrack();
    const page = new URL(track.share.url).pathname;
    const file = track.downloadUrl.replace(/^https?:\/\/[^/]+/, "");
    const open = createVisitor(app).open;
    const listen =
      /\/track\/[^"]+\/listen\/[^"]+/.exec((await open(page)).text)?.[0].replaceAll("&amp;", "&") ?? "";
    const statuses = async () => [
      (await open(page)).status,
      (await open(listen)).status,
      (await open(file)).status,
    ];
    const before = await statuses();

    await library.web("DELETE", `/app/tracks/${track.id}`);
    const meanwhile = await statuses();
    await library.web("POST", `/app/tracks/${track.id}/restore`);

    expect([before, meanwhile, await statuses()]).toEqual([
      [200, 200, 200],
      [410, 403, 404],
      [200, 200, 200],
    ]);
  });

  test("comes back to its place in a playlist that was changed meanwhile", async () => {
    const [a, b, c] = await Promise.all([library.track(), library.track(), library.track()]);
    const playlistId = await library.playlist([a, b, c, b]);
    await library.web("DELETE", `/app/tracks/${b}`);
    const order = async () =>
      (await library.api("GET", `/playlists/single/${playlistId}`)).tracks.map(({ id }: Json) => id);

    const without = await order();
    await library.api("PATCH", `/playlists/${playlistId}/order`, { trackIds: [c, a] });
    await library.api("POST", `/playlists/${playlistId}/tracks`, { trackIds: [a] });
    await library.web("POST", `/app/tracks/${b}/restore`);

    expect(without).toEqual([a, c]);
    expect((await order()).filter((id: string) => id === b)).toHaveLength(2);
    expect((await order()).filter((id: string) => id !== b)).toEqual([c, a, a]);
  });

  test("goes too when a playlist gets a new place while the last one is in the bin, and each comes back once", async () => {
    const [one, two, three] = await Promise.all([library.track(), library.track(), library.track()]);
    const playlistId = await library.playlist([three, one, one]);
    await web("DELETE", `/app/tracks/${one}`);
    await library.api("POST", `/playlists/${playlistId}/tracks`, { trackIds: [two, two] });

    const gone = await web("DELETE", `/app/tracks/${two}`);
    const back = [
      await web("POST", `/app/tracks/${two}/restore`),
      await web("POST", `/app/tracks/${one}/restore`),
    ];

    expect([gone, ...back].map(({ status }) => status)).toEqual([200, 200, 200]);
    const { tracks } = await library.api("GET", `/playlists/single/${playlistId}`);
    expect(tracks.map(({ id }: Json) => id).toSorted()).toEqual([one, one, two, two, three].toSorted());
  });

  test("is announced when it goes and when it returns", async () => {
    const id = await library.track();
    await library.web("DELETE", `/app/tracks/${id}`);
    await library.web("POST", `/app/tracks/${id}/restore`);
    await library.web("POST", `/app/tracks/${id}/restore`); // already there

    const events = app.deps.db.$client
      .query<{ type: string }, [string]>("SELECT type FROM events WHERE data ->> 'trackId' = ? ORDER BY seq")
      .all(id);

    expect(events.map(({ type }) => type)).toEqual(["track.deleted", "track.restored"]);
  });

  test("is analysed all the same, so that it comes back complete", async () => {
    const id = await library.track();
    await library.web("DELETE", `/app/tracks/${id}`);
    await app.drainJobs();
    const { thisWeek, tracks } = await library.api("GET", "/analytics/dashboard");
    await library.web("POST", `/app/tracks/${id}/restore`);

    const { track } = await library.api("GET", `/tracks/single?id=${id}`);
    expect([tracks.total, thisWeek.uploaded, track.analysis.status]).toEqual([0, 1, "completed"]);
    expect((await library.api("GET", "/analytics/dashboard")).tracks.total).toBe(1);
  });
});

describe("the bin", () => {
  test("lists deleted tracks, the latest first, page by page", async () => {
    const ids = [await library.track(), await library.track(), await library.track()];
    for (const id of ids) {
      app.clock.advance(1000);
      await library.web("DELETE", `/app/tracks/${id}`);
    }

    const first = await web("GET", "/app/tracks/deleted?limit=2");
    const second = await web("GET", `/app/tracks/deleted?limit=2&cursor=${first.body.paging.next_cursor}`);

    expect(first.body.data).toMatchObject([
      { id: ids[2], title: "Night Bus", artist: "The Commuters", versions: 1 },
      { id: ids[1] },
    ]);
    expect([second.body.data.map(({ id }: Json) => id), second.body.paging.next_cursor]).toEqual([
      [ids[0]],
      null,
    ]);
  });

  test("a bin shows its own account's tracks alone", async () => {
    const id = await library.track();
    const playlistId = await library.playlist([id]);
    const stranger = app.signedIn(app.createAccount().token);
    const live = await Promise.all([
      stranger("DELETE", `/app/tracks/${id}`),
      stranger("POST", `/app/tracks/${id}/restore`),
      stranger("DELETE", `/app/playlists/${playlistId}`),
      stranger("POST", `/app/playlists/${playlistId}/restore`),
    ]);
    await library.web("DELETE", `/app/tracks/${id}`);
    await library.web("DELETE", `/app/playlists/${playlistId}`);

    const binned = await Promise.all([
      stranger("POST", `/app/tracks/${id}/restore`),
      stranger("DELETE", `/app/bin/tracks/${id}`),
      stranger("POST", `/app/playlists/${playlistId}/restore`),
      stranger("DELETE", `/app/bin/playlists/${playlistId}`),
    ]);
    await stranger("DELETE", "/app/tracks/deleted");
    await stranger("DELETE", "/app/playlists/deleted");

    expect([...live, ...binned].map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect([await deleted(), await deleted("playlists")]).toEqual([[id], [playlistId]]);
  });

  test.each([
    ["after 30 days by itself", async () => void (await pruneBin(app.deps))],
    ["when it is emptied", async () => void (await library.web("DELETE", "/app/tracks/deleted"))],
  ])("a track in the bin is deleted for good %s, and the audio goes to the quarantine", async (how, end) => {
    const [gone, kept] = [await library.track(), await library.track()];
    await library.version(gone);
    const { versions } = await library.api("GET", `/tracks/single?id=${gone}`);
    const sha256s = versions.map(
      ({ id }: Json) =>
        app.deps.db.$client
          .query<{ sha256: string }, [string]>("SELECT sha256 FROM versions WHERE id = ?")
          .get(id)?.sha256 ?? "",
    );
    const before = app.deps.now();
    await library.web("DELETE", `/app/tracks/${gone}`);
    if (how.startsWith("after")) {
      app.clock.advance(30 * DAY_MS - 1);
      await end();
      owner.token = app.createAccount().token;
      expect(countRows("tracks", gone)).toBe(1);
      app.clock.advance(2);
    }
    await end();

    const originals = originalsIn(app.deps);
    const setAside = await originals.listSetAside();
    expect([countRows("tracks", gone), countRows("tracks", kept)]).toEqual([0, 1]);
    for (const sha256 of sha256s) {
      expect(await originals.has(sha256)).toBe(false);
      expect(setAside.filter((name) => name === sha256)).toHaveLength(1);
    }
    expect(app.deps.now()).toBeGreaterThanOrEqual(before);
  });

  test("keeps a file that another track still names", async () => {
    const [one, two] = await library.analysed();
    await library.web("DELETE", `/app/tracks/${one}`);
    await library.web("DELETE", `/app/tracks/deleted/${one}`);

    const { versions } = await library.api("GET", `/tracks/single?id=${two}`);
    const { downloadUrl } = await library.api("GET", `/tracks/${two}/versions/${versions[0].id}`);
    expect((await app.request(downloadUrl)).status).toBe(200);
    expect(await deleted()).toEqual([]);
  });

  test("counts the library right through every way in and out", async () => {
    const [one, two, three] = [await library.track(), await library.track(), await library.track()];
    await app.drainJobs();
    for (const id of [one, two]) await library.web("DELETE", `/app/tracks/${id}`);
    await library.web("POST", `/app/tracks/${two}/restore`);
    await library.web("DELETE", `/app/tracks/deleted/${one}`);

    const { $client } = app.deps.db;
    const totals = $client
      .query("SELECT tracks, duration_ms FROM library_totals WHERE owner_id = ?")
      .get(owner.accountId);
    const counted = $client
      .query(
        `SELECT count(*) AS tracks, sum(CAST(round(duration_sec * 1000) AS INTEGER)) AS duration_ms
         FROM tracks WHERE owner_id = ?`,
      )
      .get(owner.accountId);
    const tags = $client
      .query("SELECT name, tracks FROM library_tags WHERE owner_id = ? ORDER BY name")
      .all(owner.accountId);

    expect(totals).toEqual(counted);
    expect(tags).toEqual([
      { name: "Happy", tracks: 2 },
      { name: "House", tracks: 2 },
    ]);
    expect(three).not.toBe(one);
  });
});

function countRows(table: "tracks", id: string): number {
  return app.deps.db.$client.query(`SELECT 1 FROM ${table} WHERE id = ?`).all(id).length;
}

describe("a playlist that is deleted with a key", () => {
  test("is in the bin, comes back as it was, and is deleted once", async () => {
    const playlistId = await library.playlist([await library.track()]);
    const api = app.as(app.createKey(owner.accountId, ["update:playlists"]));

    const gone = await api("DELETE", `/playlists/${playlistId}`);
    const again = await api("DELETE", `/playlists/${playlistId}`);

    expect(gone.body.data).toMatchObject({ ok: true, id: playlistId, deletesAt: expect.any(String) });
    expect([again.status, again.body.messageCode]).toEqual([404, "playlist_not_found"]);
    expect(await deleted("playlists")).toEqual([playlistId]);
    await library.web("POST", `/app/playlists/${playlistId}/restore`);
    expect((await library.api("GET", `/playlists/single/${playlistId}`)).trackCount).toBe(1);
  });

  test("needs update:playlists, and is not another account's", async () => {
    const playlistId = await library.playlist([await library.track()]);
    const maker = app.as(app.createKey(owner.accountId, ["read:playlists", "create:playlists"]));
    const stranger = app.as(app.createKey(app.createAccount().accountId));

    const answers = [
      await maker("DELETE", `/playlists/${playlistId}`),
      await stranger("DELETE", `/playlists/${playlistId}`),
      await app.as("")("DELETE", `/playlists/${playlistId}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 404, 401]);
    expect(await deleted("playlists")).toEqual([]);
  });
});

describe("a deleted playlist", () => {
  test("vanishes with its link, leaves its tracks, and comes back unchanged", async () => {
    const ids = [await library.track(), await library.track()];
    const playlistId = await library.playlist(ids);
    const { playlist } = await library.api("POST", "/playlists", { name: "Stays", trackIds: [ids[0]] });
    const share = await library.web("POST", "/app/shares", { playlistId, password: "tune" });
    const open = createVisitor(app).open;
    const see = async () => ({
      list: (await library.api("GET", "/playlists")).map(({ id }: Json) => id),
      detail: await library.api("GET", `/playlists/single/${playlistId}`).catch(() => "none"),
      page: (await open(new URL(share.url).pathname)).status,
      stats: await library.api("GET", `/analytics/stats?entity=playlist&ids=${playlistId}`),
      total: (await library.api("GET", "/analytics/dashboard")).playlists.total,
    });
    const before = await see();

    await library.web("DELETE", `/app/playlists/${playlistId}`);
    const meanwhile = await see();
    const changed = await app.as(owner.key)("PATCH", `/playlists/${playlistId}`, { name: "Other" });
    const listed = await web("GET", "/app/playlists/deleted");
    await library.web("POST", `/app/playlists/${playlistId}/restore`);

    expect(meanwhile).toMatchObject({
      list: [playlist.id],
      detail: "none",
      page: 410,
      stats: { notFound: [playlistId] },
      total: 1,
    });
    expect(changed.body.data).toEqual({ ok: false, error: "PLAYLIST_NOT_FOUND" });
    expect(listed.body.data).toMatchObject([{ id: playlistId, description: "For the night", trackCount: 2 }]);
    expect((await library.api("GET", "/tracks/count")).count).toBe(2);
    expect(await see()).toEqual(before);
  });

  test("is deleted for good when its bin is emptied, one or all", async () => {
    const id = await library.track();
    const [one, two, three] = [
      await library.playlist([id]),
      await library.playlist([id]),
      await library.playlist([id]),
    ];
    for (const each of [one, two, three]) await library.web("DELETE", `/app/playlists/${each}`);

    const first = await library.web("DELETE", `/app/bin/playlists/${two}`);
    const left = await deleted("playlists");
    const rest = await library.web("DELETE", "/app/playlists/deleted");

    expect([first.deleted, left.sort(), rest.deleted, await deleted("playlists")]).toEqual([
      1,
      [one, three].sort(),
      2,
      [],
    ]);
  });
});

test("a change from elsewhere is refused", async () => {
  const id = await library.track();
  const headers = { cookie: `dubplate_session=${owner.token}`, origin: "https://evil.example" };

  const foreign = await app.request(`/app/tracks/${id}`, { method: "DELETE", headers });

  expect(foreign.status).toBe(403);
  expect(await deleted()).toEqual([]);
});
