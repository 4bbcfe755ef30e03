import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { jobs, tagFeedback, tracks } from "../../db/schema.ts";
import { RULES_VERSION } from "../../src/modules/library/analysis/learning/versions.ts";
import { replaceSuggestions, resolveTagNames, tagsOfTracks } from "../../src/modules/library/tags/service.ts";
import type { TagCategory, TagSuggestion } from "../../src/modules/library/tags/shapes.ts";
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

type Names = Partial<Record<TagSuggestion["category"], readonly [name: string, confidence: number][]>>;
type Columns = Partial<typeof tracks.$inferInsert>;

/** Adds a track with a model's suggestions; `columns` override what the analysis wrote. */
function addTagged(
  names: Names,
  track: LibraryTrack = {},
  columns: Columns = {},
  model = RULES_VERSION,
): string {
  const [id = ""] = addTracks(app, accountId, [track]);
  const suggestions = Object.entries(names).flatMap(([category, pairs]) =>
    pairs.flatMap(([name, confidence]) => {
      const [tag] = resolveTagNames({ [category]: [name] }).resolved.get(category as TagCategory) ?? [];
      return tag ? [{ ...tag, category: category as TagSuggestion["category"], confidence }] : [];
    }),
  );
  replaceSuggestions(app.deps.db, id, suggestions, model);
  if (Object.keys(columns).length > 0) app.deps.db.update(tracks).set(columns).where(eq(tracks.id, id)).run();
  return id;
}

const DARK_TECHNO: Names = {
  genres: [["Techno", 0.95]],
  moods: [
    ["Dark", 0.5],
    ["Energetic", 0.7],
  ],
  movements: [["Driving", 0.75]],
};

const get = async (id: string) => (await api("GET", `/tracks/suggested-tags?id=${id}`)).body.data;
const namesOn = (id: string) =>
  (tagsOfTracks(app.deps.db, [id]).get(id) ?? []).map(({ category, name }) => `${category} ${name}`);
const stateOf = (id: string) => app.deps.db.select().from(tracks).where(eq(tracks.id, id)).get();

