import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, CREATED_AT } from "../support/track-rows.ts";

const NO_SUCH_PLAYLIST = { ok: false, error: "PLAYLIST_NOT_FOUND" };
const BASE = "http://127.0.0.1:4747";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes a new account with `count` tracks, and its API with a key that has every scope, or the given ones. */
function owner(count = 3, scopes?: string[]) {
  const { accountId, token } = app.createAccount();
  const add = (index: number) => addTrackRows(app.deps.db, accountId, { name: `Track ${index}.wav` }).id;
  const tracks = Array.from({ length: count }, (_, index) => add(index));
  return { accountId, token, tracks, api: app.as(app.createKey(accountId, scopes)) };
}

/** Makes an account's playlist with its tracks in order. */
async function playlist(count = 3) {
  const { api, tracks, accountId, token } = owner(count);
  const { body } = await api("POST", "/playlists", { name: "Set", trackIds: tracks });
  const id: string = body.data.playlist.id;
  const order = async () =>
    (await api("GET", `/playlists/single/${id}`)).body.data.tracks.map((track: { id: string }) => track.id);
  return { api, tracks, accountId, token, id, order };
}

describe("POST /playlists", () => {
  test("creates a playlist with its links", async () => {
    const { api, tracks } = owner();

    const { status, body } = await api("POST", "/playlists", {
      name: "  Late set ",
      description: "For the drive home",
      trackIds: tracks,
    });

    expect(status).toBe(200);
    const { id, publicLink } = body.data.playlist;
    expect(id).toMatch(/^pl_/);
    expect(body.data).toEqual({
      ok: true,
      playlist: {
        id,
        privateLink: `${BASE}/library/playlists/${id}`,
        publicLink,
        name: "Late set",
        description: "For the drive home",
      },
      tracks: { count: 3, ids: tracks },
    });
    expect(publicLink).toMatch(/^http:\/\/127\.0\.0\.1:4747\/playlist\/[\w-]{22}$/);
  });

  test("accepts the track ids as comma-separated text", async () => {
    const { api, tracks } = owner();

    const { body } = await api("POST", "/playlists", { name: "Set", trackIds: ` ${tracks.join(" , ")},, ` });

    expect(body.data.tracks).toEqual({ count: 3, ids: tracks });
    expect(body.data.playlist.description).toBeNull();
  });

  test.each([
    [false, [0, 1, 0], [0, 1, 0]],
    [undefined, [1, 1], [1, 1]],
    [true, [1, 0, 1, 0, 2], [1, 0, 2]],
  ])("a playlist made with dedupe %p from %p has %p", async (dedupe, sent, kept) => {
    const { api, tracks } = owner();
    const ids = (places: number[]) => places.map((place) => tracks[place]);

    const { body } = await api("POST", "/playlists", { name: "Set", trackIds: ids(sent), dedupe });

    expect(body.data.tracks).toEqual({ count: kept.length, ids: ids(kept) });
  });

  test("creates nothing when tracks are missing, and names them", async () => {
    const { api, tracks } = owner();
    const foreign = owner().tracks[0];

    const { status, body } = await api("POST", "/playlists", {
      name: "Set",
      trackIds: [tracks[0], foreign, "trk_nothing", foreign],
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ok: false,
      error: "TRACKS_NOT_FOUND",
      message: "2 tracks were not found",
      missing: [foreign, "trk_nothing"],
    });
    expect((await api("GET", "/playlists")).body.data).toEqual([]);
  });

  test.each([
    ["no name", { trackIds: ["trk_1"] }, "name"],
    ["an empty name", { name: "", trackIds: ["trk_1"] }, "name"],
    ["a blank name", { name: "   ", trackIds: ["trk_1"] }, "name"],
    ["a name of 121 characters", { name: "x".repeat(121), trackIds: ["trk_1"] }, "name"],
    [
      "a description of 2001 characters",
      { name: "x", description: "x".repeat(2001), trackIds: ["trk_1"] },
      "description",
    ],
    ["no track ids", { name: "x" }, "trackIds"],
    ["an empty list", { name: "x", trackIds: [] }, "trackIds"],
    ["an empty text", { name: "x", trackIds: "" }, "trackIds"],
    ["only commas", { name: "x", trackIds: " , ," }, "trackIds"],
    ["1001 track ids", { name: "x", trackIds: Array(1001).fill("trk_1") }, "trackIds"],
    ["1001 track ids as text", { name: "x", trackIds: Array(1001).fill("trk_1").join() }, "trackIds"],
    ["numbers for ids", { name: "x", trackIds: [1] }, "trackIds"],
    ["text for dedupe", { name: "x", trackIds: ["trk_1"], dedupe: "yes" }, "dedupe"],
    ["no body", undefined, ""],
  ])("refuses %s", async (_, sent, path) => {
    const { status, body } = await owner(0).api("POST", "/playlists", sent);

    expect([status, body.messageCode, body.message]).toEqual([400, "validation_failed", "Invalid request"]);
    expect(body.data.errors[0].path).toStartWith(path);
  });

  test("accepts the longest name and description, and 1000 tracks", async () => {
    const { api, tracks } = owner(1);

    const { body } = await api("POST", "/playlists", {
      name: "n".repeat(120),
      description: "d".repeat(2000),
      trackIds: Array(1000).fill(tracks[0]),
    });

    expect([body.data.ok, body.data.tracks.count]).toEqual([true, 1000]);
  });
});

