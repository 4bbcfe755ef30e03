import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { SearchHit, WireInterpretation } from "../../src/modules/search/search/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

let app: TestApp;
let key: string;
let ids: Map<string, string>;
let tracks: readonly LibraryTrack[];

/** The named tracks stand in the middle of everything measured; the others spread around them. */
const NAMED: readonly LibraryTrack[] = [
  {
    title: "Night Ferry",
    artist: "Lumen Vale",
    tags: { moods: ["Calm"], genres: ["Ambient"] },
    vector: [1, 0.1, 0],
  },
  {
    title: "Slow Tide",
    artist: "Lumen Vale",
    tags: { moods: ["Calm"], genres: ["Downtempo"] },
    vector: [1, 0, 0.1],
  },
  { title: "Home", artist: "Ana Luz", vector: [1, 0.2, 0.1] },
  { title: "paniq", artist: "Ana Luz", vector: [0.9, 0.2, 0.1] },
  { title: "Über Nacht (Instrumental)", artist: "Die Reeds", vector: [0.9, 0, 0.1] },
  { title: "夜のフェリー", artist: "Sora", vector: [0.8, 0.1, 0.1] },
  { title: "dawn_drone", artist: "Sora", vector: [0.8, 0.2, 0.1] },
].map((track) => ({
  ...track,
  bpm: 100,
  durationSec: 200,
  energy: 0.5,
  brightness: 0.5,
  key: "A minor",
  minorLead: 0,
}));

beforeAll(async () => {
  app = await createTestApp();
  const { accountId } = app.createAccount();
  key = app.createKey(accountId);
  const spread = Array.from({ length: 60 }, (_, index): LibraryTrack => {
    const part = (prime: number) => ((index * prime) % 60) / 59;
    return {
      title: `Other ${index}`,
      artist: index % 2 === 0 ? "Someone" : "Nobody",
      bpm: Math.round(60 + 80 * part(7)),
      durationSec: Math.round(60 + 280 * part(11)),
      energy: 0.1 + 0.8 * part(13),
      brightness: 0.1 + 0.8 * part(17),
      minorLead: 0.6 * part(19) - 0.3,
      key: ["A minor", "C major", "E minor"][index % 3] ?? "",
      vector: [1, part(23) - 0.5, part(29) - 0.5],
      ...(index % 4 === 0 && { tags: { vocals: ["Female Vocals"] } }),
      ...(index % 4 === 1 && { tags: { vocals: ["Instrumental"], instruments: ["Drums"] } }),
    };
  });
  tracks = [...NAMED, ...spread];
  const added = addTracks(app, accountId, tracks);
  ids = new Map(tracks.map(({ title = "" }, index) => [title, added[index] ?? ""]));
});
afterAll(() => app.close());

type Found = {
  hits: SearchHit[];
  all: LibraryTrack[];
  interpretation: WireInterpretation;
  summary: string;
  suggestedName: string;
};

async function find(query: string, more: object = {}): Promise<Found> {
  const { status, body } = await app.as(key)("POST", "/tracks/search", { query, limit: 10, ...more });
  expect(status).toBe(200);
  const hits = body.data.results as SearchHit[];
  const all = hits.flatMap(({ title }) => tracks.find((track) => track.title === title) ?? []);
  const { interpretation, suggestedName } = body.data;
  return { hits, all, interpretation, summary: interpretation.summary, suggestedName };
}

const SLOWER = ({ bpm = 0 }: LibraryTrack) => bpm < 100;
const FASTER = ({ bpm = 0 }: LibraryTrack) => bpm > 100;
const DARKER = ({ brightness = 0 }: LibraryTrack) => brightness < 0.5;
const BRIGHTER = ({ brightness = 0 }: LibraryTrack) => brightness > 0.5;
const CALMER = ({ energy = 0 }: LibraryTrack) => energy < 0.5;
const LIVELIER = ({ energy = 0 }: LibraryTrack) => energy > 0.5;
const SHORTER = ({ durationSec = 0 }: LibraryTrack) => durationSec < 200;
const LONGER = ({ durationSec = 0 }: LibraryTrack) => durationSec > 200;
const SADDER = ({ minorLead = 0, tags }: LibraryTrack) => minorLead > 0 && tags?.moods === undefined;
const HAPPIER = ({ minorLead = 0, tags }: LibraryTrack) => minorLead < 0 || tags?.moods?.[0] === "Calm";

