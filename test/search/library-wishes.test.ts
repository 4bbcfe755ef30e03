import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseBrief } from "../../src/brief/read.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

/** A Sunday afternoon. */
const NOW = Date.UTC(2026, 10, 22, 15);
const DAY_MS = 86_400_000;
const ago = (days: number) => NOW - days * DAY_MS;

const read = (query: string) => parseBrief(query, { findArtist: () => undefined, now: NOW });

describe("an order is read", () => {
  test.each([
    ["newest", "createdAt", "desc"],
    ["oldest", "createdAt", "asc"],
    ["longest", "durationSec", "desc"],
    ["shortest", "durationSec", "asc"],
    ["fastest", "bpm", "desc"],
    ["slowest", "bpm", "asc"],
    ["loudest", "loudness", "desc"],
    ["dark techno, most recent first", "createdAt", "desc"],
    ["what are the latest tracks by anyone", "createdAt", "desc"],
    ["quickest breakbeat tunes", "bpm", "desc"],
    ["hopeful strings sorted by length, descending", "durationSec", "desc"],
    ["jazz, from slowest to fastest", "bpm", "asc"],
    ["neueste", "createdAt", "desc"],
    ["die längsten Klavierstücke zuerst", "durationSec", "desc"],
    ["plus récent", "createdAt", "desc"],
    ["les morceaux les plus courts", "durationSec", "asc"],
    ["più lungo", "durationSec", "desc"],
    ["i brani più vecchi", "createdAt", "asc"],
    ["las canciones más recientes", "createdAt", "desc"],
    ["a faixa mais longa", "durationSec", "desc"],
    ["de nieuwste nummers", "createdAt", "desc"],
    ["najkrótsze utwory", "durationSec", "asc"],
    ["самые новые треки", "createdAt", "desc"],
    ["最新の曲", "createdAt", "desc"],
  ] as const)("an order is read from “%s”", (query, by, direction) => {
    const { ordering, briefParsed, unread } = read(query);

    expect({ ordering, briefParsed }).toEqual({ ordering: { by, direction }, briefParsed: true });
    expect(unread.filter(({ written }) => /est|recent|récent|lung|mais|naj/i.test(written))).toEqual([]);
  });

  test.each([
    ["an ad for the world's fastest car"],
    ["60 seconds at the longest"],
    ["music for the latest fashion collection"],
    ["plus long que 3 minutes"],
    ["not the newest stuff"],
    ["we need it by Friday at the latest"],
  ])("no order is read from “%s”", (query) => {
    expect(read(query).ordering).toBeNull();
  });
});

