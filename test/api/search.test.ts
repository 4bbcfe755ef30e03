import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { accounts, searches } from "../../db/schema.ts";
import { TAXONOMY_VERSION } from "../../db/taxonomy.ts";
import { isBlank } from "../../src/kernel/text.ts";
import { RANKING_VERSION } from "../../src/modules/search/search/ranking/ranking-version.ts";
import { type Answer, createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

let app: TestApp;
let accountId: string;
let key: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  accountId = app.createAccount().accountId;
  key = app.createKey(accountId);
});

const search = (body: object, headers?: Record<string, string>) =>
  app.as(key)("POST", "/tracks/search", body, headers);
type Hit = { id: string; title: string; score: number; bpm: number; key: string; reason: string[] };
const hits = (body: Answer["body"]): Hit[] => body.data.results;
const titles = (body: Answer["body"]) => hits(body).map(({ title }) => title);
const setCredits = (credits: number | null) =>
  app.deps.db.update(accounts).set({ credits }).where(eq(accounts.id, accountId)).run();
const creditsLeft = () =>
  app.deps.db.select({ credits: accounts.credits }).from(accounts).where(eq(accounts.id, accountId)).get()
    ?.credits;
const history = () => app.deps.db.select().from(searches).where(eq(searches.accountId, accountId)).all();

describe("POST /tracks/search", () => {
  test("answers with ranked tracks, the reasons, and how the prose was read", async () => {
    addTracks(app, accountId, [
      { title: "Sunday", tags: { genres: ["Folk"], moods: ["Happy"] } },
      {
        title: "Cellar",
        artist: "Lumen Vale feat. Ana Luz",
        bpm: 132,
        key: "A minor",
        durationSec: 371.5,
        tags: { genres: ["Techno"], moods: ["Dark"] },
      },
    ]);

    const { status, body, headers } = await search({ query: "dark techno, 128-134 bpm, no drums" });

    expect(status).toBe(200);
    expect(titles(body)).toEqual(["Cellar"]);
    expect(body.data).toMatchObject({ query: "dark techno, 128-134 bpm, no drums", count: 1 });
    expect(body.data.results[0]).toEqual({
      id: expect.stringMatching(/^trk_/),
      title: "Cellar",
      artists: ["Lumen Vale", "Ana Luz"],
      cover: null,
      visible: true,
      durationSec: 371.5,
      bpm: 132,
      key: "A minor",
      genres: ["Techno"],
      moods: ["Dark"],
      score: expect.any(Number),
      reason: expect.arrayContaining(["genre Techno", "mood Dark", "132 BPM, inside 128-134"]),
    });
    expect(body.data.interpretation).toMatchObject({
      briefParsed: true,
      genres: ["Techno"],
      moods: ["Dark"],
      excluded: { instruments: ["Drums"] },
      bpmRange: [128, 134],
      keyMode: null,
      vocalPreference: null,
      referenceArtist: null,
      lyricThemes: [],
      appliedConstraints: {},
    });
    expect(body.data.suggestedName).toBe("Dark Techno at 128-134 BPM");
    expect(headers.get("x-service-credits-remaining")).toBe("unlimited");
    expect(history()).toMatchObject([
      {
        id: body.data.searchId,
        query: "dark techno, 128-134 bpm, no drums",
        resultIds: hits(body).map(({ id }) => id),
      },
    ]);
  });

  test("scores lie between 0 and 1, best first; equal ones are ordered newest first", async () => {
    addTracks(app, accountId, [
      { title: "Old", createdAt: 1000, tags: { genres: ["Acid Techno"] } },
      { title: "New", createdAt: 2000, tags: { genres: ["Acid Techno"] } },
      { title: "Match", createdAt: 500, tags: { genres: ["Techno"] } },
      { title: "Else", createdAt: 3000, tags: { genres: ["Folk"] } },
    ]);

    const { body } = await search({ query: "techno" });

    expect(titles(body)).toEqual(["Match", "New", "Old"]);
    expect(hits(body)[0]?.score).toBeGreaterThan(0.5);
  });

  test("an empty library is a success without results", async () => {
    const { status, body } = await search({ query: "techno" });

    expect([status, body.data.count, body.data.results]).toEqual([200, 0, []]);
  });

  test("meaningless words are not an error, and the answer says so", async () => {
    addTracks(app, accountId, [{ title: "Any" }]);

    const { body } = await search({ query: "asdf qwerty zxcv" });

    expect(body.data.interpretation).toMatchObject({
      briefParsed: false,
      genres: [],
      energy: null,
      bpmRange: null,
    });
    expect(titles(body)).toEqual([]);
    expect(body.data.interpretation.notUnderstood).toEqual(["asdf", "qwerty", "zxcv"]);
    expect(body.data.suggestedName).toBe("Asdf qwerty zxcv");
  });

  test("returns at most `limit` results, 20 by default", async () => {
    addTracks(
      app,
      accountId,
      Array.from({ length: 25 }, (_, index) => ({ title: `T${index}`, tags: { genres: ["Techno"] } })),
    );

    expect((await search({ query: "techno" })).body.data.count).toBe(20);
    expect((await search({ query: "techno", limit: 3 })).body.data.count).toBe(3);
  });

  test("ranks only tracks that have been analysed", async () => {
    addTracks(app, accountId, [{ title: "Waiting", analysed: false }, { title: "Ready" }]);

    expect(titles((await search({ query: "anything" })).body)).toEqual(["Ready"]);
  });
});

