import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addPlaylistRows, addTrackRows, type TrackOptions } from "../support/track-rows.ts";

const MINUTE_MS = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let owner: { accountId: string; token: string; key: string };
beforeEach(() => {
  const { accountId, token } = app.createAccount();
  owner = { accountId, token, key: app.createKey(accountId) };
});

const web = (method: string, path: string, body?: Json) => app.signedIn(owner.token)(method, path, body);
const api = (method: string, path: string, body?: Json) => app.as(owner.key)(method, path, body);
const add = (options: TrackOptions) => addTrackRows(app.deps.db, owner.accountId, options).id;
const bulk = async (where: Json, what: Json) =>
  (await web("POST", "/app/tracks/bulk", { where, do: what })).body;
const undo = (undoId: string) => web("POST", `/app/undo/${undoId}`);
const names = async (query = "") =>
  (await web("GET", `/app/tracks?sort=name&${query}`)).body.data.map(({ name }: Json) => name);

/** Everything that an undo has to bring back of a track: its columns, tags, places and versions. */
function stateOf(id: string) {
  const { $client } = app.deps.db;
  const rows = (sql: string) => $client.query(sql).all(id);
  return {
    track: rows("SELECT * FROM tracks WHERE id = ?"),
    tags: rows("SELECT * FROM track_tags WHERE track_id = ? ORDER BY category, position"),
    places: rows("SELECT playlist_id, position FROM playlist_tracks WHERE track_id = ? ORDER BY id"),
    versions: rows("SELECT * FROM versions WHERE track_id = ? ORDER BY id"),
    verdicts: rows(
      `SELECT category, tag_id, verdict FROM tag_feedback f WHERE track_id = ? AND verdict <> 'withdrawn'
       AND seq = (SELECT max(seq) FROM tag_feedback n
         WHERE n.track_id = f.track_id AND n.category = f.category AND n.tag_id = f.tag_id)
       ORDER BY category, tag_id`,
    ),
  };
}

