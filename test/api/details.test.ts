import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { analyses, events, tracks } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["as"]>;
let id: string;
beforeAll(async () => {
  app = await createTestApp();
  ({ accountId } = app.createAccount());
  call = app.as(app.createKey(accountId));
});
afterAll(() => app.close());
beforeEach(() => {
  app.deps.db.delete(events).run();
  ({ id } = addTrackRows(app.deps.db, accountId, { name: "Night Bus.wav" }));
});

const patch = (body: unknown, trackId = id) => call("PATCH", `/tracks/details?id=${trackId}`, body);
const row = () => app.deps.db.select().from(tracks).where(eq(tracks.id, id)).get();
const told = () =>
  app.deps.db
    .select()
    .from(events)
    .all()
    .map(({ type, data }): Json => ({ type, ...data }));
const found = (words: string) =>
  app.deps.db.$client
    .query<{ id: string }, [string]>(
      "SELECT id FROM track_text JOIN tracks ON tracks.seq = track_text.rowid WHERE track_text MATCH ?",
    )
    .all(words)
    .map((each) => each.id)
    .filter((each) => each === id);

/** Every text field, with a value that code might tidy up by mistake. */
const TEXTS = {
  title: "  Night Bus ",
  artist: "Åsa & the Ñandús",
  album: "Late Lines",
  album_artist: "Various",
  composer: "A; B / C",
  album_composer: "D",
  year: "circa 1999",
  album_year: "0",
  key: "F# minor",
  trackGenre: "wonky / 2-step",
  track_number: "03/12",
  disc_number: "1",
  total_tracks_album: "12",
  total_discs_album: "2",
  lyrics: "line one\nline two\t🎧",
  notes: "",
  recordLabel: "White Label",
  language: "en",
};

describe("PATCH /tracks/details", () => {
  test("keeps every text exactly as sent, and returns the track", async () => {
    const { status, body } = await patch(TEXTS);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, userId: accountId, activeVersionId: expect.any(String) });
    expect(body.data.track.audio_profile).toMatchObject(TEXTS);
    expect((await call("GET", `/tracks/single?id=${id}`)).body.data).toEqual(body.data);
  });

  test("announces the change once", async () => {
    await patch({ title: "One", bpm: 122.5, album_artist: "Two" });

    expect(told()).toEqual([
      {
        type: "track.updated",
        trackId: id,
        name: "Night Bus.wav",
        changed: expect.arrayContaining(["title", "bpm", "album_artist"]),
      },
    ]);
    expect(told()[0]?.changed).toHaveLength(3);
  });

  test.each([
    ["nothing", {}],
    ["the current values", { album: null }],
  ])("changes and announces nothing for %s", async (_, body) => {
    const before = await call("GET", `/tracks/single?id=${id}`);

    const { status, body: answer } = await patch(body);

    expect(status).toBe(200);
    expect(answer.data).toEqual(before.body.data);
    expect(told()).toEqual([]);
  });

  test("keeps fields that were not sent", async () => {
    await patch({ title: "One", album: "Two" });

    await patch({ title: "Three" });

    expect(row()).toMatchObject({ title: "Three", album: "Two" });
  });

  test("keeps the owner's text when a later analysis finds something else", async () => {
    await patch({ title: "One", total_discs_album: "2", lyrics: null, bpm: 90 });

    expect(row()?.ownerFields.toSorted()).toEqual(["bpm", "lyrics", "title", "totalDiscsAlbum"]);
  });

  test("makes the track searchable by its new text, not by the old", async () => {
    await patch({
      title: "Éclair",
      artist: "Someone",
      lyrics: "umbrella",
      notes: "bridge",
      album: "Harbour",
    });
    for (const word of ["title:eclair", "someone", "umbrella", "bridge", "harbour", "bus"])
      expect(found(word)).toEqual([id]);

    await patch({ title: "Other", lyrics: null });

    expect(found("other")).toEqual([id]);
    expect([...found("eclair"), ...found("umbrella")]).toEqual([]);
    expect(row()).toMatchObject({ titleFold: "other" });
    const listed = await call("GET", "/tracks?q=OTHER");
    expect(listed.body.data.map((track: { id: string }) => track.id)).toContain(id);
  });

  test("changes the displayed file name, not the file", async () => {
    const { body } = await patch({ name: "Ébauche (final).wav" });

    expect(body.data.track.name).toBe("Ébauche (final).wav");
    expect(body.data.versions[0].name).toBe("Night Bus.wav");
    expect(row()).toMatchObject({ nameFold: "ebauche (final).wav", ownerFields: [] });
    expect(found("name:ebauche")).toEqual([id]);
    expect(told()).toMatchObject([{ name: "Ébauche (final).wav", changed: ["name"] }]);

    expect((await patch({ name: null })).body.data.track.name).toBe("Night Bus.wav");
  });

  test.each([
    ["gb-abc-24-00001", "GBABC2400001"],
    ["not an isrc", "NOT AN ISRC"],
    ["", ""],
  ])("keeps the ISRC %p as %p", async (sent, kept) => {
    expect((await patch({ isrc: sent })).body.data.track.audio_profile.isrc).toBe(kept);
  });

  test.each([
    [{ total_discs_albumm: "3" }, "3"],
    [{ total_discs_albumm: "3", total_discs_album: "4" }, "4"],
    [{ total_discs_album: null, total_discs_albumm: "5" }, null],
  ])("reads %p as %p discs", async (body, discs) => {
    await patch({ total_discs_album: "1" });

    const { audio_profile: profile } = (await patch(body)).body.data.track;

    expect(profile.total_discs_album).toBe(discs);
    expect(profile).not.toHaveProperty("total_discs_albumm");
  });
});