describe("ranking", () => {
  const firstOf = async (query: string, more: object = {}) =>
    (await search({ query, ...more })).body.data.results[0];

  test("a narrower genre counts fully, a broader one less", async () => {
    addTracks(app, accountId, [
      { title: "House", tags: { genres: ["House"] } },
      { title: "Deep", tags: { genres: ["Deep House"] } },
      { title: "Rock", tags: { genres: ["Rock"] } },
    ]);

    expect(titles((await search({ query: "house" })).body)).toEqual(["House", "Deep"]);
    const { body } = await search({ query: "deep house" });
    expect(titles(body)).toEqual(["Deep", "House"]);
    expect(body.data.results[1].reason).toEqual(["genre House, related to Deep House"]);
  });

  test("an unwanted tag costs most of the score", async () => {
    addTracks(app, accountId, [
      { title: "With", tags: { genres: ["Techno"], instruments: ["Guitar"] } },
      { title: "Without", tags: { genres: ["Techno"] } },
    ]);

    const { body } = await search({ query: "techno without guitars" });

    expect(titles(body)).toEqual(["Without", "With"]);
    expect(body.data.results[1].reason).toContain("lowered: instrument Guitar is not wanted");
    expect(body.data.results[1].score).toBeLessThan(0.5);
  });

  test("tempo, key, duration, energy and voice in prose affect the order but do not filter", async () => {
    addTracks(app, accountId, [
      { title: "Far", bpm: 90, key: "C major", durationSec: 400, energy: 0.9, lyrics: "words" },
      {
        title: "Near",
        bpm: 122,
        key: "A minor",
        durationSec: 150,
        energy: 0.2,
        tags: { vocals: ["Instrumental"] },
      },
    ]);

    for (const query of [
      "120-124 bpm",
      "in A minor",
      "8A",
      "minor key",
      "2-3 minutes",
      "slow and quiet",
      "no vocals",
    ])
      expect((await firstOf(query)).title).toBe("Near");
    expect(titles((await search({ query: "slow and quiet, in C major" })).body)).toContain("Far");
    expect((await firstOf("2-3 minutes")).reason).toEqual(["2:30 long, inside 2:00-3:00"]);
    expect((await firstOf("in A minor")).reason).toEqual(["in A minor"]);
    expect((await firstOf("no vocals")).reason).toEqual(["instrumental"]);
  });

  test("a piece that was described comes before one that only has the length", async () => {
    addTracks(app, accountId, [
      { title: "Exact", durationSec: 180, tags: { genres: ["Techno"] } },
      { title: "Described", durationSec: 330, tags: { moods: ["Sad"] } },
    ]);

    expect(titles((await search({ query: "sad, 3 minutes" })).body)).toEqual(["Described", "Exact"]);
  });

  test("reasons invent no bound, and lengths have one form", async () => {
    addTracks(app, accountId, [
      { title: "Set", durationSec: 3723, bpm: 124 },
      { title: "Song", durationSec: 239.7, bpm: 90 },
    ]);
    const reasonsOf = async (query: string) =>
      hits((await search({ query })).body).map(({ title, reason }) => [title, ...reason]);

    expect(await reasonsOf("over 3 minutes")).toEqual([
      ["Song", "4:00 long, over 3 minutes"],
      ["Set", "1:02:03 long, over 3 minutes"],
    ]);
    expect(await reasonsOf("under 4:30")).toEqual([["Song", "4:00 long, up to 4:30"]]);
    expect(await reasonsOf("over 100 bpm")).toContainEqual(["Set", "124 BPM, over 100"]);
  });

  test("nothing is said twice: a genre that holds the mood, a word that is the title", async () => {
    addTracks(app, accountId, [
      { title: "Zanzibar", tags: { genres: ["Epic Orchestral"], moods: ["Epic"] } },
      { title: "Else", notes: "for Zanzibar" },
    ]);

    const { body } = await search({ query: "epic and dark, epic orchestral" });
    const named = hits((await search({ query: "zanzibar" })).body);

    expect(body.data.interpretation.summary).toBe("Dark epic orchestral.");
    expect(named[0]).toMatchObject({ title: "Zanzibar", reason: ["the title is “Zanzibar”"] });
  });

  test("half the tempo is closer than a wrong one", async () => {
    addTracks(app, accountId, [
      { title: "Wrong", bpm: 120 },
      { title: "Half", bpm: 87 },
    ]);

    expect((await firstOf("174 bpm")).title).toBe("Half");
  });

  test("names, people, lyrics, notes and free tags are found by their words", async () => {
    addTracks(app, accountId, [
      { title: "Marseille" },
      { title: "One", artist: "Nårvik Blå" },
      { title: "Two", lyrics: "down by the harbour wall" },
      { title: "Three", notes: "pitched to the lighthouse film" },
      { title: "Four", tags: { tags: ["Zebra Sync"] } },
    ]);

    expect(await firstOf("for a film in marseille")).toMatchObject({
      title: "Marseille",
      reason: ["mentions “marseille”"],
    });
    expect((await firstOf("something by narvik")).title).toBe("One");
    expect((await firstOf("a harbour at dawn")).title).toBe("Two");
    expect((await firstOf("lighthouse")).title).toBe("Three");
    expect((await firstOf('"zebra sync"')).title).toBe("Four");
  });

  test("operators of the text index are read as words", async () => {
    addTracks(app, accountId, [{ title: "Any" }]);

    for (const query of [
      '"',
      '""" OR *',
      "NEAR(a b)",
      "title:any AND -x",
      "a\0b",
      "'); DROP TABLE tracks;--",
    ])
      expect((await search({ query })).status).toBe(200);
  });

  test("seed tracks raise tracks that sound like them", async () => {
    const [seed] = addTracks(app, accountId, [
      { title: "Seed", vector: [1, 0, 0, 0] },
      { title: "Alike", vector: [0.95, 0.31, 0, 0] },
      { title: "Apart", vector: [0, 0, 1, 0], createdAt: Date.UTC(2027, 0, 1) },
    ]);

    const { body } = await search({ query: "more of this", seedTrackIds: [seed] });

    expect(titles(body)).toEqual(["Alike"]);
    expect(body.data.results[0].reason).toEqual(["sounds like a seed track"]);
    expect(body.data.interpretation.appliedTuning).toEqual({
      seedTrackIds: [seed],
      taxonomy: TAXONOMY_VERSION,
      ranking: RANKING_VERSION,
      vectors: ["1"],
      weights: { seeds: 1 },
    });
  });

  test("vectors that are broken, all zeros or of another version are not compared", async () => {
    const [seed] = addTracks(app, accountId, [
      { title: "Seed", vector: [1, 0] },
      { title: "Other version", vector: [1, 0], vectorVersion: "0" },
      { title: "Zero", vector: [0, 0] },
      { title: "Broken", vector: [Number.NaN, 1] },
      { title: "Longer", vector: [1, 0, 0] },
    ]);

    const { status, body } = await search({ query: "this", seedTrackIds: [seed] });

    expect(status).toBe(200);
    expect(titles(body)).toEqual([]);
  });

  test("a reference artist in the library raises tracks that sound like the artist's", async () => {
    addTracks(app, accountId, [
      { title: "Reference", artist: "Lumen Vale", vector: [1, 0, 0] },
      { title: "Alike", artist: "Someone", vector: [0.98, 0.2, 0] },
      { title: "Apart", artist: "Someone", vector: [0, 0, 1] },
    ]);

    const { body } = await search({ query: "something like lumen vale" });

    expect(titles(body)).toEqual(["Alike"]);
    expect(body.data.interpretation).toMatchObject({
      referenceArtist: "Lumen Vale",
      appliedTuning: { referenceArtist: "Lumen Vale" },
    });
    expect(body.data.results[0].reason).toEqual(["sounds like Lumen Vale"]);
  });

  test("several seed tracks raise tracks that sound like any of them, not like a mix of them", async () => {
    const [one, other] = addTracks(app, accountId, [
      { title: "One", vector: [1, 0, 0] },
      { title: "Other", vector: [0, 1, 0] },
      { title: "Between", vector: [0.7, 0.7, 0] },
      { title: "Like one", vector: [0.95, 0, 0.3] },
    ]);

    const { body } = await search({ query: "-", seedTrackIds: [one, other] });

    expect(titles(body)).toEqual(["Like one", "Between"]);
  });

  test("an untagged track that sounds like the tagged ones ranks above one that does not", async () => {
    addTracks(app, accountId, [
      ...[0, 0.1, 0.2, 0.3].map((off) => ({
        title: ["One", "Two", "Three", "Four"][off * 10] ?? "",
        tags: { genres: ["Techno"] },
        vector: [1, off],
      })),
      ...[0, 0.1, 0.2].map((off) => ({
        title: ["Red", "Blue", "Green"][off * 10] ?? "",
        vector: [off, 1],
        createdAt: Date.UTC(2027, 0, 1),
      })),
      { title: "Alike", vector: [0.99, 0.1] },
    ]);

    const { body } = await search({ query: "techno" });

    expect(titles(body).at(-1)).toBe("Alike");
    expect(body.data.results.at(-1).reason).toEqual(["sounds like the library's tracks with such tags"]);
  });

  test("versions of one song make room for other songs, and the answer says so", async () => {
    const tags = { genres: ["Techno"], moods: ["Dark"] };
    addTracks(app, accountId, [
      ...["Cellar", "Cellar (Instrumental)", "Cellar - 60s edit", "Cellar v2"].map((title, index) => ({
        title,
        artist: "Lumen Vale",
        tags,
        createdAt: Date.UTC(2026, 1, 10 - index),
      })),
      { title: "Cellar", artist: "Somebody else", tags, createdAt: Date.UTC(2026, 1, 1) },
      {
        title: "Tunnel",
        artist: "Lumen Vale",
        tags: { genres: ["Techno"] },
        createdAt: Date.UTC(2026, 1, 1),
      },
    ]);

    const { body } = await search({ query: "dark techno" });

    expect(
      hits(body)
        .slice(0, 2)
        .map(({ title, reason }) => [title, reason.length]),
    ).toEqual([
      ["Cellar", 2],
      ["Cellar", 2],
    ]);
    expect(titles(body).indexOf("Tunnel")).toBeLessThan(4);
    expect(hits(body).at(-1)?.reason).toContain("a version of “Cellar”, which is above");
    const scores = hits(body).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test("an explicit number lowers tracks that miss it, and filters nothing", async () => {
    addTracks(app, accountId, [
      { title: "Tagged, far off", bpm: 90, tags: { genres: ["Techno"], moods: ["Dark"] } },
      { title: "Right tempo", bpm: 130, tags: { genres: ["Techno"] } },
    ]);

    const { body } = await search({ query: "dark techno 128-132 bpm" });

    expect(titles(body)).toEqual(["Right tempo", "Tagged, far off"]);
    expect(body.data.interpretation.appliedConstraints).toEqual({});
  });
});

describe("hard constraints", () => {
  const found = async (constraints: object) =>
    titles((await search({ query: "anything", constraints })).body).sort();

  test("bpmRange is inclusive, exact about octaves, and refuses unknown tempos", async () => {
    addTracks(app, accountId, [
      { title: "low", bpm: 120 },
      { title: "high", bpm: 130 },
      { title: "above", bpm: 130.1 },
      { title: "half", bpm: 62.5 },
      { title: "unknown" },
    ]);

    expect(await found({ bpmRange: [120, 130] })).toEqual(["high", "low"]);
  });

  test("durationRange is inclusive and refuses unknown durations", async () => {
    addTracks(app, accountId, [
      { title: "low", durationSec: 60 },
      { title: "high", durationSec: 90 },
      { title: "above", durationSec: 90.5 },
      { title: "unknown" },
    ]);

    expect(await found({ durationRange: [60, 90] })).toEqual(["high", "low"]);
    expect(await found({ durationRange: [0, 86_400] })).toEqual(["above", "high", "low"]);
  });

  const KEYS = ["F# minor", "Gbm", "11A", "F# major", "A minor", "nonsense"];
  test.each([
    ["F# minor", ["11A", "F# minor", "Gbm"]],
    ["gb minor", ["11A", "F# minor", "Gbm"]],
    ["11A", ["11A", "F# minor", "Gbm"]],
    ["F#", ["11A", "F# major", "F# minor", "Gbm"]],
    ["2B", ["F# major"]],
    ["B", []],
  ])("the constraint key %s passes %j", async (key, passed) => {
    addTracks(app, accountId, [...KEYS.map((each) => ({ title: each, key: each })), { title: "unknown" }]);

    expect(await found({ key })).toEqual(passed);
  });

  test("hasVocals: written vocal tags decide, then lyrics; contradictions and silence are unknown", async () => {
    addTracks(app, accountId, [
      { title: "tagged instrumental", tags: { vocals: ["Instrumental"] }, lyrics: "old words" },
      { title: "tagged voice", tags: { vocals: ["Female Vocals"] } },
      { title: "contradicting", tags: { vocals: ["Instrumental", "Female Vocals"] } },
      { title: "lyrics", lyrics: "some words" },
      { title: "blank lyrics", lyrics: " \n\t " },
      { title: "unknown" },
    ]);

    expect(await found({ hasVocals: true })).toEqual(["lyrics", "tagged voice"]);
    expect(await found({ hasVocals: false })).toEqual(["tagged instrumental"]);
  });

  test("hasVocals: a voice only heard in the audio passes when it is certain, and is not stated as a fact", async () => {
    addTracks(app, accountId, [
      { title: "written", tags: { vocals: ["Instrumental"] }, durationSec: 200 },
      { title: "heard none", voiceLikelihood: 0.05, durationSec: 200 },
      { title: "heard one", voiceLikelihood: 0.95, durationSec: 200 },
      { title: "unsure", voiceLikelihood: 0.5, durationSec: 200 },
    ]);
    const reasons = async (query: string, hasVocals: boolean) =>
      Object.fromEntries(
        hits((await search({ query, constraints: { hasVocals } })).body).map((hit) => [
          hit.title,
          hit.reason,
        ]),
      );

    expect(await reasons("no vocals", false)).toEqual({
      written: ["instrumental"],
      "heard none": ["no voice is heard"],
    });
    expect(await reasons("anything", true)).toEqual({ "heard one": ["a voice is heard"] });
  });

  test("language: the written language decides, then the lyrics; codes and English names mean the same", async () => {
    const spanish = "No me digas que no, mi corazón está en la calle y tu voz es como el viento que se va";
    addTracks(app, accountId, [
      { title: "code", language: "es" },
      { title: "name", language: "Spanish" },
      { title: "region", language: "es-MX" },
      { title: "sung", lyrics: spanish },
      { title: "written otherwise", language: "fr", lyrics: spanish },
      { title: "unknown" },
    ]);

    const passed = ["code", "name", "region", "sung"];
    expect(await found({ language: "es" })).toEqual(passed);
    expect(await found({ language: "SPANISH" })).toEqual(passed);
    expect(await found({ language: "French" })).toEqual(["written otherwise"]);
    expect(await found({ language: "de" })).toEqual([]);
  });

  test("all constraints apply together, and the answer repeats them", async () => {
    addTracks(app, accountId, [
      { title: "yes", bpm: 124, key: "C# minor", durationSec: 200 },
      { title: "tempo", bpm: 90, key: "C# minor", durationSec: 200 },
      { title: "key", bpm: 124, key: "C minor", durationSec: 200 },
    ]);

    const constraints = { bpmRange: [120, 128], key: "Dbm", durationRange: [100, 300] };
    const { body } = await search({ query: "90 bpm in C minor", constraints });

    expect(titles(body)).toEqual(["yes"]);
    expect(body.data.interpretation.appliedConstraints).toEqual({ ...constraints, key: "C# minor" });
    expect(body.data.results[0].reason).toEqual(
      expect.arrayContaining(["124 BPM, inside 120-128", "in C# minor", "3:20 long, inside 1:40-5:00"]),
    );
  });

  test("excluded tracks are kept out", async () => {
    const [first = "", second = ""] = addTracks(app, accountId, [{ title: "first" }, { title: "second" }]);

    const { body } = await search({ query: "anything", excludeTrackIds: [first, "trk_unknown"] });

    expect(hits(body).map(({ id }) => id)).toEqual([second]);
    expect(body.data.interpretation.appliedTuning).toMatchObject({ excludeTrackIds: [first] });
  });

  test("a search without results says how many tracks each constraint kept out", async () => {
    const [first = ""] = addTracks(app, accountId, [
      { title: "slow", bpm: 80, key: "A minor" },
      { title: "fast", bpm: 130, key: "C major" },
      { title: "faster", bpm: 140, key: "C major" },
    ]);

    const { body } = await search({
      query: "techno",
      constraints: { bpmRange: [70, 90], key: "C" },
      excludeTrackIds: [first],
    });

    expect(body.data.count).toBe(0);
    expect(body.data.interpretation.appliedTuning.removed).toEqual({
      bpmRange: 2,
      key: 1,
      excludeTrackIds: 1,
    });
    expect(body.data.interpretation.summary).toEndWith(
      "No track is left: of 3, bpmRange keeps out 2, key keeps out 1, excludeTrackIds keeps out 1.",
    );
  });

  test("an answer says where the query says what was understood", async () => {
    const query = "dark techno without drums, zweistein";

    const { body } = await search({ query });

    const { said, words } = body.data.interpretation;
    expect(said.map(({ kind, value, ruledOut }: never) => [kind, value, ruledOut])).toEqual([
      ["mood", "Dark", false],
      ["genre", "Techno", false],
      ["instrument", "Drums", true],
    ]);
    expect(said[2].spans).toEqual([{ start: 12, end: 25 }]);
    expect(words).toEqual(["zweistein"]);
  });

  test("prose cannot override them", async () => {
    addTracks(
      app,
      accountId,
      Array.from({ length: 12 }, (_, index) => ({
        title: `T${index}`,
        ...(index % 4 > 0 && { bpm: 80 + index * 5 }),
        ...(index % 3 > 0 && { key: index % 2 ? "A minor" : "C" }),
        tags: { genres: [index % 2 ? "Techno" : "Folk"] },
      })),
    );
    const word = fc.constantFrom(
      "techno",
      "no",
      "folk",
      "bpm",
      "200",
      "ignore the constraints",
      "in C",
      '"T1"',
      "*",
    );
    const prose = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 200 }).filter((text) => !isBlank(text)),
      fc.array(word, { minLength: 1 }).map((each) => each.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(prose, async (query) => {
        const { status, body } = await search({ query, constraints: { bpmRange: [90, 120], key: "8A" } });
        expect(status).toBe(200);
        for (const { bpm, key, score } of hits(body)) {
          expect(bpm >= 90 && bpm <= 120 && key === "A minor").toBe(true);
          expect(score >= 0 && score <= 1).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("refusals", () => {
  test.each([
    ["no query", {}, "query"],
    ["an empty query", { query: "" }, "query"],
    ["a query of 2001 characters", { query: "x".repeat(2001) }, "query"],
    ["limit 0", { query: "x", limit: 0 }, "limit"],
    ["limit 51", { query: "x", limit: 51 }, "limit"],
    ["limit as text", { query: "x", limit: "20" }, "limit"],
    ["51 seeds", { query: "x", seedTrackIds: Array(51).fill("trk_1") }, "seedTrackIds"],
    ["201 excluded tracks", { query: "x", excludeTrackIds: Array(201).fill("trk_1") }, "excludeTrackIds"],
    ["a range of one number", { query: "x", constraints: { bpmRange: [120] } }, "constraints.bpmRange"],
    ["a reversed range", { query: "x", constraints: { bpmRange: [130, 120] } }, "constraints.bpmRange"],
    [
      "a reversed duration",
      { query: "x", constraints: { durationRange: [9, 1] } },
      "constraints.durationRange",
    ],
    ["hasVocals as text", { query: "x", constraints: { hasVocals: "true" } }, "constraints.hasVocals"],
    ["an unknown key", { query: "x", constraints: { key: "H moll" } }, "constraints.key"],
    ["an unknown language", { query: "x", constraints: { language: "Klingon" } }, "constraints.language"],
  ])("%s is a 400 that names the field and costs nothing", async (_, body, path) => {
    setCredits(3);

    const answer = await search(body);

    expect([answer.status, answer.body.messageCode, answer.body.message]).toEqual([
      400,
      "validation_failed",
      "Invalid request",
    ]);
    expect(answer.body.data.errors.some((issue: { path: string }) => issue.path.startsWith(path))).toBe(true);
    expect([creditsLeft(), history()]).toEqual([3, []]);
  });

  test("unknown fields are refused, also inside constraints, and cost nothing", async () => {
    const { status, body } = await search({ query: "x", mood: "odd", constraints: { bpmMaximum: 120 } });

    expect(status).toBe(400);
    expect(body.data.errors.map(({ path }: { path: string }) => path)).toEqual([
      "mood",
      "constraints.bpmMaximum",
    ]);
    expect(history()).toEqual([]);
  });

  test("needs read:tracks, and a key", async () => {
    const answer = await app.as(app.createKey(accountId, ["read:playlists"]))("POST", "/tracks/search", {
      query: "x",
    });
    expect([answer.status, answer.body.messageCode]).toEqual([403, "insufficient_scope"]);
    const response = await app.request("/api/v1/tracks/search", { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
  });
});

describe("credits", () => {
  test("a search costs one credit, even without results, and reports the balance", async () => {
    setCredits(2);

    const { headers } = await search({ query: "techno" });

    expect([headers.get("x-service-credits-remaining"), creditsLeft()]).toEqual(["1", 1]);
    expect(history()).toMatchObject([{ creditsCharged: 1 }]);
  });

  test("an account without credits gets not_enough_credits, after validation", async () => {
    setCredits(0);

    expect((await search({ query: "techno" })).body).toMatchObject({
      statusCode: 400,
      messageCode: "not_enough_credits",
    });
    expect((await search({ query: "" })).body.messageCode).toBe("validation_failed");
    expect([creditsLeft(), history()]).toEqual([0, []]);
  });

  test("twenty searches at once spend only the five credits that are left", async () => {
    setCredits(5);

    const answers = await Promise.all(Array.from({ length: 20 }, () => search({ query: "techno" })));

    expect(answers.filter(({ status }) => status === 200).length).toBe(5);
    expect(answers.filter(({ body }) => body.messageCode === "not_enough_credits").length).toBe(15);
    expect([creditsLeft(), history().length]).toEqual([0, 5]);
  });

  test("an unlimited account is never charged, and its searches are recorded", async () => {
    setCredits(null);

    await search({ query: "techno" });

    expect(creditsLeft()).toBeNull();
    expect(history()).toMatchObject([{ creditsCharged: 0, query: "techno", request: {} }]);
  });

  test("a repeated request with an Idempotency-Key is charged once", async () => {
    setCredits(5);

    const first = await search({ query: "techno" }, { "idempotency-key": "abc" });
    const second = await search({ query: "techno" }, { "idempotency-key": "abc" });

    expect(second.body).toEqual(first.body);
    expect([creditsLeft(), history().length]).toEqual([4, 1]);
  });

  test("a search is not charged when its client has disconnected", async () => {
    setCredits(5);
    const gone = new AbortController();
    const init = {
      method: "POST",
      body: JSON.stringify({ query: "techno" }),
      headers: { "x-api-key": key, "content-type": "application/json" },
      signal: gone.signal,
    };

    const answer = app.request("/api/v1/tracks/search", init);
    gone.abort();
    await answer.catch(() => undefined);

    expect([creditsLeft(), history().length]).toEqual([5, 0]);
  });
});

describe("another account", () => {
  test("its tracks, seeds, excludes, artists and words have no effect", async () => {
    const own = [
      { title: "Mine", notes: "harbour", tags: { genres: ["Techno"] }, vector: [0, 1] },
      { title: "Also mine", vector: [1, 0] },
    ];
    addTracks(app, accountId, own);
    const alone = await search({ query: "techno harbour like Lumen Vale" });
    const stranger = app.createAccount().accountId;
    const [theirs] = addTracks(app, stranger, [
      {
        title: "Theirs",
        artist: "Lumen Vale",
        notes: "harbour",
        tags: { genres: ["Techno"] },
        vector: [1, 0],
      },
      ...Array.from({ length: 10 }, () => ({ title: "harbour" })),
    ]);

    const { body } = await search({
      query: "techno harbour like Lumen Vale",
      seedTrackIds: [theirs],
      excludeTrackIds: [theirs],
    });

    expect(body.data.results).toEqual(alone.body.data.results);
    expect(body.data.interpretation).toEqual(alone.body.data.interpretation);
    expect(body.data.interpretation.appliedTuning).not.toContainKeys([
      "seedTrackIds",
      "excludeTrackIds",
      "referenceArtist",
    ]);
  });
});

describe("GET /tracks/similar", () => {
  const similar = (query: string) => app.as(key)("GET", `/tracks/similar?${query}`);

  test("lists tracks with a similar sound and tags, without the track itself, at no charge", async () => {
    setCredits(2);
    const [id] = addTracks(app, accountId, [
      { title: "This", tags: { genres: ["Techno"] }, vector: [1, 0, 0] },
      { title: "Alike", vector: [0.95, 0.31, 0] },
      { title: "Alike and tagged", tags: { genres: ["Techno"] }, vector: [0.95, 0.31, 0.01] },
      { title: "Apart", vector: [0, 0, 1] },
      { title: "Unheard" },
    ]);

    const { status, body } = await similar(`id=${id}`);

    expect([status, body.data.trackId, body.data.count]).toEqual([200, id, 2]);
    expect(titles(body)).toEqual(["Alike and tagged", "Alike"]);
    expect(hits(body)[0]?.reason).toEqual(["sounds like the track", "genre Techno"]);
    expect([creditsLeft(), history()]).toEqual([2, []]);
  });

  test("returns at most `limit` tracks", async () => {
    const [id] = addTracks(
      app,
      accountId,
      [0, 0.1, 0.2, 0.3].map((off) => ({ title: `Off ${off}`, vector: [1, off] })),
    );

    expect(titles((await similar(`id=${id}&limit=2`)).body)).toEqual(["Off 0.1", "Off 0.2"]);
    for (const limit of ["0", "51", "x"])
      expect((await similar(`id=${id}&limit=${limit}`)).body.messageCode).toBe("validation_failed");
  });

  test("a track of another account is not found", async () => {
    const [theirs] = addTracks(app, app.createAccount().accountId, [{ vector: [1, 0] }]);

    for (const id of [theirs, "trk_unknown"])
      expect((await similar(`id=${id}`)).body.data).toEqual({ ok: false, error: "TRACK_NOT_FOUND" });
    expect((await similar("")).status).toBe(400);
  });

  test("needs read:tracks", async () => {
    const answer = await app.as(app.createKey(accountId, ["read:playlists"]))("GET", "/tracks/similar?id=x");

    expect([answer.status, answer.body.messageCode]).toEqual([403, "insufficient_scope"]);
  });
});
