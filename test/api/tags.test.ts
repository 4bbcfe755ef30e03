import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { events, tagFeedback, tracks } from "../../db/schema.ts";
import {
  replaceSuggestions,
  resolveTagNames,
  tagsOfTracks,
  writeTags,
} from "../../src/modules/library/tags/service.ts";
import type { TagSuggestion } from "../../src/modules/library/tags/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

let app: TestApp;
let accountId: string;
let api: ReturnType<TestApp["as"]>;

beforeAll(async () => {
  app = await createTestApp();
  accountId = app.createAccount().accountId;
  api = app.as(app.createKey(accountId, ["read:tracks", "update:tracks"]));
});
afterAll(() => app.close());

const NONE = {
  genres: [],
  moods: [],
  types: [],
  vocals: [],
  instruments: [],
  lyricThemes: [],
  eras: [],
  characters: [],
  movements: [],
  additionalTags: [],
};

function addTrack(track: LibraryTrack = {}): string {
  const [id = ""] = addTracks(app, accountId, [track]);
  return id;
}

const patch = (id: string, body: unknown) => api("PATCH", `/tracks/tags?id=${id}`, body);

/** Adds suggestions to a track, as an analysis does. */
function suggest(trackId: string, category: TagSuggestion["category"], names: readonly string[]): void {
  const tags = resolveTagNames({ [category]: names }).resolved.get(category) ?? [];
  replaceSuggestions(
    app.deps.db,
    trackId,
    tags.map((tag) => ({ ...tag, category, confidence: 0.6 })),
    "rules-1",
  );
}

/** Returns the verdicts on a track's tags in the order recorded, such as `accepted mood_dark`. */
const verdictsOn = (trackId: string) =>
  app.deps.db
    .select()
    .from(tagFeedback)
    .where(eq(tagFeedback.trackId, trackId))
    .orderBy(tagFeedback.id)
    .all()
    .map(({ verdict, tagId, source }) => `${source}: ${verdict} ${tagId.replace("tag_", "")}`);

const updatesOf = (trackId: string) =>
  app.deps.db
    .select()
    .from(events)
    .where(eq(events.type, "track.updated"))
    .all()
    .map(({ data }) => data as { trackId: string; name: string; changed: string[] })
    .filter((data) => data.trackId === trackId);

const ownerFieldsOf = (trackId: string) =>
  app.deps.db.select().from(tracks).where(eq(tracks.id, trackId)).get()?.ownerFields;

