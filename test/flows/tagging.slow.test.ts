import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { tagFeedback, tracks } from "../../db/schema.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { RULES_VERSION } from "../../src/modules/library/analysis/learning/versions.ts";
import { type SuggestionBasis, suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import { useCasesOf } from "../../src/modules/library/analysis/use-cases.ts";
import { replaceSuggestions, resolveTagNames } from "../../src/modules/library/tags/service.ts";
import type { TagSuggestion } from "../../src/modules/library/tags/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { noise, silence, wavBytes } from "../support/signals.ts";
import { addFile, RATE_HZ, song, tagged } from "./analysis-library.ts";

let app: TestApp;
let accountId: string;
let api: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Three pieces are rendered and analysed, which takes a second or two, or longer on a busy machine. */
const RENDERING_MS = 60_000;

/** Signs in an account with an empty library. */
function begin(): void {
  accountId = app.createAccount().accountId;
  api = app.as(app.createKey(accountId));
}

const add = (bytes: Uint8Array, profile = {}) => addFile(app.deps, accountId, bytes, profile);
const suggested = async (id: string) => (await api("GET", `/tracks/suggested-tags?id=${id}`)).body.data;
const genresOf = async (id: string): Promise<string[]> => {
  const { body } = await api("GET", `/tracks/single?id=${id}`);
  return body.data.track.audio_profile.genres.map((item: { genre: { name: string } }) => item.genre.name);
};

/** Renders the demo piece of a style as a file without tags. */
function untagged(style: string): Uint8Array {
  const piece = DEMO_PIECES.find((each) => each.style === style);
  if (!piece) throw new Error(`No demo piece in the style ${style}`);
  return renderPiece({ ...piece, tags: [] });
}

describe("what a recording suggests", () => {
  let techno: string;
  let ballad: string;
  let ambient: string;

  beforeAll(async () => {
    begin();
    techno = await add(untagged("Techno"));
    ballad = await add(untagged("Ballad"));
    ambient = await add(untagged("Ambient"));
    await app.drainJobs();
  }, RENDERING_MS);

  test("a techno track suggests driving movement, hard character and electronic instruments", async () => {
    const { suggestedTags, intelligence } = await suggested(techno);

    expect(suggestedTags.genres).toEqual(["Electronic"]);
    expect(suggestedTags.moods).toContain("Energetic");
    expect(suggestedTags.movements).toEqual(expect.arrayContaining(["Driving", "Pounding"]));
    expect(suggestedTags.characters).toContain("Punchy");
    expect(intelligence.useCaseCodes).toEqual(expect.arrayContaining(["workout", "club"]));
  });

  // A known error: the fifth overtone of its driven saw is a major third, so the key is read as A major, not A
  // minor.
  test.failing("a techno track in a minor key suggests a dark mood", async () => {
    expect((await suggested(techno)).suggestedTags.moods).toContain("Dark");
  });

  test("a piano ballad suggests gentle and sparse, and no genre that cannot be heard", async () => {
    const { suggestedTags } = await suggested(ballad);

    expect(suggestedTags.moods).toContain("Gentle");
    expect(suggestedTags.characters).toContain("Sparse");
    expect(suggestedTags).not.toHaveProperty("genres");
    expect(suggestedTags.movements ?? []).not.toContain("Driving");
  });

  test("an ambient piece suggests calm, and nothing about a beat", async () => {
    const { suggestedTags } = await suggested(ambient);

    expect(suggestedTags.moods).toContain("Calm");
    expect(suggestedTags.characters).toContain("Atmospheric");
    for (const name of ["Driving", "Rhythmic", "Grooving", "Pounding"])
      expect(suggestedTags.movements ?? []).not.toContain(name);
  });

  test("suggestions never include singers where nobody sings, themes or eras, and are never fully certain", async () => {
    for (const id of [techno, ballad, ambient]) {
      const { suggestions } = await suggested(id);
      expect(suggestions.length).toBeGreaterThan(0);
      for (const { category, name, confidence } of suggestions as TagSuggestion[]) {
        if (category === "vocals") expect(name).toBe("Instrumental");
        else
          expect(["genres", "moods", "types", "instruments", "characters", "movements"]).toContain(category);
        expect(confidence).toBeWithin(0.4, 1);
      }
    }
  });

  test("suggestions are not written to the track until its owner accepts them", async () => {
    expect(await genresOf(techno)).toEqual([]);

    await api("POST", "/tracks/apply-suggested-tags", { trackId: techno });

    expect(await genresOf(techno)).toEqual(["Electronic"]);
  });
});

describe("a file with nothing to hear", () => {
  test.each([
    ["silence", () => wavBytes([silence(RATE_HZ, 20)], RATE_HZ, 16)],
    ["a sound of a few seconds", () => wavBytes([noise(RATE_HZ, 3)], RATE_HZ, 16)],
  ])("%s gets no suggestions, and needs no new analysis", async (_, bytes) => {
    begin();
    const id = await add(bytes());

    await app.drainJobs();

    expect(await suggested(id)).toMatchObject({
      suggestions: [],
      needsRetagging: false,
      modelVersion: RULES_VERSION,
      intelligence: { status: "none", ready: false },
    });
  });
});

describe("from queue to tags", () => {
  test("a batch is queued, polled, and applied", async () => {
    begin();
    const trackIds = [await add(tagged(song(), { TCON: "Deep House", TIT2: "Depot (Instrumental)" }))];
    await app.drainJobs();

    await api("POST", "/tracks/auto-tag/batch", { trackIds });
    const waiting = await suggested(trackIds[0] ?? "");
    await app.drainJobs();
    const done = await suggested(trackIds[0] ?? "");
    const applied = await api("POST", "/tracks/apply-suggested-tags", { trackId: trackIds[0] });

    expect([waiting.analysisStatus, waiting.intelligence.status]).toEqual(["pending", "pending"]);
    expect([done.analysisStatus, done.intelligence.status]).toEqual(["completed", "ready"]);
    expect(done.suggestedTags).toMatchObject({ genres: ["Deep House"], types: ["Instrumental Version"] });
    expect(applied.body.data).toMatchObject({ applied: true, requeued: false });
    expect(await genresOf(trackIds[0] ?? "")).toEqual(["Deep House"]);
  });

  test("a request to apply missing suggestions queues an analysis", async () => {
    begin();
    const id = await add(tagged(song(), { TCON: "Techno" }));
    await app.drainJobs();
    app.deps.db.$client.run("DELETE FROM tag_suggestions");

    const first = await api("POST", "/tracks/apply-suggested-tags", { trackId: id });
    await app.drainJobs();
    const second = await api("POST", "/tracks/apply-suggested-tags", { trackId: id });

    expect([first.body.data.requeued, second.body.data.applied]).toEqual([true, true]);
  });

  test("genres that the owner cleared do not come back with the next analysis, nor are they suggested again", async () => {
    begin();
    const id = await add(tagged(song(), { TCON: "Deep House" }));
    await app.drainJobs();
    expect(await genresOf(id)).toEqual(["Deep House"]);

    await api("PATCH", `/tracks/tags?id=${id}`, { genres: [] });
    await api("POST", "/tracks/auto-tag", { trackId: id });
    await app.drainJobs();

    expect(await genresOf(id)).toEqual([]);
    expect((await suggested(id)).suggestedTags.genres).toBeUndefined();
    const verdicts = app.deps.db.select().from(tagFeedback).where(eq(tagFeedback.trackId, id)).all();
    expect(verdicts).toMatchObject([{ verdict: "rejected", tagId: "tag_genre_deep_house" }]);
  });

  test("suggestions of the previous audio are dropped when the new audio cannot be analysed", async () => {
    begin();
    const id = await add(tagged(song(), { TCON: "Deep House" }));
    await app.drainJobs();
    const broken = await add(wavBytes([silence(RATE_HZ, 0)], RATE_HZ, 16));
    const { db } = app.deps;
    const other = db.select().from(tracks).where(eq(tracks.id, broken)).get()?.activeVersionId ?? "";
    db.update(tracks).set({ activeVersionId: other }).where(eq(tracks.id, id)).run();

    await api("POST", "/tracks/auto-tag", { trackId: id });
    await app.drainJobs();

    expect(await suggested(id)).toMatchObject({
      suggestions: [],
      needsRetagging: true,
      analysisStatus: "failed",
      modelVersion: null,
      intelligence: { status: "failed" },
    });
  });
});

describe("a search", () => {
  type Hit = { title: string; score: number; reason: string[] };
  const search = async (query: string): Promise<Hit[]> =>
    (await api("POST", "/tracks/search", { query })).body.data.results;
  const suggest = (id: string, category: "genres" | "moods", name: string) => {
    const tags = resolveTagNames({ [category]: [name] }).resolved.get(category) ?? [];
    const suggestions = tags.map((tag) => ({ ...tag, category, confidence: 0.9 }));
    replaceSuggestions(app.deps.db, id, suggestions, RULES_VERSION);
  };

  test("ranks written tags above suggested ones, and leaves out tracks without either", async () => {
    begin();
    const [, second = ""] = addTracks(app, accountId, [
      { title: "Nothing" },
      { title: "Suggested" },
      { title: "Written", tags: { genres: ["Techno"] } },
    ]);
    suggest(second, "genres", "Techno");

    const hits = await search("techno");

    expect(hits.map(({ title }) => title)).toEqual(["Written", "Suggested"]);
    expect(hits.map(({ reason }) => reason[0])).toEqual(["genre Techno", "suggested genre Techno"]);
    expect(hits[1]?.score).toBeWithin(0.2, 0.8);
  });

  test("ignores suggestions in a category that the owner has written or cleared", async () => {
    begin();
    const [written = "", cleared = "", open = ""] = addTracks(app, accountId, [
      { title: "Written", tags: { genres: ["Jazz"] } },
      { title: "Cleared" },
      { title: "Open", tags: { moods: ["Dark"] } },
    ]);
    for (const id of [written, cleared, open]) suggest(id, "genres", "Techno");
    await api("PATCH", `/tracks/tags?id=${cleared}`, { genres: [] });

    const hits = await search("techno");

    expect(hits.filter(({ score }) => score > 0).map(({ title }) => title)).toEqual(["Open"]);
  });

  test("lowers a track less for an unwanted tag that is only suggested", async () => {
    begin();
    const both = { genres: ["Techno"] };
    const [, second = ""] = addTracks(app, accountId, [
      { title: "Free", tags: both },
      { title: "Suggested", tags: both },
      { title: "Written", tags: { ...both, moods: ["Dark"] } },
    ]);
    suggest(second, "moods", "Dark");

    const hits = await search("techno, but not dark");

    expect(hits.map(({ title }) => title)).toEqual(["Free", "Suggested", "Written"]);
    expect(hits[1]?.reason.join()).toMatch(/lowered: (suggested )?mood Dark is not wanted/);
  });

  test("does not see another account's suggestions", async () => {
    begin();
    const [theirs = ""] = addTracks(app, app.createAccount().accountId, [{ title: "Theirs" }]);
    suggest(theirs, "genres", "Techno");
    addTracks(app, accountId, [{ title: "Mine" }, { title: "Mine too", tags: { genres: ["Techno"] } }]);

    expect((await search("techno")).map(({ title }) => title)).toEqual(["Mine too"]);
  });
});

describe("the rules", () => {
  /** Returns a steady beat without any colour, with the test's values on top. */
  const basis = (said: Partial<SuggestionBasis>): SuggestionBasis => ({
    features: {
      onsetStrength: 0.5,
      onsetRatePerSec: 4,
      pulseClarity: 0.5,
      brightness: 0.3,
      ...said.features,
    },
    analysis: {
      durationSec: 180,
      loudness: { integratedLufs: -14, rangeLu: 6 },
      tempo: { bpm: 104 },
      key: { name: null, confidence: 0 },
    },
    embedded: said.embedded ?? {},
    filename: said.filename ?? "untitled.wav",
    descriptors: null,
    heard: null,
  });
  const named = (said: Partial<SuggestionBasis>, category: string) =>
    suggestTags(basis(said))
      .filter((tag) => tag.category === category)
      .map(({ name }) => name);

  test.each([
    ["Night Bus (Instrumental).wav", ["Instrumental Version"]],
    ["night-bus_radio_edit.wav", ["Radio Edit"]],
    ["Night Bus [Ana Luz Remix].wav", ["Remix"]],
    ["NightBus acapella.wav", ["A Cappella Version"]],
    ["beat idea 3 - 88 bpm Cm.wav", ["Beat"]],
    ["night bus 30 sec cut.wav", ["Cutdown"]],
    ["night bus demo 2.wav", ["Demo"]],
    // Words that are part of a title.
    ["Heartbeat.wav", []],
    ["Live in the moment.wav", []],
    ["30s jazz.wav", []],
    ["Demolition.wav", []],
  ])("read the type from the name %s", (filename, types) => {
    expect(named({ filename }, "types")).toEqual(types);
  });

  test("read the type from the title in the file's tags too", () => {
    expect(named({ embedded: { title: "Night Bus (Extended Mix)" } }, "types")).toEqual(["Extended Mix"]);
  });

  test("take the genre from the file if the taxonomy has it", () => {
    expect(named({ embedded: { genres: ["deep house", "Chips"] } }, "genres")).toEqual(["Deep House"]);
  });

  test.each([
    ["80s Pop", ["1980s"]],
    ["Rock / '60s", ["1960s"]],
    ["Baroque", ["Baroque"]],
    ["1920's Jazz", ["1920s"]],
    // "Romantic" is a mood as well; 1380s and 80sx are no decades of the taxonomy.
    ["Romantic", []],
    ["1380s", []],
    ["80sx", []],
  ])("take the era that the file's genre %s names", (genre, eras) => {
    expect(named({ embedded: { genres: [genre] } }, "eras")).toEqual(eras);
  });

  test("suggest nothing for a recording without a striking feature", () => {
    expect(suggestTags(basis({ features: { onsetStrength: 0.3, pulseClarity: 0.35 } }))).toEqual([]);
  });

  test("do not mistake the many soft onsets of held tones for a beat", () => {
    const strings = { onsetStrength: 0.14, onsetRatePerSec: 8, pulseClarity: 0.1, stereoWidth: 0.3 };

    expect(named({ features: strings }, "movements")).toEqual(["Sustained"]);
    expect(named({ features: strings }, "moods")).not.toContain("Energetic");
  });

  test("suggest uses by mood and tempo, and none that contradict them", () => {
    expect(useCasesOf(["energetic", "driving"], 128)).toEqual(["workout", "club"]);
    expect(useCasesOf(["energetic"], null)).toEqual([]);
    expect(useCasesOf(["calm", "atmospheric"], 60)).toEqual(["focus", "relaxation", "film"]);
    expect(useCasesOf(["calm", "dark"], 60)).not.toContain("relaxation");
  });
});