describe("a filter is read", () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  test.each([
    ["uploaded last week", day("2026-11-09"), day("2026-11-16")],
    ["since March", day("2026-03-01"), null],
    ["techno added yesterday", day("2026-11-21"), day("2026-11-22")],
    ["everything uploaded since 12 March 2025", day("2025-03-12"), null],
    ["songs from last month", day("2026-10-01"), day("2026-11-01")],
    ["tracks uploaded in the last 3 days", NOW - 3 * DAY_MS, null],
    ["uploaded before 2026-02-01", null, day("2026-02-01")],
    ["uploaded between May and July", day("2026-05-01"), day("2026-08-01")],
    ["this week's uploads", day("2026-11-16"), day("2026-11-23")],
    ["uploaded on Friday", day("2026-11-20"), day("2026-11-21")],
    ["traurige Lieder, letzte Woche hochgeladen", day("2026-11-09"), day("2026-11-16")],
    ["depuis mars", day("2026-03-01"), null],
    ["caricati la settimana scorsa", day("2026-11-09"), day("2026-11-16")],
    ["subidas este mes", day("2026-11-01"), day("2026-12-01")],
    ["先週アップロードされた曲", day("2026-11-09"), day("2026-11-16")],
    ["from October", day("2026-10-01"), day("2026-11-01")],
    ["dark techno from October", day("2026-10-01"), day("2026-11-01")],
    ["last month", day("2026-10-01"), day("2026-11-01")],
    ["sad piano, last month", day("2026-10-01"), day("2026-11-01")],
    ["made before March", null, day("2026-03-01")],
    ["what I recorded in June", day("2026-06-01"), day("2026-07-01")],
    ["in 2024", day("2024-01-01"), day("2025-01-01")],
    ["techno from 2024", day("2024-01-01"), day("2025-01-01")],
    ["since last week", day("2026-11-09"), null],
    ["from last summer", day("2026-06-01"), day("2026-09-01")],
    ["from the summer", day("2026-06-01"), day("2026-09-01")],
    ["last autumn", day("2025-09-01"), day("2025-12-01")],
    ["winter 2025", day("2025-12-01"), day("2026-03-01")],
    ["older than a year", null, Date.UTC(2025, 10, 22, 15)],
    ["demos more than six months old", null, Date.UTC(2026, 4, 22, 15)],
    ["newer than two weeks", ago(14), null],
    ["from a year ago", day("2025-01-01"), day("2026-01-01")],
    ["from October to December", day("2026-10-01"), null],
    ["aus dem Oktober", day("2026-10-01"), day("2026-11-01")],
    ["älter als ein Jahr", null, Date.UTC(2025, 10, 22, 15)],
    ["le mois dernier", day("2026-10-01"), day("2026-11-01")],
    ["del verano 2025", day("2025-06-01"), day("2025-09-01")],
    ["fatti prima di marzo", null, day("2026-03-01")],
    ["uit oktober", day("2026-10-01"), day("2026-11-01")],
  ])("a filter is read from “%s”", (query, from, to) => {
    expect(read(query).filters).toEqual({ created: { from, to } });
  });

  test.each([
    ["not yet tagged", { tagged: false }],
    ["anything without tags", { tagged: false }],
    ["noch nicht getaggt", { tagged: false }],
    ["pas encore étiquetés", { tagged: false }],
    ["never played", { played: false }],
    ["nobody has heard", { played: false }],
    ["mai ascoltati", { played: false }],
    ["nunca tocadas", { played: false }],
    ["the second version", { versions: 2 }],
    ["zweite Version", { versions: 2 }],
    ["tracks with several versions", { versions: 2 }],
    ["v2", { versions: 2 }],
    ["the v3 of that techno piece", { versions: 3 }],
    ["only v2s", { versions: 2 }],
  ])("a filter is read from “%s”", (query, filters) => {
    expect(read(query).filters).toEqual(filters);
  });

  test.each([
    ["we've been looking for this since March"],
    ["needed before June"],
    ["a song about last week's party"],
    ["yesterday"],
    ["music for last year's winners"],
    ["the vibe of a film set in 2024"],
    ["like last summer"],
    ["soul from 1975"],
    ["made in the 80s"],
    ["summer vibes"],
    ["a march"],
    ["October"],
    ["needed by March"],
    ["night ferry v2 final"],
  ])("no filter is read from “%s”", (query) => {
    expect(read(query).filters).toEqual({});
  });
});