describe("a track that the brief names is where the search starts, and not in its results", () => {
  test.each([
    ["more like *Night Ferry*", ["Night Ferry"]],
    ["more like Night Ferry", ["Night Ferry"]],
    ['something similar to "night ferry"', ["Night Ferry"]],
    ["like Night Ferry.wav", ["Night Ferry"]],
    ["Find me tracks like Night Ferry by Lumen Vale, please", ["Night Ferry"]],
    ["something like Night Ferry and Slow Tide", ["Night Ferry", "Slow Tide"]],
    ["something along the lines of slow tide, home or paniq", ["Slow Tide", "Home", "paniq"]],
    ["sounds like paniq", ["paniq"]],
    ["mehr wie Über Nacht", ["Über Nacht (Instrumental)"]],
    ["quelque chose comme Slow Tide", ["Slow Tide"]],
    ["algo parecido a Night Ferry", ["Night Ferry"]],
    ["qualcosa di simile a Night Ferry", ["Night Ferry"]],
    ["algo como Slow Tide", ["Slow Tide"]],
    ["iets als Night Ferry", ["Night Ferry"]],
    ["coś podobnego do Night Ferry", ["Night Ferry"]],
    ["что-то похожее на Night Ferry", ["Night Ferry"]],
    ["夜のフェリーみたいな曲", ["夜のフェリー"]],
    ["more like nihgt ferry", ["Night Ferry"]],
    ["like nightferry but slower", ["Night Ferry"]],
    ["something like Slow Tyde, with vocals", ["Slow Tide"]],
  ])("a search starts from the track in: %s", async (query, names) => {
    const { hits, interpretation } = await find(query);

    expect(interpretation.seeds?.map(({ name }) => name)).toEqual(names);
    expect(interpretation.seeds?.flatMap(({ trackIds }) => trackIds)).toEqual(
      names.map((name) => ids.get(name) ?? ""),
    );
    expect(hits.length).toBe(10);
    for (const name of names) expect(hits.map(({ title }) => title)).not.toContain(name);
    expect(hits[0]?.score).toBeGreaterThan(0);
  });

  test("an artist whom the brief names is where the search starts, and not in its results", async () => {
    const { hits, interpretation } = await find("similar to Lumen Vale", { limit: 50 });

    expect(interpretation).toMatchObject({
      seeds: [{ kind: "artist", name: "Lumen Vale" }],
      referenceArtist: "Lumen Vale",
    });
    expect(hits.flatMap(({ artists }) => artists)).not.toContain("Lumen Vale");
    expect(hits.flatMap(({ reason }) => reason)).toContain("sounds like Lumen Vale");
  });

  test("tracks given by their ids are not in the results", async () => {
    const seedTrackIds = [ids.get("Night Ferry"), ids.get("Slow Tide")];

    const { hits } = await find("more of this", { seedTrackIds, limit: 50 });

    expect(hits.map(({ id }) => id)).not.toContain(seedTrackIds[0] ?? "");
    expect(hits.map(({ id }) => id)).not.toContain(seedTrackIds[1] ?? "");
  });

  test("a track is named by its file too, in other signs", async () => {
    const { hits, interpretation } = await find("like dawn drone but darker");

    expect(interpretation.seeds?.map(({ name }) => name)).toEqual(["dawn_drone"]);
    expect(hits.map(({ title }) => title)).not.toContain("dawn_drone");
  });

  test("the summary and the suggested name say which track it was", async () => {
    const { summary, suggestedName } = await find("more like Night Ferry but a bit slower, no drums");

    expect(summary).toBe("Like Night Ferry, a bit slower, no drums.");
    expect(suggestedName).toBe("Like Night Ferry, a bit slower");
  });

  test("results leave out what the brief rules out, where it is known", async () => {
    const { all, interpretation } = await find("like Night Ferry, without drums", { limit: 50 });

    expect(all.filter(({ tags }) => tags?.instruments?.includes("Drums"))).toEqual([]);
    expect(interpretation.appliedTuning).toMatchObject({ removed: { excluded: 15 } });
  });

  test.each([
    "nothing like Night Ferry",
    "warm song that feels like home",
    "more like this",
    "like 100 bpm",
    "like dark night",
    "feels like slow time",
  ])("a brief without a track in it has no seed: %s", async (query) => {
    expect((await find(query)).interpretation.seeds ?? []).toEqual([]);
  });

  test("an artist whom the library does not have is a reference, as before", async () => {
    const { interpretation } = await find("like Bonobo but slower");

    expect(interpretation.seeds).toBeUndefined();
    expect(interpretation.references).toEqual([{ name: "Bonobo", resolved: true }]);
  });
});