describe("GET /playlists", () => {
  test("lists every field", async () => {
    const { api, id } = await playlist();

    const { body } = await api("GET", "/playlists");

    expect(body.data).toEqual([
      {
        id,
        name: "Set",
        description: null,
        image: null,
        collaborative: false,
        isPinned: false,
        trackCount: 3,
        createdAt: "2026-01-15T12:00:00.000Z",
        updatedAt: "2026-01-15T12:00:00.000Z",
        kind: "playlist",
        artist: null,
        type: null,
        label: null,
        catalogueNumber: null,
        releaseDate: null,
        upc: null,
      },
    ]);
    expect(body.paging).toEqual({ limit: 50, next_cursor: null });
  });

  test("returns pages newest first without skipping or repeating, even for playlists created at the same time", async () => {
    const { api, tracks } = owner(1);
    const made: string[] = [];
    for (let index = 0; index < 7; index++) {
      const { body } = await api("POST", "/playlists", { name: `Set ${index}`, trackIds: tracks });
      made.unshift(body.data.playlist.id);
    }

    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api("GET", `/playlists?limit=3${cursor}`);
      seen.push(...body.data.map((each: { id: string }) => each.id));
      // A playlist created meanwhile belongs to no later page.
      await api("POST", "/playlists", { name: "Newer", trackIds: tracks });
      cursor = body.paging.next_cursor === null ? "" : `&cursor=${body.paging.next_cursor}`;
    } while (cursor !== "");

    expect(seen).toEqual(made);
  });

  test.each(["limit=0", "limit=201", "limit=x", "cursor=nonsense", "cursor="])(
    "refuses %s",
    async (query) => {
      const { status, body } = await owner(0).api("GET", `/playlists?${query}`);

      expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
      expect(body.data.errors[0].path).toBe(query.split("=")[0]);
    },
  );

  test("refuses another account's cursor", async () => {
    const { api, tracks } = owner(1);
    for (const name of ["a", "b"]) await api("POST", "/playlists", { name, trackIds: tracks });
    const { body } = await api("GET", "/playlists?limit=1");

    const { status } = await owner(0).api("GET", `/playlists?cursor=${body.paging.next_cursor}`);

    expect(status).toBe(400);
  });
});

