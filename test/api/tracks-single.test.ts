import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow, CREATED_AT, MEASURED } from "../support/track-rows.ts";

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

const DETAILS = {
  album: "Last Stop",
  album_artist: "Someone and Friends",
  composer: "Someone",
  album_composer: "Someone Else",
  year: "2026",
  album_year: "2027",
  isrc: "QZABC2600001",
  trackGenre: "Late-night house",
  track_number: "3",
  disc_number: "1",
  total_tracks_album: "11",
  total_discs_album: "2",
  lyrics: "Home again\nhome again",
  notes: "Vocals still to come",
  recordLabel: "None yet",
  cover: "http://127.0.0.1:4747/artwork/cover",
  language: "en",
};

const DETAIL_COLUMNS = {
  album: DETAILS.album,
  albumArtist: DETAILS.album_artist,
  composer: DETAILS.composer,
  albumComposer: DETAILS.album_composer,
  year: DETAILS.year,
  albumYear: DETAILS.album_year,
  isrc: DETAILS.isrc,
  trackGenre: DETAILS.trackGenre,
  trackNumber: DETAILS.track_number,
  discNumber: DETAILS.disc_number,
  totalTracksAlbum: DETAILS.total_tracks_album,
  totalDiscsAlbum: DETAILS.total_discs_album,
  lyrics: DETAILS.lyrics,
  notes: DETAILS.notes,
  recordLabel: DETAILS.recordLabel,
  // Stored by its key.
  cover: "cover",
  language: DETAILS.language,
};

const EMPTY_RELATIONS = {
  genres: [],
  moods: [],
  types: [],
  vocals: [],
  instruments: [],
  lyricThemes: [],
  eras: [],
  characters: [],
  movements: [],
  tags: [],
};