describe("a search of the library", () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await createTestApp();
    const { accountId } = app.createAccount();
    key = app.createKey(accountId);
    app.clock.advance(NOW - app.clock.now());
    addTracks(app, accountId, [
      { title: "Ash", createdAt: ago(300), bpm: 90, durationSec: 200, tags: { genres: ["Techno"] } },
      { title: "Birch", createdAt: ago(10), bpm: 140, durationSec: 100, tags: { genres: ["Techno"] } },
      { title: "Cedar", createdAt: ago(3), bpm: 120, durationSec: 300, tags: { genres: ["Folk"] } },
      { title: "Dogwood", createdAt: ago(1) },
      {
        title: "Elm",
        createdAt: ago(8),
        bpm: 100,
        durationSec: 250,
        tags: { genres: ["Techno"], moods: ["Dark"] },
      },
      { title: "Never Played", createdAt: ago(400), lyrics: "harbour lights" },
    ]);
  });
  afterAll(() => app.close());

  const search = async (query: string, more: object = {}) => {
    const { status, body } = await app.as(key)("POST", "/tracks/search", { query, ...more });
    expect(status).toBe(200);
    return body.data;
  };
  type Result = { title: string; score: number; reason: string[] };
  const titles = ({ results }: { results: Result[] }) => results.map(({ title }) => title);

  test("lists uploads in the order asked for, and each says why it is there", async () => {
    const newest = await search("newest uploads");
    expect(titles(newest)).toEqual(["Dogwood", "Cedar", "Elm", "Birch", "Ash", "Never Played"]);
    expect(newest.results[0]).toMatchObject({ reason: ["added on 21 November 2026"], score: 1 });
    expect(newest.interpretation).toMatchObject({
      ordering: { by: "createdAt", direction: "desc" },
      notUnderstood: [],
      summary: "Tracks, newest first.",
    });
    expect(titles(await search("le plus long"))).toEqual(["Cedar", "Elm", "Ash", "Birch"]);
    expect((await search("fastest", { limit: 1 })).results[0].reason).toEqual(["140 BPM"]);
  });

  test("orders only tracks that fit the rest of the query", async () => {
    expect(titles(await search("oldest techno"))).toEqual(["Ash", "Birch", "Elm"]);
    expect(titles(await search("techno, newest first"))).toEqual(["Elm", "Birch", "Ash"]);
    expect(titles(await search("slowest techno", { constraints: { bpmRange: [95, 150] } }))).toEqual([
      "Elm",
      "Birch",
    ]);
    expect(titles(await search("newest bossa nova"))).toEqual([]);
  });

  test("a search keeps to the time, tags and plays that the query names, and says how many tracks it kept out", async () => {
    const lastWeek = await search("techno uploaded last week");
    expect(titles(lastWeek)).toEqual(["Elm", "Birch"]);
    expect(lastWeek.interpretation).toMatchObject({
      filters: { createdAfter: "2026-11-09T00:00:00.000Z", createdBefore: "2026-11-16T00:00:00.000Z" },
      appliedTuning: { removed: { created: 4 }, tracks: 6, considered: 2 },
      summary: "Techno uploaded from 9 November 2026 to 15 November 2026.",
    });
    const untagged = await search("not yet tagged");
    expect(titles(untagged)).toEqual(["Dogwood", "Never Played"]);
    expect(untagged.results[0].reason).toEqual(["not tagged yet"]);
    expect(titles(await search("since March"))).toEqual(["Dogwood", "Cedar", "Elm", "Birch"]);
  });

  test("a title is a title, whatever else its words say", async () => {
    expect(titles(await search("never played"))).toEqual(["Never Played"]);
    expect(titles(await search("tracks that were never played"))).toHaveLength(6);
  });

  test("a query without meaning finds nothing and says so", async () => {
    for (const query of ["qwxz plorf", "???", "please", "the of and", "bitte eine"]) {
      const { count, interpretation } = await search(query);
      expect({ query, count, briefParsed: interpretation.briefParsed }).toEqual({
        query,
        count: 0,
        briefParsed: false,
      });
      expect(interpretation.summary).toMatch(
        /^(?:Nothing in the query was understood|The query says nothing)/,
      );
    }
  });

  test("lists the words that say nothing, as written and in order, and none of grammar or of the library", async () => {
    const { interpretation } = await search("Please I need dark techno for the Qwxz about harbour, Plorf");

    expect(interpretation.notUnderstood).toEqual(["Qwxz", "Plorf"]);
    expect((await search("ich brauche traurige Musik für Zwirbel")).interpretation.notUnderstood).toEqual([
      "Zwirbel",
    ]);
    expect((await search("dark techno")).interpretation.notUnderstood).toEqual([]);
  });

  test("no result has a score of 0", async () => {
    for (const query of ["jazz", "techno", "no vocals", "120 bpm", "harbour", "no techno", "sad piano"])
      for (const { score, reason } of (await search(query)).results) {
        expect(score).toBeGreaterThan(0);
        expect(reason).not.toEqual([]);
      }
  });

  test("a brief that rules something out leaves out the tracks whose tags name it", async () => {
    const { results } = await search("no techno");

    expect(results.map(({ title, reason }: Result) => [title, reason])).toEqual([
      ["Cedar", ["has genre tags, but not Techno"]],
    ]);
  });

  test("a constraint says how many tracks it kept out, also when some are left", async () => {
    const { results, interpretation } = await search("techno", { constraints: { bpmRange: [95, 150] } });

    expect(results).toHaveLength(2);
    expect(interpretation.appliedTuning).toMatchObject({
      removed: { bpmRange: 3 },
      tracks: 6,
      considered: 3,
    });
  });

  test("constraints alone list the tracks that meet them", async () => {
    expect(titles(await search("music", { constraints: { bpmRange: [95, 150] } }))).toEqual([
      "Cedar",
      "Elm",
      "Birch",
    ]);
  });

  test.each([" ", "\n\t", "\u200b", "\u3000"])("white space %j is refused", async (query) => {
    const { status, body } = await app.as(key)("POST", "/tracks/search", { query });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.errors[0]).toMatchObject({ path: "query", detail: "must not be blank" });
  });
});

describe("the summary is a sentence", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  test.each([
    [
      "dark driving techno 120-130 bpm without vocals, newest first",
      "Dark, driving techno between 120 and 130 BPM without vocals, newest first.",
    ],
    ["sad piano", "Sad music with piano."],
    ["happy folk, no drums, under 3 minutes", "Happy folk up to 3:00 long, no drums."],
    ["UK garage in F# minor with female vocals", "UK garage with female vocals in F# minor."],
  ])("the summary is a sentence: %s", async (query, summary) => {
    const key = app.createKey(app.createAccount().accountId);
    const { body } = await app.as(key)("POST", "/tracks/search", { query });

    expect(body.data.interpretation.summary).toStartWith(summary);
  });
});