describe("GET /tracks/suggested-tags", () => {
  test("shows names by category, with their confidence, and codes", async () => {
    const id = addTagged(DARK_TECHNO, { bpm: 134 });

    const { status, body } = await api("GET", `/tracks/suggested-tags?id=${id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      trackId: id,
      suggestedTags: { genres: ["Techno"], moods: ["Energetic", "Dark"], movements: ["Driving"] },
      suggestions: [
        { category: "genres", id: "tag_genre_techno", name: "Techno", confidence: 0.95 },
        { category: "movements", id: "tag_movement_driving", name: "Driving", confidence: 0.75 },
        { category: "moods", id: "tag_mood_energetic", name: "Energetic", confidence: 0.7 },
        { category: "moods", id: "tag_mood_dark", name: "Dark", confidence: 0.5 },
      ],
      needsRetagging: false,
      analysisStatus: "completed",
      modelVersion: RULES_VERSION,
      intelligence: {
        genreCodes: ["techno"],
        moodCodes: ["energetic", "dark"],
        typeCodes: [],
        instrumentCodes: [],
        useCaseCodes: ["workout", "club"],
        status: "ready",
        ready: true,
      },
    });
  });

  test("lets written tags decide the codes of their category", async () => {
    const written = { genres: ["Deep House"], instruments: ["Piano"], types: ["Demo"] };
    const id = addTagged(DARK_TECHNO, { tags: written });

    const { suggestedTags, intelligence } = await get(id);

    expect(suggestedTags.genres).toEqual(["Techno"]);
    expect(intelligence).toMatchObject({
      genreCodes: ["deep_house"],
      moodCodes: ["energetic", "dark"],
      typeCodes: ["demo"],
      instrumentCodes: ["piano"],
    });
  });

  test.each([
    ["waits", { analysisStatus: "pending" }, DARK_TECHNO, "pending"],
    ["is under way", { analysisStatus: "processing" }, DARK_TECHNO, "pending"],
    ["failed", { analysisStatus: "failed" }, {}, "failed"],
    ["has no suggestions", {}, {}, "none"],
    ["is done", {}, DARK_TECHNO, "ready"],
  ] as const)("tells that the analysis %s", async (_, columns, names, status) => {
    const { intelligence, analysisStatus } = await get(addTagged(names, {}, columns));

    expect(analysisStatus).toBe("analysisStatus" in columns ? columns.analysisStatus : "completed");
    expect([intelligence.status, intelligence.ready]).toEqual([status, status === "ready"]);
  });

  test("keeps showing suggestions while the same audio is analysed again", async () => {
    const { suggestedTags, needsRetagging } = await get(
      addTagged(DARK_TECHNO, {}, { analysisStatus: "processing" }),
    );

    expect(suggestedTags.genres).toEqual(["Techno"]);
    expect(needsRetagging).toBe(false);
  });

  test("hides the suggestions of the previous audio while new audio waits for analysis", async () => {
    const columns = { activeVersionId: "ver_new", analysisStatus: "pending" } as const;

    const { suggestedTags, suggestions, needsRetagging, intelligence } = await get(
      addTagged(DARK_TECHNO, {}, columns),
    );

    expect({ suggestedTags, suggestions }).toEqual({ suggestedTags: {}, suggestions: [] });
    expect([needsRetagging, intelligence.status]).toEqual([true, "pending"]);
  });

  test("asks for retagging when an older version becomes active again, or the model has changed", async () => {
    const switched = await get(addTagged(DARK_TECHNO, {}, { activeVersionId: "ver_old" }));
    const outdated = await get(addTagged(DARK_TECHNO, {}, {}, "rules-0"));

    expect([switched.needsRetagging, switched.intelligence.status]).toEqual([true, "ready"]);
    expect([outdated.needsRetagging, outdated.modelVersion]).toEqual([true, "rules-0"]);
  });

  test("asks for retagging before the first analysis", async () => {
    const [id = ""] = addTracks(app, accountId, [{ analysed: false }]);

    expect(await get(id)).toMatchObject({
      suggestedTags: {},
      needsRetagging: true,
      analysisStatus: "pending",
      modelVersion: null,
    });
  });

  test("says inside a success that an unknown track or another account's was not found", async () => {
    const [foreign = ""] = addTracks(app, app.createAccount().accountId, [{}]);

    for (const id of [foreign, "trk_nothing"]) {
      const { status, body } = await api("GET", `/tracks/suggested-tags?id=${id}`);
      expect([status, body.data]).toEqual([200, { ok: false, error: "TRACK_NOT_FOUND" }]);
    }
  });

  test("refuses a request without an id, a key, or the scope", async () => {
    const withoutId = await api("GET", "/tracks/suggested-tags");
    const writer = await app.as(app.createKey(accountId, ["update:tracks"]))(
      "GET",
      "/tracks/suggested-tags?id=x",
    );
    const nobody = await app.request("/api/v1/tracks/suggested-tags?id=x");

    expect([withoutId.status, withoutId.body.messageCode]).toEqual([400, "validation_failed"]);
    expect([writer.status, writer.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(nobody.status).toBe(401);
  });
});

describe("POST /tracks/apply-suggested-tags", () => {
  const apply = (trackId: string) => api("POST", "/tracks/apply-suggested-tags", { trackId });

  test("overwrites the categories with suggestions, keeps the rest, and counts as accepted", async () => {
    const id = addTagged(DARK_TECHNO, { tags: { genres: ["Jazz"], instruments: ["Piano"], tags: ["mine"] } });

    const { status, body } = await apply(id);

    expect([status, body.data]).toEqual([200, { trackId: id, applied: true, requeued: false }]);
    expect(namesOn(id).toSorted()).toEqual([
      "genres Techno",
      "instruments Piano",
      "moods Dark",
      "moods Energetic",
      "movements Driving",
      "tags mine",
    ]);
    const verdicts = app.deps.db.select().from(tagFeedback).where(eq(tagFeedback.trackId, id)).all();
    expect(verdicts.map(({ source, verdict, tagId }) => `${source} ${verdict} ${tagId}`).toSorted()).toEqual([
      "apply accepted tag_genre_techno",
      "apply accepted tag_mood_dark",
      "apply accepted tag_mood_energetic",
      "apply accepted tag_movement_driving",
    ]);
  });

  test("announces the change once, and announces nothing without a change", async () => {
    const id = addTagged(DARK_TECHNO);

    await apply(id);
    await apply(id);

    const updates = app.deps.db.$client
      .query("SELECT data FROM events WHERE type = 'track.updated' AND json_extract(data, '$.trackId') = ?")
      .all(id) as { data: string }[];
    expect(updates.map(({ data }) => JSON.parse(data).changed.toSorted())).toEqual([
      ["genres", "moods", "movements"],
    ]);
  });

  test.each([
    ["without any suggestion", {}, {}],
    [
      "with suggestions only for other audio",
      DARK_TECHNO,
      { activeVersionId: "ver_new", analysisStatus: "failed" },
    ],
  ] as const)("%s starts an analysis and writes nothing", async (_, names, columns) => {
    const id = addTagged(names, { tags: { genres: ["Jazz"] } }, columns);

    const { status, body } = await apply(id);

    expect([status, body.data]).toEqual([200, { trackId: id, applied: false, requeued: true }]);
    expect(namesOn(id)).toEqual(["genres Jazz"]);
    expect(stateOf(id)?.analysisStatus).toBe("pending");
    expect(app.deps.db.select().from(jobs).where(eq(jobs.uniqueKey, id)).all()).toHaveLength(1);
  });

  test("does not find an unknown track or another account's", async () => {
    const [foreign = ""] = addTracks(app, app.createAccount().accountId, [{}]);

    for (const id of [foreign, "trk_nothing"]) {
      const answer = await apply(id);
      expect([answer.status, answer.body.messageCode]).toEqual([404, "track_not_found"]);
    }
    expect(stateOf(foreign)?.analysisStatus).toBe("completed");
  });

  test("refuses a request that names no track", async () => {
    const answer = await api("POST", "/tracks/apply-suggested-tags", {});

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
  });
});