describe("GET /tracks/single", () => {
  test("returns the whole track: profile, details, measurements and versions", async () => {
    const { accountId, api, db } = reader();
    const { id, versionId } = addTrackRows(db, accountId, {
      name: "Night Bus.wav",
      cid: "cd".repeat(32),
      title: "Night Bus",
      artist: "Someone",
      bpm: 122,
      key: "F minor",
      durationSec: 187.25,
      ...DETAIL_COLUMNS,
      tags: { genres: ["House"] },
      measured: {},
    });

    const { status, body } = await api("GET", `/tracks/single?id=${id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      track: {
        id,
        name: "Night Bus.wav",
        createdAt: "2026-01-15T12:30:00.000Z",
        cid: "cd".repeat(32),
        visible: true,
        link: null,
        audio_profile: {
          title: "Night Bus",
          artist: "Someone",
          bpm: 122,
          key: "F minor",
          durationSec: 187.25,
          ...EMPTY_RELATIONS,
          genres: [{ genre: { id: expect.any(String), name: "House" } }],
          ...DETAILS,
        },
        shareholderTracks: [],
        readiness: { stop: expect.any(Number), warn: expect.any(Number), note: expect.any(Number) },
        analysis: {
          status: "completed",
          code: null,
          reason: null,
          measured: { ...MEASURED, versionId, analysedAt: "2026-01-15T12:30:05.000Z" },
        },
      },
      id,
      userId: accountId,
      activeVersionId: versionId,
      versions: [
        {
          id: versionId,
          label: null,
          name: "Night Bus.wav",
          active: true,
          visible: true,
          createdAt: "2026-01-15T12:30:00.000Z",
        },
      ],
    });
  });

  test.each([
    ["genres", "genre", ["Techno", "House"]],
    ["moods", "mood", ["Happy", "Dreamy"]],
    ["types", "type", ["Demo"]],
    ["vocals", "vocal", ["Instrumental"]],
    ["instruments", "instrument", ["Piano"]],
    ["lyricThemes", "lyricTheme", ["Love"]],
    ["eras", "era", ["1990s"]],
    ["characters", "character", ["Lo-Fi"]],
    ["movements", "movement", ["Rising", "Drop"]],
    ["tags", "tag", ["for radio", "Ask twice"]],
  ])("expands %s as {%s: {id, name}}, in the order written", async (category, singular, names) => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, { tags: { [category]: names } });

    const { body } = await api("GET", `/tracks/single?id=${id}`);

    expect(body.data.track.audio_profile).toMatchObject({
      ...EMPTY_RELATIONS,
      [category]: names.map((name) => ({ [singular]: { id: expect.any(String), name } })),
    });
  });

  test("returns nulls and empty lists for unknown values", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, { visible: false });

    const { track } = (await api("GET", `/tracks/single?id=${id}`)).body.data;

    expect(track).toMatchObject({
      cid: "",
      visible: false,
      analysis: { status: "pending", code: null, reason: null, measured: null },
    });
    expect(track.audio_profile).toEqual({
      title: null,
      artist: null,
      bpm: null,
      key: null,
      durationSec: null,
      ...EMPTY_RELATIONS,
      ...Object.fromEntries(Object.keys(DETAILS).map((name) => [name, null])),
    });
  });

  test("keeps the measured value beside the owner's value", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, {
      bpm: 61,
      key: "C major",
      ownerFields: ["bpm", "key"],
      measured: {},
    });

    const { track } = (await api("GET", `/tracks/single?id=${id}`)).body.data;

    expect(track.audio_profile).toMatchObject({ bpm: 61, key: "C major" });
    expect(track.analysis.measured).toMatchObject({ bpm: 122, key: "F minor" });
  });

  test("says that nothing was found in silence", async () => {
    const { accountId, api, db } = reader();
    const nothing = { bpm: null, key: null, integratedLufs: null, lossless: null, bpmCandidates: [] };
    const { id } = addTrackRows(db, accountId, { measured: { ...nothing, truncated: true } });

    const { track } = (await api("GET", `/tracks/single?id=${id}`)).body.data;

    expect(track.analysis.measured).toMatchObject({ ...nothing, truncated: true });
  });

  test("says why an analysis failed", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, {
      analysisStatus: "failed",
      analysisCode: "needs_ffmpeg",
      analysisReason: "Install ffmpeg",
    });

    const { track } = (await api("GET", `/tracks/single?id=${id}`)).body.data;

    expect(track.analysis).toEqual({
      status: "failed",
      code: "needs_ffmpeg",
      reason: "Install ffmpeg",
      measured: null,
    });
  });

  test("lists versions oldest first; visibility is that of the active version", async () => {
    const { accountId, api, db } = reader();
    const { id, versionId } = addTrackRows(db, accountId, { visible: true });
    const createdAt = CREATED_AT + 1;
    const third = addVersionRow(db, id, { versionOrder: 2, label: "v3", name: "third.wav", createdAt });
    const second = addVersionRow(db, id, { versionOrder: 1, label: "v2", name: "second.wav", createdAt });
    db.$client.query("UPDATE tracks SET active_version_id = ? WHERE id = ?").run(third, id);

    const { data } = (await api("GET", `/tracks/single?id=${id}`)).body;

    expect(data.activeVersionId).toBe(third);
    expect(data.track.visible).toBe(false);
    expect(data.versions).toMatchObject([
      { id: versionId, label: null, active: false, visible: true },
      { id: second, label: "v2", active: false, visible: false, createdAt: "2026-01-15T12:30:00.001Z" },
      { id: third, label: "v3", active: true, visible: false },
    ]);
  });

  test("is a null track for an unknown id and for another account's", async () => {
    const [mine, theirs] = [reader(), reader()];
    const foreign = addTrackRows(theirs.db, theirs.accountId, { measured: {}, tags: { genres: ["House"] } });

    for (const id of ["trk_unknown", foreign.id, "' OR 1=1 --"]) {
      const { status, body } = await mine.api("GET", `/tracks/single?id=${encodeURIComponent(id)}`);
      expect(status).toBe(200);
      expect(body.data).toEqual({ track: null, id, userId: null, activeVersionId: null, versions: [] });
    }
  });

  test.each(["", "?id=", "?ID=trk_1"])("needs an id: %j is 400", async (query) => {
    const { status, body } = await reader().api("GET", `/tracks/single${query}`);

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.errors.at(-1)).toMatchObject({ path: "id" });
  });

  test("needs a key with read:tracks", async () => {
    const { accountId } = app.createAccount();
    const key = app.createKey(accountId, ["update:tracks", "read:composer"]);

    const wrongScope = await app.as(key)("GET", "/tracks/single?id=trk_1");
    const noKey = await app.request("/api/v1/tracks/single?id=trk_1");
    const badKey = await app.as("key_1.nonsense")("GET", "/tracks/single");

    expect([wrongScope.status, wrongScope.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect([noKey.status, ((await noKey.json()) as Answer["body"]).messageCode]).toEqual([
      401,
      "missing_api_key",
    ]);
    expect([badKey.status, badKey.body.messageCode]).toEqual([401, "invalid_key"]);
  });

  test("is 304 while nothing has changed", async () => {
    const { accountId, api, db } = reader();
    const { id } = addTrackRows(db, accountId, { title: "Night Bus" });
    const etag = (await api("GET", `/tracks/single?id=${id}`)).headers.get("etag") ?? "";
    const again = () => api("GET", `/tracks/single?id=${id}`, undefined, { "if-none-match": etag });

    const same = await again();
    db.$client.query("UPDATE tracks SET title = 'Day Bus' WHERE id = ?").run(id);
    const changed = await again();

    expect([same.status, same.body]).toEqual([304, ""]);
    expect([changed.status, changed.body.data.track.audio_profile.title]).toEqual([200, "Day Bus"]);
  });

  test("DELETE is 405", async () => {
    const { status, headers, body } = await reader().api("DELETE", "/tracks/single?id=trk_1");

    expect([status, body.messageCode]).toEqual([405, "method_not_allowed"]);
    expect(headers.get("allow")).toContain("GET");
  });
});