describe("PATCH /tracks/tags", () => {
  test("writes every category with canonical names and returns all of them", async () => {
    const id = addTrack();

    const { status, body } = await patch(id, {
      genres: ["deep HOUSE", "Techno"],
      moods: ["dark"],
      types: ["full mix"],
      vocals: ["instrumental"],
      instruments: ["Piano"],
      lyricThemes: [],
      eras: ["1990s"],
      characters: ["warm"],
      movements: ["driving"],
      additionalTags: ["  Sync  Ready ", "for Ana"],
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ok: true,
      trackId: id,
      tags: {
        genres: ["Deep House", "Techno"],
        moods: ["Dark"],
        types: ["Full Mix"],
        vocals: ["Instrumental"],
        instruments: ["Piano"],
        lyricThemes: [],
        eras: ["1990s"],
        characters: ["Warm"],
        movements: ["Driving"],
        additionalTags: ["Sync Ready", "for Ana"],
      },
    });
    const single = await api("GET", `/tracks/single?id=${id}`);
    expect(single.body.data.track.audio_profile).toMatchObject({
      genres: [{ genre: { name: "Deep House" } }, { genre: { name: "Techno" } }],
      tags: [{ tag: { name: "Sync Ready" } }, { tag: { name: "for Ana" } }],
    });
  });

  test("replaces the categories sent and keeps the others", async () => {
    const id = addTrack({ tags: { genres: ["Techno", "House"], moods: ["Dark"], tags: ["mine"] } });

    const { body } = await patch(id, { genres: ["Jazz"] });

    expect(body.data.tags).toEqual({ ...NONE, genres: ["Jazz"], moods: ["Dark"], additionalTags: ["mine"] });
  });

  test("clears a category with an empty list, and remembers that the owner cleared it", async () => {
    const id = addTrack({ tags: { genres: ["Techno"], moods: ["Dark"] } });

    const first = await patch(id, { genres: [] });
    await patch(id, { genres: [] });

    expect(first.body.data.tags).toEqual({ ...NONE, moods: ["Dark"] });
    expect(ownerFieldsOf(id)).toEqual(["genres"]);
  });

  test("replaces the genres from the file", async () => {
    const id = addTrack();
    writeTags(app.deps.db, accountId, id, "genres", ["Rock"], "file");

    await patch(id, { genres: ["Jazz"] });
    writeTags(app.deps.db, accountId, id, "genres", ["Rock"], "file");

    expect(tagsOfTracks(app.deps.db, [id]).get(id)).toMatchObject([{ name: "Jazz" }]);
  });

  test("adds single tags behind those that a category has, and removes single tags, in any case", async () => {
    const id = addTrack({ title: "Depot", tags: { moods: ["Dark", "Calm"], tags: ["For Radio"] } });

    const added = await patch(id, {
      mode: "add",
      moods: ["calm", "epic"],
      genres: [],
      additionalTags: ["new"],
    });
    const removed = await patch(id, {
      mode: "remove",
      moods: ["dark", "Happy"],
      additionalTags: ["for radio"],
    });
    await patch(id, { mode: "remove", moods: ["Dark"] });
    const emptied = await patch(id, { mode: "remove", moods: ["Calm", "Epic"] });

    expect(added.body.data.tags).toEqual({
      ...NONE,
      moods: ["Dark", "Calm", "Epic"],
      additionalTags: ["For Radio", "new"],
    });
    expect(removed.body.data.tags).toEqual({ ...NONE, moods: ["Calm", "Epic"], additionalTags: ["new"] });
    expect(emptied.body.data.tags.moods).toEqual([]);
    expect(ownerFieldsOf(id)).toEqual(["moods"]);
    expect(updatesOf(id).map(({ changed }) => changed)).toEqual([
      ["moods", "additionalTags"],
      ["moods", "additionalTags"],
      ["moods"],
    ]);
  });

  test("refuses a single tag that is unknown, one above a hundred, and another mode, and changes nothing", async () => {
    const many = Array.from({ length: 100 }, (_, index) => `tag ${index}`);
    const id = addTrack({ tags: { tags: many, moods: ["Dark"] } });

    const answers = [
      await patch(id, { mode: "remove", moods: ["darkk"] }),
      await patch(id, { mode: "add", moods: ["Calm"], additionalTags: ["one more"] }),
      await patch(id, { mode: "append", moods: ["Calm"] }),
    ];
    const repeated = await patch(id, { mode: "add", additionalTags: ["Tag 7"] });

    expect(answers.map(({ status, body }) => [status, body.data.errors[0].path])).toEqual([
      [400, "moods"],
      [400, "additionalTags"],
      [400, "mode"],
    ]);
    expect(repeated.body.data.tags).toEqual({ ...NONE, moods: ["Dark"], additionalTags: many });
  });

  test("announces the changed categories once", async () => {
    const id = addTrack({ title: "Depot", tags: { genres: ["Techno"], moods: ["Dark"] } });

    await patch(id, { genres: ["Techno"], moods: ["Calm"], additionalTags: ["x"] });
    await patch(id, { moods: ["calm"] });

    expect(updatesOf(id)).toEqual([{ trackId: id, name: "Depot.wav", changed: ["moods", "additionalTags"] }]);
  });

  test("a change without a category changes and announces nothing", async () => {
    const id = addTrack({ tags: { moods: ["Dark"] } });

    const { status, body } = await patch(id, {});

    expect(status).toBe(200);
    expect(body.data.tags).toEqual({ ...NONE, moods: ["Dark"] });
    expect({ updates: updatesOf(id), verdicts: verdictsOn(id) }).toEqual({ updates: [], verdicts: [] });
  });

  test("refuses a category that does not exist with the one that was meant, and tags nothing", async () => {
    const id = addTrack({ tags: { moods: ["Dark"] } });

    const { status, body } = await patch(id, { mood: ["Calm"] });

    expect(status).toBe(400);
    expect(body.data.errors).toEqual([
      { path: "mood", code: "unknown_field", detail: "is unknown: did you mean moods?" },
    ]);
    expect({ updates: updatesOf(id), verdicts: verdictsOn(id) }).toEqual({ updates: [], verdicts: [] });
  });

  test("refuses the whole change when a name is unknown, and says which", async () => {
    const id = addTrack({ tags: { genres: ["Techno"] } });

    const { status, body } = await patch(id, {
      genres: ["House", "Foobar", "nope"],
      moods: ["Calm"],
      eras: ["Tomorrow"],
    });

    expect([status, body.messageCode, body.message]).toEqual([400, "validation_failed", "Invalid request"]);
    expect(body.data.unknown).toEqual({ genres: ["Foobar", "nope"], eras: ["Tomorrow"] });
    expect(body.data.errors).toEqual([
      { path: "genres", code: "unknown_tag", detail: "not in the taxonomy" },
      { path: "eras", code: "unknown_tag", detail: "not in the taxonomy" },
    ]);
    expect(tagsOfTracks(app.deps.db, [id]).get(id)).toMatchObject([{ name: "Techno" }]);
    expect({ updates: updatesOf(id), verdicts: verdictsOn(id) }).toEqual({ updates: [], verdicts: [] });
  });

  test.each([
    ["text instead of a list", { genres: "Techno" }],
    ["null instead of a list", { genres: null }],
    ["a name that is not text", { moods: [1] }],
    ["too many free tags", { additionalTags: Array.from({ length: 101 }, (_, i) => `tag ${i}`) }],
    ["a free tag that is too long", { additionalTags: ["x".repeat(501)] }],
    ["no body", undefined],
  ])("refuses %s", async (_, body) => {
    const answer = await patch(addTrack(), body);

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
  });

  test("refuses a request that names no track", async () => {
    const answer = await api("PATCH", "/tracks/tags", { moods: ["Dark"] });

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
  });

  test("does not find an unknown track or another account's, and does not change it", async () => {
    const [foreign = ""] = addTracks(app, app.createAccount().accountId, [{ tags: { moods: ["Dark"] } }]);

    for (const id of [foreign, "trk_nothing"]) {
      const answer = await patch(id, { moods: ["Calm"] });
      expect([answer.status, answer.body.messageCode]).toEqual([404, "track_not_found"]);
    }
    expect(tagsOfTracks(app.deps.db, [foreign]).get(foreign)).toMatchObject([{ name: "Dark" }]);
  });

  test("needs a key that may update tracks", async () => {
    const path = `/tracks/tags?id=${addTrack()}`;

    const reader = await app.as(app.createKey(accountId, ["read:tracks"]))("PATCH", path, { moods: [] });
    const nobody = await app.request(`/api/v1${path}`, { method: "PATCH" });

    expect([reader.status, reader.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(nobody.status).toBe(401);
  });
});

describe("verdicts from a change of tags", () => {
  test("a suggested tag that is kept is accepted, one without a suggestion is added, and one left out is rejected", async () => {
    const id = addTrack();
    suggest(id, "moods", ["Dark", "Intense"]);

    await patch(id, { moods: ["Dark", "Epic"] });

    expect(verdictsOn(id)).toEqual([
      "patch: accepted mood_dark",
      "patch: added mood_epic",
      "patch: rejected mood_intense",
    ]);
  });

  test("a removed tag is rejected, an unchanged one is not recorded again", async () => {
    const id = addTrack({ tags: { moods: ["Dark", "Calm"] } });

    await patch(id, { moods: ["Dark"] });

    expect(verdictsOn(id)).toEqual(["patch: rejected mood_calm"]);
  });

  test("clearing a category rejects all of its tags", async () => {
    const id = addTrack({ tags: { moods: ["Calm"] } });
    suggest(id, "moods", ["Dark"]);

    await patch(id, { moods: [] });

    expect(verdictsOn(id).toSorted()).toEqual(["patch: rejected mood_calm", "patch: rejected mood_dark"]);
  });

  test("a repeated change is recorded once, undoing it withdraws the verdict, and a later decision counts", async () => {
    const id = addTrack();
    suggest(id, "moods", ["Dark"]);

    await patch(id, { moods: ["Dark"] });
    await patch(id, { moods: ["Dark"] });
    app.clock.advance(1000);
    await patch(id, { moods: [] });
    app.clock.advance(1000);
    await patch(id, { moods: ["Dark"] });

    expect(verdictsOn(id)).toEqual([
      "patch: accepted mood_dark",
      "patch: withdrawn mood_dark",
      "patch: accepted mood_dark",
    ]);
  });

  test("a single tag that is added or removed gives a verdict on itself alone", async () => {
    const id = addTrack({ tags: { moods: ["Calm"] } });
    suggest(id, "moods", ["Dark", "Intense"]);

    await patch(id, { mode: "add", moods: ["Dark"] });
    await patch(id, { mode: "remove", moods: ["Calm"] });

    expect(verdictsOn(id)).toEqual(["patch: accepted mood_dark", "patch: rejected mood_calm"]);
  });

  test("gives no verdicts for categories that were not sent", async () => {
    const id = addTrack({ tags: { genres: ["Techno"] } });
    suggest(id, "genres", ["House"]);

    await patch(id, { moods: ["Dark"] });

    expect(verdictsOn(id)).toEqual(["patch: added mood_dark"]);
  });
});
