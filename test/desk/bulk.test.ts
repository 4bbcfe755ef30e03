import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { addPlaylistRows, addTrackRows, addVersionRow, type TrackOptions } from "../support/track-rows.ts";

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

const addComposer = async (fullName: string): Promise<string> =>
  (await web("POST", "/app/composers", { fullName, email: null })).body.data.id;
const credit = (shareholderId: string | undefined, share: number): Json => ({
  shareholderId,
  share,
  role: "Composer",
});
const creditsOf = async (id: string): Promise<string[]> =>
  (await api("GET", `/tracks/single?id=${id}`)).body.data.track.shareholderTracks.map(
    ({ share, shareholder }: Json) => `${shareholder.fullName} ${share}`,
  );

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

  test("reports nothing for a track that already is so", async () => {
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

  test("gives every track one cover, which is stored once, and shows the former ones again when that is undone", async () => {
    const [one, two, bare] = [add({ name: "one" }), add({ name: "two" }), add({ name: "bare" })];
    const coverOf = async (id: string) =>
      (await api("GET", `/tracks/single?id=${id}`)).body.data.track.audio_profile.cover as string | null;
    const former = await Promise.all(
      [one, two].map(async (trackId, index) => {
        const base64 = Buffer.from(await picture("png", { grey: 40 + index })).toString("base64");
        await api("POST", "/tracks/cover-art", { trackId, base64 });
        return coverOf(trackId);
      }),
    );

    const cover = `data:image/png;base64,${Buffer.from(await picture("png", { grey: 200 })).toString("base64")}`;
    const { data } = await bulk({ ids: [one, two, bare] }, { details: { cover } });
    const covers = new Set(await Promise.all([one, two, bare].map(coverOf)));
    const shown = await app.request(new URL([...covers][0] ?? "").pathname);
    await undo(data.undoId);
    const again = await app.request(new URL(former[0] ?? "").pathname);

    expect(data.changed).toBe(3);
    expect([covers.size, shown.status]).toEqual([1, 200]);
    expect(await Promise.all([one, two, bare].map(coverOf))).toEqual([...former, null]);
    expect(again.status).toBe(200);
  });

  test("writes the composers of every track with their splits, and brings the former ones back", async () => {
    const [one, two] = [add({ name: "one" }), add({ name: "two" })];
    const [ana, bea] = await Promise.all(["Ana", "Bea"].map(addComposer));
    await api("PUT", `/tracks/shareholders?id=${one}`, { shareholders: [credit(ana, 100)] });
    const before = await creditsOf(one);

    const { data } = await bulk({ ids: [one, two] }, { shareholders: [credit(ana, 60), credit(bea, 40)] });
    const meanwhile = [await creditsOf(one), await creditsOf(two)];
    await undo(data.undoId);

    expect(meanwhile).toEqual([
      ["Ana 60", "Bea 40"],
      ["Ana 60", "Bea 40"],
    ]);
    expect([await creditsOf(one), await creditsOf(two)]).toEqual([before, []]);
  });

  test("refuses splits above 100 per cent and composers of others, and changes nothing", async () => {
    const id = add({ name: "one" });
    const ana = await addComposer("Ana");
    const { token } = app.createAccount();
    const theirs = (await app.signedIn(token)("POST", "/app/composers", { fullName: "Eve", email: null }))
      .body.data.id;

    const over = await bulk(
      { ids: [id] },
      { details: { artist: "X" }, shareholders: [credit(ana, 60), { ...credit(ana, 41), role: "Lyricist" }] },
    );
    const foreign = await bulk(
      { ids: [id] },
      { details: { artist: "X" }, shareholders: [credit(theirs, 10)] },
    );

    expect([over.messageCode, foreign.messageCode]).toEqual(["validation_failed", "composer_not_found"]);
    expect(stateOf(id).track).toMatchObject([{ artist: null }]);
  });

  test("plays every track's newest version, labels it and hides the others, and takes all of it back", async () => {
    const id = add({ name: "one" });
    const single = add({ name: "two" });
    const newest = addVersionRow(app.deps.db, id, { versionOrder: 1, label: "v2", visible: true });
    const before = [stateOf(id), stateOf(single)];

    const { data } = await bulk(
      { ids: [id, single] },
      { version: { active: "newest", label: "Master", othersVisible: false } },
    );
    const meanwhile = stateOf(id);
    await undo(data.undoId);

    expect(data.changed).toBe(2);
    expect(meanwhile.track).toMatchObject([{ active_version_id: newest, analysis_status: "pending" }]);
    expect(meanwhile.versions.map((row) => [(row as Json).label, (row as Json).visible])).toEqual(
      meanwhile.versions.map((row) => ((row as Json).id === newest ? ["Master", 1] : [null, 0])),
    );
    expect([stateOf(id), stateOf(single)].map(({ versions }) => versions)).toEqual(
      before.map(({ versions }) => versions),
    );
    const played = (state?: ReturnType<typeof stateOf>) =>
      state?.track.map((row) => (row as Json).active_version_id);
    expect(played(stateOf(id))).toEqual(played(before[0]));
  });

  test("is made with a key too, but a key cannot delete", async () => {
    const [one, two] = [add({ name: "one" }), add({ name: "two" })];

    const made = await api("POST", "/tracks/bulk", {
      where: { filter: {} },
      do: { details: { album: "Tides" } },
    });
    const refused = await api("POST", "/tracks/bulk", { where: { filter: {} }, do: { delete: true } });
    const undone = await api("POST", `/bulk/${made.body.data.undoId}/undo`);

    expect(made.body.data).toMatchObject({ changed: 2, failed: [] });
    expect([refused.status, refused.body.data.errors[0].path]).toEqual([400, "do.delete"]);
    expect(undone.body.data).toEqual({ undone: 2, failed: [] });
    expect(await names()).toEqual(["one", "two"]);
    expect([one, two].map((id) => (stateOf(id).track[0] as Json).album)).toEqual([null, null]);
    expect(
      (await app.as(app.createKey(owner.accountId, ["read:tracks"]))("POST", "/tracks/bulk", {})).status,
    ).toBe(403);
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

  test("leaves later changes alone", async () => {
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

  test("two undos at once undo each track once", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => add({ name: `${index}` }));
    const { undoId } = (await bulk({ ids }, { delete: true })).data;

    const answers = await Promise.all([undo(undoId), undo(undoId)]);

    const undone = answers.map(({ body }) => body.data?.undone ?? 0);
    expect(undone.reduce((sum, count) => sum + count)).toBe(30);
    expect((await names()).length).toBe(30);
  });
});

describe("a change of many tracks", () => {
  const progressOf = (id: string) => web("GET", `/app/bulk/${id}`);

  test("says how far it is, stops when it is told to, and is undone as far as it went", async () => {
    const count = 4000;
    transact(app.deps.db, () => {
      for (let index = 0; index < count; index++) add({ name: `${index}`, artist: "Ana" });
    });
    const start = { where: { filter: {} }, do: { details: { artist: "Bea" } }, answerWithinMs: 0 };

    const { data: begun } = (await web("POST", "/app/tracks/bulk", start)).body;
    const first = (await progressOf(begun.changeId)).body.data;
    const { data: stopped } = (await web("POST", `/app/bulk/${begun.changeId}/stop`)).body;
    const changed = (await web("GET", "/app/tracks?q=bea&limit=1")).body.paging.total;
    const { body: undone } = await undo(begun.undoId);

    expect(begun).toMatchObject({ state: "running", total: count, undoId: begun.changeId });
    expect(first.done).toBeGreaterThanOrEqual(begun.done);
    expect(stopped).toMatchObject({ state: "stopped", total: count, failed: [], undoId: begun.changeId });
    expect(stopped.changed).toBe(changed);
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(count);
    expect(undone.data).toEqual({ undone: changed, failed: [] });
    expect((await web("GET", "/app/tracks?q=ana&limit=1")).body.paging.total).toBe(count);
  });

  test("a change of a few tracks is answered when it is made", async () => {
    const id = add({ name: "one" });
    const change = { where: { ids: [id] }, do: { visible: false }, answerWithinMs: 10_000 };

    const { data } = (await web("POST", "/app/tracks/bulk", change)).body;

    expect(data).toMatchObject({ state: "done", total: 1, done: 1, changed: 1, failed: [] });
    expect((await progressOf(data.changeId)).body.data).toEqual(data);
    expect((await web("POST", `/app/bulk/${data.changeId}/stop`)).body.data).toEqual(data);
  });

  test("is hidden from other accounts, and forgotten ten minutes after its end", async () => {
    const id = add({ name: "one" });
    const change = { where: { ids: [id] }, do: { visible: false }, answerWithinMs: 10_000 };
    const { changeId } = (await web("POST", "/app/tracks/bulk", change)).body.data;
    const stranger = app.signedIn(app.createAccount().token);

    const foreign = await stranger("GET", `/app/bulk/${changeId}`);
    const stopped = await stranger("POST", `/app/bulk/${changeId}/stop`);
    app.clock.advance(10 * MINUTE_MS);
    await web("POST", "/app/tracks/bulk", change);
    const late = await progressOf(changeId);

    expect([foreign, stopped, late].map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe("POST /app/tracks/common", () => {
  const commonOf = async (where: Json) => (await web("POST", "/app/tracks/common", { where })).body.data;

  test("says what tracks share and where they differ", async () => {
    const ana = await addComposer("Ana");
    const ids = ["one", "two"].map((name) => add({ name, artist: "Ana", album: name, year: "2026" }));
    for (const id of ids)
      await api("PUT", `/tracks/shareholders?id=${id}`, { shareholders: [credit(ana, 50)] });
    addVersionRow(app.deps.db, ids[0] ?? "", { versionOrder: 1, label: "v2" });
    const theirs = addTrackRows(app.deps.db, app.createAccount().accountId, { artist: "Eve" }).id;

    const common = await commonOf({ ids: [...ids, theirs] });

    expect(common).toMatchObject({
      count: 2,
      visible: true,
      details: {
        artist: { several: false, value: "Ana" },
        album: { several: true, value: null },
        year: { several: false, value: "2026" },
        recordLabel: { several: false, value: null },
        cover: { several: false, value: null },
      },
      shareholders: [{ share: 50, shareholder: { fullName: "Ana" } }],
      versions: { label: { several: false, value: null }, outdated: 1, others: 1, othersVisible: false },
    });
  });

  test("says so when one has other composers, or is hidden", async () => {
    const ana = await addComposer("Ana");
    const [one] = [add({ name: "one" }), add({ name: "two", visible: false })];
    await api("PUT", `/tracks/shareholders?id=${one}`, { shareholders: [credit(ana, 50)] });

    expect(await commonOf({ filter: {} })).toMatchObject({ count: 2, visible: null, shareholders: null });
  });
});