describe("the rest of the brief moves the wish away from it, and every result follows", () => {
  test.each<[string, ...((track: LibraryTrack) => boolean)[]]>([
    ["more like Night Ferry but slower", SLOWER],
    ["like Night Ferry.wav but slower, darker, without drums", SLOWER, DARKER],
    ["Night Ferry but faster", FASTER],
    ["something quicker than Night Ferry", FASTER],
    ["similar to Slow Tide, less dark", BRIGHTER],
    ["like Home but darker", DARKER],
    ["like Slow Tide, a bit calmer", CALMER],
    ["more like Slow Tide, just with more energy", LIVELIER],
    ["like Night Ferry but not as busy", CALMER],
    ["along the lines of Night Ferry, only shorter", SHORTER],
    ["more like Night Ferry, longer please", LONGER],
    ["like Home, but sadder", SADDER],
    ["Home, just happier", HAPPIER],
    ["similar to Lumen Vale but much faster", FASTER],
    ["wie Night Ferry, nur langsamer", SLOWER],
    ["so was wie Slow Tide, aber dunkler", DARKER],
    ["comme Night Ferry mais plus rapide", FASTER],
    ["plus comme Slow Tide, mais moins sombre", BRIGHTER],
    ["como Night Ferry pero más lento", SLOWER],
    ["parecido a Slow Tide, pero más corto", SHORTER],
    ["simile a Night Ferry ma più veloce", FASTER],
    ["parecido com Night Ferry mas mais calmo", CALMER],
    ["zoals Night Ferry maar sneller", FASTER],
    ["podobne do Night Ferry, ale wolniejsze", SLOWER],
    ["похоже на Night Ferry, но быстрее", FASTER],
    ["Night Ferryのような、もっと遅い曲", SLOWER],
  ])("%s", async (query, ...follow) => {
    const { all, interpretation } = await find(query);

    expect(interpretation.moves?.length).toBe(follow.length);
    // Two moves at once leave fewer than ten tracks that follow both.
    const first = all.slice(0, follow.length === 1 ? 10 : 5);
    for (const follows of follow) expect(first.filter(follows)).toEqual(first);
  });

  test("a search that starts from track ids is moved as well", async () => {
    const { all, interpretation, hits } = await find("slower, darker", { seedTrackIds: [ids.get("Home")] });

    expect(all.slice(0, 5).every(SLOWER)).toBe(true);
    expect(all.slice(0, 5).every(DARKER)).toBe(true);
    expect(interpretation.moves).toEqual([
      { dimension: "tempo", way: "less", amount: "plain", from: 100 },
      { dimension: "brightness", way: "less", amount: "plain", from: 0.5 },
    ]);
    expect(hits[0]?.reason.join()).toMatch(/\d BPM slower than Home.*darker than Home/);
  });

  test("a brief with a number moves the tempo by as much", async () => {
    const { all, hits } = await find("like Night Ferry, 20 bpm slower");

    expect(all.slice(0, 3).map(({ bpm }) => Math.abs((bpm ?? 0) - 80) < 4)).toEqual([true, true, true]);
    expect(hits[0]?.reason).toContainEqual(expect.stringMatching(/^\d+(\.\d)? BPM slower than Night Ferry$/));
  });

  test("results keep to another key, and to vocals", async () => {
    const { all } = await find("like Night Ferry in another key");
    const sung = await find("something like Night Ferry and Slow Tide but with vocals");

    expect(all.filter((track) => track.key === "A minor")).toEqual([]);
    expect(sung.interpretation.vocalPreference).toBe("vocal");
    expect(sung.hits[0]?.reason).toContain("has vocals");
  });

  test("the same words without a seed mean a mood and a tempo", async () => {
    const { interpretation } = await find("slower, darker");

    expect(interpretation.moves).toBeUndefined();
    expect(interpretation).toMatchObject({ moods: ["Dark"], tempos: ["Slow"] });
  });

  test("the pieces that were understood are named where the query says them", async () => {
    const query = "more like Night Ferry but a bit slower";

    const { interpretation } = await find(query);

    const said = interpretation.said?.map(({ kind, value, spans }) => [
      kind,
      value,
      spans.map(({ start, end }) => query.slice(start, end)).join(),
    ]);
    expect(said).toEqual([
      ["reference", "Night Ferry", "Night Ferry"],
      ["tempo", "a bit slower", "a bit slower"],
    ]);
  });
});

describe("what a search costs", () => {
  /** Returns how many times a search reads the credits of artists. */
  async function creditsRead(query: string): Promise<number> {
    using asked = spyOn(app.deps.db.$client, "query");
    await find(query);
    return asked.mock.calls.filter(([sql]) => sql.includes("t.seq, t.artist FROM")).length;
  }

  test("an artist is looked up once, however often the reader asks", async () => {
    const query = "more like Lumen Vale, the Lumen Vale sound, but slower";
    await app.as(key)("PATCH", `/tracks/details?id=${ids.get("Other 1")}`, {
      notes: "the library changes",
      lyrics: "so",
    });

    // "Lumen" may be an artist too.
    expect(await creditsRead(query)).toBe(2);
    expect(await creditsRead(query)).toBe(0);
  });

  test("what was known of an artist is forgotten when a track gets another one", async () => {
    const rename = (artist: string) =>
      app.as(key)("PATCH", `/tracks/details?id=${ids.get("paniq")}`, { artist });
    await rename("Ana Luz feat. Kolo Kin");
    const before = await find("more like Kolo Kin");
    await rename("Ana Luz");
    const after = await find("more like Kolo Kin");

    expect(before.interpretation.seeds).toMatchObject([{ name: "Kolo Kin" }]);
    expect(after.interpretation.seeds).toBeUndefined();
  });

  test("words that are in no name are not looked up as artists", async () => {
    expect(
      await creditsRead("more like warm folk guitars for a summer drive, hopeful but never cheesy"),
    ).toBe(0);
  });
});