describe("GET /playlists/single/{playlistId}", () => {
  test("returns the playlist with its modes and its tracks in order, each with a download link", async () => {
    const { accountId } = app.createAccount();
    const api = app.as(app.createKey(accountId));
    const { id: trackId, versionId } = addTrackRows(app.deps.db, accountId, {
      name: "Night Bus.wav",
      title: "Night Bus",
      bpm: 122,
      tags: { genres: ["House"] },
      measured: {},
    });
    const made = await api("POST", "/playlists", { name: "Set", trackIds: [trackId, trackId] });
    const { id, publicLink } = made.body.data.playlist;

    const { status, body } = await api("GET", `/playlists/single/${id}`);

    expect(status).toBe(200);
    const at = "2026-01-15T12:00:00.000Z";
    expect(body.data).toMatchObject({ id, name: "Set", trackCount: 2, userId: accountId });
    expect(body.data.modes).toEqual([
      { mode: "SHARE_VIEW", link: expect.any(String), active: true, createdAt: at },
      { mode: "PRIVATE", link: null, active: true, createdAt: at },
    ]);
    expect(`${BASE}/playlist/${body.data.modes[0].link}`).toBe(publicLink);
    expect(body.data.tracks).toHaveLength(2);
    expect(body.data.tracks[0]).toEqual({
      id: trackId,
      name: "Night Bus.wav",
      createdAt: new Date(CREATED_AT).toISOString(),
      cid: "",
      audio_profile: {
        title: "Night Bus",
        artist: null,
        bpm: 122,
        key: null,
        durationSec: null,
        genres: [{ genre: { id: expect.any(String), name: "House" } }],
        moods: [],
      },
      link: null,
      analysis: { status: "completed" },
      visible: true,
      order: 0,
      downloadUrl: expect.stringMatching(
        new RegExp(`^${BASE}/media/${versionId}/Night%20Bus\\.wav\\?.*signature=`),
      ),
    });
    expect(body.data.tracks[1].order).toBe(1);
  });

  test("shows the public link as inactive once it is revoked", async () => {
    const { api, id, token } = await playlist();
    const [share] = (await app.signedIn(token)("GET", `/app/shares?playlistId=${id}`)).body.data;

    await app.signedIn(token)("DELETE", `/app/shares/${share.id}`);

    const { body } = await api("GET", `/playlists/single/${id}`);

    expect(body.data.modes[0]).toMatchObject({ mode: "SHARE_VIEW", link: share.link, active: false });
  });

  test.each(["unknown", "foreign"])("answers PLAYLIST_NOT_FOUND for an %s playlist", async (kind) => {
    const id = kind === "foreign" ? (await playlist()).id : "pl_nothing";

    const { status, body } = await owner(0).api("GET", `/playlists/single/${id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual(NO_SUCH_PLAYLIST);
  });
});

describe("PATCH /playlists/{playlistId}", () => {
  test("changes the fields sent and returns the list item", async () => {
    const { api, id } = await playlist();
    app.clock.advance(1000);

    const { body } = await api("PATCH", `/playlists/${id}`, { name: " New ", description: "Words" });

    expect(body.data.ok).toBe(true);
    expect(body.data.playlist).toMatchObject({ id, name: "New", description: "Words", trackCount: 3 });
    expect(Date.parse(body.data.playlist.updatedAt) - Date.parse(body.data.playlist.createdAt)).toBe(1000);
    const cleared = await api("PATCH", `/playlists/${id}`, { description: null });
    expect(cleared.body.data.playlist).toMatchObject({ name: "New", description: null });
  });

  test("a change that says nothing leaves the playlist as it was", async () => {
    const { api, id } = await playlist();
    app.clock.advance(1000);

    const { status, body } = await api("PATCH", `/playlists/${id}`, {});

    expect(status).toBe(200);
    expect(body.data.playlist.updatedAt).toBe(body.data.playlist.createdAt);
  });

  test.each([{ name: "" }, { name: " " }, { name: "x".repeat(121) }, { name: null }, { description: 1 }])(
    "refuses %p",
    async (sent) => {
      const { api, id } = await playlist(1);

      const { status, body } = await api("PATCH", `/playlists/${id}`, sent);

      expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    },
  );
});

describe("POST /playlists/{playlistId}/tracks", () => {
  test("adds tracks at the end in the given order, even if they are already in the playlist", async () => {
    const { api, id, tracks, order, accountId } = await playlist(2);
    const [first = "", second = ""] = tracks;
    const { id: third } = addTrackRows(app.deps.db, accountId);
    app.clock.advance(1000);

    const { body } = await api("POST", `/playlists/${id}/tracks`, { trackIds: [third, first] });

    expect(body.data).toEqual({ ok: true, playlistId: id, added: 2, trackCount: 4 });
    expect(await order()).toEqual([first, second, third, first]);
    const { updatedAt, createdAt } = (await api("GET", `/playlists/single/${id}`)).body.data;
    expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBe(1000);
  });

  test("adds nothing when a track is missing", async () => {
    const { api, id, tracks, order } = await playlist(2);
    const foreign = owner(1).tracks[0];

    const { status, body } = await api("POST", `/playlists/${id}/tracks`, { trackIds: [tracks[0], foreign] });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ok: false,
      error: "TRACKS_NOT_FOUND",
      message: "1 track was not found",
      missing: [foreign],
    });
    expect(await order()).toEqual(tracks);
  });

  test.each([{}, { trackIds: [] }, { trackIds: "trk_1" }, { trackIds: Array(1001).fill("trk_1") }])(
    "a list of tracks that is not valid is refused (%#)",
    async (sent) => {
      const { api, id } = await playlist(1);

      const { status, body } = await api("POST", `/playlists/${id}/tracks`, sent);

      expect([status, body.data.errors[0].path]).toEqual([400, "trackIds"]);
    },
  );

  test("loses and repeats no track when many requests add at once", async () => {
    const { api, id, tracks, order } = await playlist(8);

    const answers = await Promise.all(
      tracks.map((track) => api("POST", `/playlists/${id}/tracks`, { trackIds: [track] })),
    );

    const counts = answers.map(({ body }) => body.data.trackCount).sort((a, b) => a - b);
    expect(counts).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
    expect((await order()).toSorted()).toEqual([...tracks, ...tracks].toSorted());
  });
});

describe("DELETE /playlists/{playlistId}/tracks/{trackId}", () => {
  test("removes every occurrence, and reports 0 for a track that is not in the playlist", async () => {
    const { api, id, tracks, order } = await playlist(3);
    const [first = "", second = "", third = ""] = tracks;
    await api("POST", `/playlists/${id}/tracks`, { trackIds: [second, first] });

    const { body } = await api("DELETE", `/playlists/${id}/tracks/${second}`);

    expect(body.data).toEqual({ ok: true, playlistId: id, trackId: second, removed: 2 });
    expect(await order()).toEqual([first, third, first]);
    const again = await api("DELETE", `/playlists/${id}/tracks/${second}`);
    expect(again.body.data).toEqual({ ok: true, playlistId: id, trackId: second, removed: 0 });
  });
});

describe("PATCH /playlists/{playlistId}/order", () => {
  test("puts the tracks into the given order, including repeated ones", async () => {
    const { api, id, tracks, order } = await playlist(3);
    const [a = "", b = "", c = ""] = tracks;
    await api("POST", `/playlists/${id}/tracks`, { trackIds: [a] });

    const { body } = await api("PATCH", `/playlists/${id}/order`, { trackIds: [c, a, b, a] });

    expect(body.data).toEqual({ ok: true, playlistId: id, trackIds: [c, a, b, a] });
    expect(await order()).toEqual([c, a, b, a]);
    await api("POST", `/playlists/${id}/tracks`, { trackIds: [b] });
    expect(await order()).toEqual([c, a, b, a, b]);
  });

  test("refuses a list that is not a permutation, says why, and changes nothing", async () => {
    const { api, id, tracks, order } = await playlist(3);
    const [a = "", b = "", c = ""] = tracks;

    const { status, body } = await api("PATCH", `/playlists/${id}/order`, { trackIds: [c, "trk_x", a, a] });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data).toMatchObject({ missing: [b], unexpected: ["trk_x", a] });
    expect(await order()).toEqual([a, b, c]);
  });

  test.each([{}, { trackIds: [] }, { trackIds: Array(1001).fill("trk_1") }])(
    "an order that is not valid is refused (%#)",
    async (sent) => {
      const { api, id } = await playlist(1);

      const { status, body } = await api("PATCH", `/playlists/${id}/order`, sent);

      expect([status, body.data.errors[0].path]).toEqual([400, "trackIds"]);
    },
  );
});

const ROUTES = [
  ["GET", "/playlists", "read:playlists"],
  ["GET", "/playlists/single/ID", "read:playlists"],
  ["POST", "/playlists", "create:playlists"],
  ["PATCH", "/playlists/ID", "update:playlists"],
  ["POST", "/playlists/ID/tracks", "create:playlists"],
  ["DELETE", "/playlists/ID/tracks/trk_1", "update:playlists"],
  ["PATCH", "/playlists/ID/order", "update:playlists"],
] as const;

describe.each(ROUTES)("%s %s", (method, path, scope) => {
  test(`needs a key with ${scope}`, async () => {
    const { accountId } = app.createAccount();
    const others = ["read:playlists", "create:playlists", "update:playlists", "read:tracks"];
    const key = app.createKey(
      accountId,
      others.filter((other) => other !== scope),
    );
    const body = method === "GET" || method === "DELETE" ? undefined : { bad: true };

    const wrong = await app.as(key)(method, path, body);
    const none = await app.request(`/api/v1${path}`, { method });

    expect([wrong.status, wrong.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(none.status).toBe(401);
  });
});

test.each([
  ["PATCH", "", { name: "Mine now" }],
  ["POST", "/tracks", { trackIds: ["TRACK"] }],
  ["DELETE", "/tracks/TRACK", undefined],
  ["PATCH", "/order", { trackIds: ["TRACK"] }],
])(
  "%s %s on another account's playlist answers as for an unknown one, and changes nothing",
  async (method, path, sent) => {
    const { id, api, order, tracks } = await playlist(2);
    const stranger = owner(1);
    const own = (text: string) => text.replaceAll("TRACK", stranger.tracks[0] ?? "");
    const body = sent && JSON.parse(own(JSON.stringify(sent)));

    const foreign = await stranger.api(method, `/playlists/${id}${own(path)}`, body);
    const unknown = await stranger.api(method, `/playlists/pl_nothing${own(path)}`, body);

    expect([foreign.status, foreign.body.data]).toEqual([200, NO_SUCH_PLAYLIST]);
    expect(unknown.body).toEqual(foreign.body);
    expect(await order()).toEqual(tracks);
    expect((await api("GET", `/playlists/single/${id}`)).body.data.name).toBe("Set");
  },
);