describe("POST /app/tracks/bulk", () => {
  test("changes the tracks that are named, and names those that it cannot", async () => {
    const [one, two, three] = ["one", "two", "three"].map((name) => add({ name }));
    const theirs = addTrackRows(app.deps.db, app.createAccount().accountId, { name: "theirs" }).id;

    const { data } = await bulk({ ids: [one, theirs, two, "trk_none", one] }, { visible: false });

    expect(data).toEqual({
      changed: 2,
      failed: [theirs, "trk_none"].map((id) => ({
        id,
        code: "track_not_found",
        message: "There is no such track",
      })),
      undoId: expect.stringMatching(/^undo_/),
    });
    expect(await names("visible=false")).toEqual(["one", "two"]);
    expect(await names("visible=true")).toEqual(["three"]);
    expect(three).toBeDefined();
    expect(stateOf(theirs).versions).toMatchObject([{ visible: 1 }]);
  });

  test("changes the tracks of a filter, but for some", async () => {
    const ids = [90, 100, 110, 120].map((bpm) => add({ name: `${bpm}`, bpm }));

    const { data } = await bulk({ filter: { bpmMin: 95 }, except: [ids[2]] }, { delete: true });

    expect(data).toMatchObject({ changed: 2, failed: [] });
    expect(await names()).toEqual(["110", "90"]);
  });

  test("adds tags of the taxonomy and free text, and takes others off, in whatever category", async () => {
    const id = add({
      name: "one",
      tags: { genres: ["Techno"], moods: ["Happy", "Dreamy"], tags: ["old idea"] },
    });

    const { data } = await bulk(
      { ids: [id] },
      {
        addTags: ["house", "For Radio", { category: "instruments", name: "piano" }],
        removeTags: ["TECHNO", "happy", { category: "tags", name: "Old Idea" }],
      },
    );

    const { audio_profile: profile } = (await api("GET", `/tracks/single?id=${id}`)).body.data.track;
    expect(data.changed).toBe(1);
    expect([profile.genres, profile.moods, profile.instruments, profile.tags]).toMatchObject([
      [{ genre: { name: "House" } }],
      [{ mood: { name: "Dreamy" } }],
      [{ instrument: { name: "Piano" } }],
      [{ tag: { name: "For Radio" } }],
    ]);
  });

  test("says nothing of a track that already is so", async () => {
    const id = add({ tags: { genres: ["House"] } });

    const { data } = await bulk({ ids: [id] }, { visible: true, addTags: ["House"], removeTags: ["Techno"] });

    expect(data).toEqual({ changed: 0, failed: [], undoId: null });
  });

  test("puts tracks at the end of a playlist in the order of the table, once where that is asked", async () => {
    const { id, trackIds } = addPlaylistRows(app.deps.db, owner.accountId, 1, () => ({ name: "first" }));
    for (const name of ["c", "a", "b"]) add({ name });

    await bulk({ filter: {}, sort: "name" }, { addToPlaylist: id, dedupe: true });

    const { tracks } = (await api("GET", `/playlists/single/${id}`)).body.data;
    expect(tracks.map(({ name }: Json) => name)).toEqual(["first", "a", "b", "c"]);
    expect(tracks[0].id).toBe(trackIds[0]);
  });

  test("writes details as one request for each track would", async () => {
    const [one, two] = [add({ name: "one", artist: "Ana" }), add({ name: "two" })];

    await bulk({ ids: [one, two] }, { details: { artist: "Bea", year: "1999" } });

    expect(await names("q=bea")).toEqual(["one", "two"]);
    const { audio_profile } = (await api("GET", `/tracks/single?id=${one}`)).body.data.track;
    expect(audio_profile).toMatchObject({ artist: "Bea", year: "1999" });
  });

  test("analyses tracks again", async () => {
    const id = add({ name: "one", analysisStatus: "failed" });

    const { data } = await bulk({ filter: { status: "failed" } }, { retag: true });

    expect(data).toEqual({ changed: 1, failed: [], undoId: null });
    expect(stateOf(id).track).toMatchObject([{ analysis_status: "pending" }]);
  });

  test("announces each change once for each track", async () => {
    const ids = [add({}), add({})];

    await bulk({ ids }, { visible: false, delete: true });

    const events = app.deps.db.$client
      .query("SELECT type, data ->> 'trackId' AS id FROM events WHERE owner_id = ? ORDER BY seq")
      .all(owner.accountId);
    expect(events).toEqual(
      ids.flatMap((id) => [
        { type: "track.updated", id },
        { type: "track.deleted", id },
      ]),
    );
  });

  test.each([
    ["nothing to do", { where: { ids: ["x"] }, do: {} }, "validation_failed"],
    ["only a detail of doing", { where: { ids: ["x"] }, do: { dedupe: true } }, "validation_failed"],
    ["no track", { where: { ids: [] }, do: { delete: true } }, "validation_failed"],
    ["no choice", { where: {}, do: { delete: true } }, "validation_failed"],
    ["an unknown category", { where: { filter: {} }, do: { addTags: [{ category: "x", name: "y" }] } }, "validation_failed"],
    ["a tag of another category", { where: { filter: {} }, do: { addTags: [{ category: "genres", name: "Piano" }] } }, "validation_failed"],
    ["a wrong filter", { where: { filter: { status: "done" } }, do: { delete: true } }, "validation_failed"],
    ["a playlist that is not there", { where: { filter: {} }, do: { addToPlaylist: "pl_none" } }, "playlist_not_found"],
  ])("refuses %s, and changes nothing", async (_, body, code) => {
    add({ name: "stays" });

    const answer = await web("POST", "/app/tracks/bulk", body);

    expect(answer.body.messageCode).toBe(code);
    expect(await names()).toEqual(["stays"]);
  }); // biome-ignore format: a table

  test("refuses another account's playlist, and a change from elsewhere", async () => {
    const other = app.createAccount();
    const { id } = addPlaylistRows(app.deps.db, other.accountId, 1, () => ({}));
    const headers = {
      cookie: `dubplate_session=${owner.token}`,
      origin: "https://evil.example",
      "content-type": "application/json",
    };
    const body = JSON.stringify({ where: { filter: {} }, do: { delete: true } });

    const playlist = await web("POST", "/app/tracks/bulk", {
      where: { filter: {} },
      do: { addToPlaylist: id },
    });
    const foreign = await app.request("/app/tracks/bulk", { method: "POST", headers, body });

    expect([playlist.status, foreign.status]).toEqual([404, 403]);
  });
});