describe("null", () => {
  test("clears a text, and an analysis does not bring it back", async () => {
    await patch(TEXTS);

    const cleared = Object.fromEntries(Object.keys(TEXTS).map((field) => [field, null]));
    const { body } = await patch(cleared);

    expect(body.data.track.audio_profile).toMatchObject(cleared);
    expect(row()?.ownerFields).toContain("title");
    expect(row()?.titleFold).toBeNull();
  });

  test("restores the measured tempo and key", async () => {
    ({ id } = addTrackRows(app.deps.db, accountId, {
      measured: { bpm: 122, key: "F minor" },
      bpm: 122,
      key: "F minor",
    }));
    await patch({ bpm: 61, key: "C major" });
    expect(row()).toMatchObject({ bpm: 61, key: "C major", ownerFields: ["bpm", "key"] });

    const { body } = await patch({ bpm: null, key: null });

    expect(body.data.track.audio_profile).toMatchObject({ bpm: 122, key: "F minor" });
    expect(row()?.ownerFields).toEqual([]);
    expect(told().at(-1)).toMatchObject({ changed: ["bpm", "key"] });
  });

  test("restores them as the analysis would show them, with the file's own tags", async () => {
    ({ id } = addTrackRows(app.deps.db, accountId, { measured: { bpm: 122, key: null } }));
    app.deps.db
      .update(analyses)
      .set({ embedded: { bpm: 61, key: "8A" } })
      .where(eq(analyses.trackId, id))
      .run();

    await patch({ bpm: 90, key: "D minor" });
    const { body } = await patch({ bpm: null, key: "  " });

    expect(body.data.track.audio_profile).toMatchObject({ bpm: 61, key: "A minor" });
  });

  test("leaves them unknown without a measurement", async () => {
    await patch({ bpm: 90, key: "D minor" });

    const { body } = await patch({ bpm: null, key: null });

    expect(body.data.track.audio_profile).toMatchObject({ bpm: null, key: null });
    expect(row()?.ownerFields).toEqual([]);
  });

  test("names the track after its active file", async () => {
    const versionId = addVersionRow(app.deps.db, id, { versionOrder: 1, name: "Master.wav" });
    app.deps.db.update(tracks).set({ activeVersionId: versionId }).where(eq(tracks.id, id)).run();

    expect((await patch({ name: null })).body.data.track.name).toBe("Master.wav");
  });
});

describe("PATCH /tracks/details refuses", () => {
  test.each([
    ["a number instead of text", { year: 1999 }, "year"],
    ["a list instead of text", { composer: ["A"] }, "composer"],
    ["text instead of a tempo", { bpm: "120" }, "bpm"],
    ["a tempo of 0", { bpm: 0 }, "bpm"],
    ["a tempo below 0", { bpm: -1 }, "bpm"],
    ["a tempo over 999", { bpm: 999.5 }, "bpm"],
    ["an empty name", { name: "" }, "name"],
    ["a name that is too long", { name: "x".repeat(256) }, "name"],
    ["a title that is too long", { title: "x".repeat(2001) }, "title"],
    ["lyrics that are too long", { lyrics: "x".repeat(100_001) }, "lyrics"],
    ["a number instead of a cover", { cover: 1 }, "cover"],
  ])("%s, and changes nothing", async (_, body, path) => {
    const answer = await patch({ album: "changed", ...body });

    expect([answer.status, answer.body.messageCode, answer.body.message]).toEqual([
      400,
      "validation_failed",
      "Invalid request",
    ]);
    expect(answer.body.data.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    expect(row()?.album).toBeNull();
    expect(told()).toEqual([]);
  });

  test.each([
    ["a list", []],
    ["a text", "title"],
    ["null", null],
  ])("%s as the body", async (_, body) => {
    expect((await patch(body)).body.messageCode).toBe("validation_failed");
  });

  test("no body, and no id", async () => {
    expect((await call("PATCH", `/tracks/details?id=${id}`)).body.messageCode).toBe("validation_failed");
    expect((await call("PATCH", "/tracks/details", {})).body.messageCode).toBe("validation_failed");
  });

  test("an unknown track, and another account's", async () => {
    const stranger = app.as(app.createKey(app.createAccount().accountId));

    const theirs = await stranger("PATCH", `/tracks/details?id=${id}`, { title: "mine now" });
    const nobodys = await stranger("PATCH", "/tracks/details?id=trk_nobodys", { title: "mine now" });

    expect([theirs.status, theirs.body.messageCode]).toEqual([404, "track_not_found"]);
    expect(theirs.body).toEqual(nobodys.body);
    expect(row()?.title).toBeNull();
  });

  test("a key without the scope, and no key", async () => {
    const others = ASSIGNABLE_SCOPES.filter((scope) => scope !== "update:tracks");
    const refused = await app.as(app.createKey(accountId, [...others]))(
      "PATCH",
      `/tracks/details?id=${id}`,
      {},
    );
    const stranger = await app.request(`/api/v1/tracks/details?id=${id}`, { method: "PATCH" });

    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(stranger.status).toBe(401);
    expect(
      (await app.as(app.createKey(accountId, ["update:tracks"]))("PATCH", `/tracks/details?id=${id}`, {}))
        .status,
    ).toBe(200);
  });
});

test("unusual Unicode is returned as it was sent, well-formed", async () => {
  const odd = "a\u0000b \ud800 \u202e 👩‍🎤 e\u0301";

  const { status, body } = await patch({ title: odd, lyrics: odd, name: odd, isrc: odd });

  expect(status).toBe(200);
  expect(body.data.track.audio_profile.title).toBe(odd.toWellFormed());
  expect(body.data.track.name).toBe(odd.toWellFormed());
  expect((await call("GET", "/tracks?limit=200")).status).toBe(200);
});