describe("POST /app/undo/{undoId}", () => {
  const full: TrackOptions = {
    name: "full.wav",
    title: "Full",
    artist: "Ana",
    bpm: 99,
    ownerFields: ["title", "bpm"],
    tags: { genres: ["Techno", "House"], moods: ["Happy"] },
    measured: {},
  };

  test.each([
    ["deleting", { delete: true }],
    ["hiding", { visible: false }],
    ["tagging", { addTags: ["Ambient", "new idea"], removeTags: ["techno", "happy"] }],
    ["details", { details: { artist: null, title: "Other", year: "1999", bpm: null } }],
    ["all at once", { addTags: ["Ambient"], details: { artist: "Bea" }, visible: false, delete: true }],
  ])("makes a track exactly what it was before %s", async (_, what) => {
    const id = add(full);
    app.deps.db.$client
      .query("UPDATE track_tags SET source = 'file' WHERE track_id = ? AND category = 'moods'")
      .run(id);
    const { id: playlistId } = addPlaylistRows(app.deps.db, owner.accountId, 2, () => ({}));
    await api("POST", `/playlists/${playlistId}/tracks`, { trackIds: [id] });
    const before = stateOf(id);

    const { data } = await bulk({ ids: [id] }, what);
    const meanwhile = stateOf(id);
    const { body } = await undo(data.undoId);

    expect(body.data).toEqual({ undone: 1, failed: [] });
    expect(meanwhile).not.toEqual(before);
    expect(stateOf(id)).toEqual(before);
  });

  test("takes tracks out of a playlist again, and only those", async () => {
    const { id: playlistId, trackIds } = addPlaylistRows(app.deps.db, owner.accountId, 2, () => ({}));
    const { data } = await bulk({ ids: trackIds }, { addToPlaylist: playlistId });
    const other = add({});
    await api("POST", `/playlists/${playlistId}/tracks`, { trackIds: [other] });

    await undo(data.undoId);

    const { tracks } = (await api("GET", `/playlists/single/${playlistId}`)).body.data;
    expect(tracks.map(({ id }: Json) => id)).toEqual([...trackIds, other]);
  });

  test("leaves what was changed since then", async () => {
    const id = add(full);
    const { data } = await bulk(
      { ids: [id] },
      {
        details: { artist: "Bea", year: "1999" },
        addTags: ["Ambient"],
        removeTags: ["Techno"],
        visible: false,
      },
    );
    await api("PATCH", `/tracks/details?id=${id}`, { artist: "Cleo" });
    await api("PATCH", `/tracks/tags?id=${id}`, { genres: ["Ambient", "Dub"] });
    await api("PATCH", `/tracks/${id}/versions/${(stateOf(id).track[0] as Json).active_version_id}`, {
      visible: true,
    });

    await undo(data.undoId);

    const { track } = (await api("GET", `/tracks/single?id=${id}`)).body.data;
    expect(track).toMatchObject({ visible: true, audio_profile: { artist: "Cleo", year: null } });
    expect(track.audio_profile.genres.map(({ genre }: Json) => genre.name)).toEqual(["Dub", "Techno"]);
  });

  test("works once, within ten minutes, for the account that made the change", async () => {
    const id = add({ name: "one" });
    const first = (await bulk({ ids: [id] }, { delete: true })).data.undoId;
    const stranger = await app.signedIn(app.createAccount().token)("POST", `/app/undo/${first}`);
    app.clock.advance(10 * MINUTE_MS - 1);
    const inTime = await undo(first);
    const again = await undo(first);
    const second = (await bulk({ ids: [id] }, { delete: true })).data.undoId;
    app.clock.advance(10 * MINUTE_MS);
    const late = await undo(second);

    expect([stranger, inTime, again, late].map(({ status }) => status)).toEqual([404, 200, 404, 404]);
    expect(late.body).toMatchObject({ messageCode: "undo_not_found" });
    expect(await names()).toEqual([]);
  });

  test("names a track that is gone for good, and undoes the others", async () => {
    const [one, two] = [add({ name: "one" }), add({ name: "two" })];
    const { undoId } = (await bulk({ ids: [one, two] }, { visible: false })).data;
    await web("DELETE", `/app/tracks/${one}`);
    await web("DELETE", `/app/bin/tracks/${one}`);

    const { body } = await undo(undoId);

    expect(body.data).toMatchObject({ undone: 1, failed: [{ id: one, code: "track_not_found" }] });
    expect(await names("visible=true")).toEqual(["two"]);
  });

  test("of two at once undoes each track once", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => add({ name: `${index}` }));
    const { undoId } = (await bulk({ ids }, { delete: true })).data;

    const answers = await Promise.all([undo(undoId), undo(undoId)]);

    const undone = answers.map(({ body }) => body.data?.undone ?? 0);
    expect(undone.reduce((sum, count) => sum + count)).toBe(30);
    expect((await names()).length).toBe(30);
  });
});

test("a whole library is changed by one request, while others are answered", async () => {
  const count = 3000;
  transact(app.deps.db, () => {
    for (let index = 0; index < count; index++) add({ name: `${index}`, tags: { genres: ["House"] } });
  });
  let isDone = false;
  const answered: number[] = [];

  const changing = bulk({ filter: {} }, { addTags: ["Ambient"], delete: true }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    answered.push((await web("GET", "/app/tracks?limit=1")).body.paging.total);
    await Bun.sleep(0);
  }
  const { data } = await changing;
  const { body } = await undo(data.undoId);

  expect(data).toMatchObject({ changed: count, failed: [] });
  expect(body.data).toEqual({ undone: count, failed: [] });
  expect(answered.length).toBeGreaterThan(10);
  expect(answered.toSorted((a, b) => b - a)).toEqual(answered);
  expect((await web("GET", "/app/tracks?tags=ambient")).body.paging.total).toBe(0);
  expect((await web("GET", "/app/tracks?tags=house")).body.paging.total).toBe(count);
});
