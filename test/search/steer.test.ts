import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { join } from "../../src/modules/library/families/service.ts";
import type { SearchHit, WireInterpretation } from "../../src/modules/search/search/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

let app: TestApp;
let key: string;
let ids: Map<string, string>;
let planted: Map<string, LibraryTrack & { place: number }>;

const COUNT = 150;
const NEAREST = COUNT / 3;

/** A track whose measurements lie some way, -1 to 1, from those of the seed. */
function measured(way: (prime: number) => number): Omit<LibraryTrack, "title"> {
  return {
    bpm: Math.round(110 + 50 * way(7)),
    durationSec: Math.round(200 + 120 * way(11)),
    energy: 0.5 + 0.4 * way(13),
    loudness: -14 + 8 * way(17),
    minorLead: 0.4 * way(19),
    features: {
      centroidHz: 400 * 2 ** (2 * way(23)),
      // What is bright by power is not always so by amplitude.
      amplitudeCentroidHz: 1500 * 2 ** (way(23) + way(29)),
      lowMidShare: 0.2 * 2 ** (2 * way(31)),
      trebleShare: 0.02,
      onsetRatePerSec: 5 + 4 * way(37),
      rolloffHz: 1500,
      dynamicRangeDb: 6 + 5 * way(41),
    },
  };
}

beforeAll(async () => {
  app = await createTestApp();
  const { accountId } = app.createAccount();
  key = app.createKey(accountId);
  const spread = Array.from({ length: COUNT }, (_, place): LibraryTrack => {
    const angle = 0.2 + place / COUNT;
    return {
      title: `Other ${place}`,
      artist: `Artist ${place}`,
      ...measured((prime) => ((place * prime) % COUNT) / ((COUNT - 1) / 2) - 1),
      vector: [Math.cos(angle), Math.sin(angle), 0],
    };
  });
  const tracks: LibraryTrack[] = [
    { title: "Night Drive", artist: "Mara Quell", ...measured(() => 0), vector: [1, 0, 0] },
    { title: "Other Mix", artist: "Nobody", ...measured(() => 0), vector: [1, 0, 0.01] },
    { title: "Darkest", artist: "Tarn", ...measured(() => -2), vector: [0.7, 0.7, 0] },
    { title: "Unheard", artist: "Odo", bpm: 110, durationSec: 200, loudness: -14, vector: [1, 0.1, 0] },
    ...spread,
  ];
  const added = addTracks(app, accountId, tracks);
  ids = new Map(tracks.map(({ title = "" }, index) => [title, added[index] ?? ""]));
  planted = new Map(spread.map((track, place) => [track.title ?? "", { ...track, place }]));
  const { db } = app.deps;
  transact(db, (tx) =>
    join(tx, {
      ownerId: accountId as LibraryId,
      trackId: ids.get("Other Mix") ?? "",
      withId: ids.get("Night Drive") ?? "",
      kind: "instrumental",
      joinedBy: "owner",
      at: app.clock.now(),
    }),
  );
});
afterAll(() => app.close());

type Answer = {
  hits: SearchHit[];
  found: (LibraryTrack & { place: number })[];
  interpretation: WireInterpretation;
};

async function search(query: string, more: object = {}): Promise<Answer> {
  const { status, body } = await app.as(key)("POST", "/tracks/search", { query, limit: 10, ...more });
  expect(status).toBe(200);
  const { results: hits, interpretation } = body.data as {
    results: SearchHit[];
    interpretation: WireInterpretation;
  };
  return { hits, found: hits.flatMap(({ title }) => planted.get(title) ?? []), interpretation };
}

const feature = (name: string) => (track: LibraryTrack) => track.features?.[name] ?? Number.NaN;
const warmth = (track: LibraryTrack) => feature("lowMidShare")(track) / feature("trebleShare")(track);

const SLOWER = ({ bpm = 0 }: LibraryTrack) => bpm < 110;
const FASTER = ({ bpm = 0 }: LibraryTrack) => bpm > 110;
const DARKER = (track: LibraryTrack) =>
  feature("centroidHz")(track) < 400 && feature("amplitudeCentroidHz")(track) < 1500;
const BRIGHTER = (track: LibraryTrack) =>
  feature("centroidHz")(track) > 400 && feature("amplitudeCentroidHz")(track) > 1500;
const CALMER = ({ energy = 0 }: LibraryTrack) => energy < 0.5;
const LIVELIER = ({ energy = 0 }: LibraryTrack) => energy > 0.5;
const QUIETER = ({ loudness = 0 }: LibraryTrack) => loudness < -14;
const LOUDER = ({ loudness = 0 }: LibraryTrack) => loudness > -14;
const COLDER = (track: LibraryTrack) => warmth(track) < 10;
const WARMER = (track: LibraryTrack) => warmth(track) > 10;
const SPARSER = (track: LibraryTrack) => feature("onsetRatePerSec")(track) < 5;
const FULLER = (track: LibraryTrack) => feature("onsetRatePerSec")(track) > 5;
const SHORTER = ({ durationSec = 0 }: LibraryTrack) => durationSec < 200;
const LONGER = ({ durationSec = 0 }: LibraryTrack) => durationSec > 200;

describe("like a track, but otherwise: ten of ten are so by measurement, and among the nearest third", () => {
  test.each<[string, (track: LibraryTrack) => boolean]>([
    ["slower", SLOWER],
    ["faster", FASTER],
    ["darker", DARKER],
    ["brighter", BRIGHTER],
    ["calmer", CALMER],
    ["more energetic", LIVELIER],
    ["quieter", QUIETER],
    ["louder", LOUDER],
    ["colder", COLDER],
    ["warmer", WARMER],
    ["sparser", SPARSER],
    ["fuller", FULLER],
    ["shorter", SHORTER],
    ["longer", LONGER],
  ])("%s", async (word, follows) => {
    const { found, interpretation } = await search(`like this but ${word}`, {
      seedTrackIds: [ids.get("Night Drive")],
    });

    expect(found.length).toBe(10);
    expect(found.filter(follows)).toEqual(found);
    expect(found.filter(({ place }) => place >= NEAREST)).toEqual([]);
    expect(interpretation.moves?.length).toBe(1);
  });

  test.each<[string, ...((track: LibraryTrack) => boolean)[]]>([
    ["like Night Drive but darker and slower", DARKER, SLOWER],
    ["like Night Drive, warmer, fuller, faster", WARMER, FULLER, FASTER],
    ["wie Night Drive, nur wärmer", WARMER],
    ["so was wie Night Drive, aber voller", FULLER],
    ["wie Night Drive, aber weniger warm", COLDER],
    ["comme Night Drive mais plus chaud", WARMER],
    ["comme Night Drive mais moins dense", SPARSER],
    ["como Night Drive pero más cálido", WARMER],
    ["como Night Drive pero más denso", FULLER],
    ["simile a Night Drive ma più calda", WARMER],
    ["simile a Night Drive ma più scarno", SPARSER],
    ["parecido com Night Drive mas mais quente", WARMER],
    ["parecido com Night Drive mas mais cheia", FULLER],
    ["zoals Night Drive maar kouder", COLDER],
    ["zoals Night Drive maar voller", FULLER],
    ["podobne do Night Drive, ale cieplejsze", WARMER],
    ["podobne do Night Drive, ale pełniejsze", FULLER],
    ["похоже на Night Drive, но теплее", WARMER],
    ["похоже на Night Drive, но плотнее", FULLER],
    ["Night Driveのような、もっと暖かい曲", WARMER],
    ["Night Driveのような、もっとシンプルな曲", SPARSER],
  ])("%s", async (query, ...follow) => {
    const { found } = await search(query);

    const first = found.slice(0, follow.length === 1 ? 10 : 3);
    expect(first.length).toBeGreaterThan(2);
    for (const follows of follow) expect(first.filter(follows)).toEqual(first);
  });
});

describe("how far, and how far not", () => {
  test("“a lot slower” asks for more than “a bit slower”", async () => {
    const [much, slight] = await Promise.all(
      ["much slower", "a bit slower"].map(
        async (word) => (await search(`like Night Drive but ${word}`)).found,
      ),
    );
    const mean = (tracks: readonly LibraryTrack[] = []) =>
      tracks.reduce((sum, { bpm = 0 }) => sum + bpm, 0) / tracks.length;

    expect(much?.every(({ bpm = 0 }) => bpm < 101)).toBe(true);
    expect(slight?.every(({ bpm = 0 }) => bpm < 107 && bpm > 84)).toBe(true);
    expect(mean(much)).toBeLessThan(mean(slight));
  });

  test.each<[string, (track: LibraryTrack) => boolean, string]>([
    ["like Night Drive, but no slower", ({ bpm = 0 }) => bpm > 106, "no slower"],
    ["like Night Drive, not faster", ({ bpm = 0 }) => bpm < 114, "no faster"],
    ["like Night Drive, but not too fast", ({ bpm = 0 }) => bpm < 114, "no faster"],
    ["like Night Drive without getting calmer", ({ energy = 0 }) => energy > 0.47, "no calmer"],
    ["wie Night Drive, aber nicht langsamer", ({ bpm = 0 }) => bpm > 106, "no slower"],
    ["comme Night Drive mais pas plus lent", ({ bpm = 0 }) => bpm > 106, "no slower"],
    ["como Night Drive pero no más lento", ({ bpm = 0 }) => bpm > 106, "no slower"],
    ["zoals Night Drive maar niet sneller", ({ bpm = 0 }) => bpm < 114, "no faster"],
    ["podobne do Night Drive, ale nie szybsze", ({ bpm = 0 }) => bpm < 114, "no faster"],
    ["похоже на Night Drive, но не быстрее", ({ bpm = 0 }) => bpm < 114, "no faster"],
  ])("%s", async (query, keeps, said) => {
    const { hits, found, interpretation } = await search(query, { limit: 40 });

    expect(hits.length).toBe(40);
    expect(found.filter(keeps)).toEqual(found);
    expect(interpretation.summary).toContain(said);
    expect(interpretation.moves).toMatchObject([{ ruledOut: true }]);
  });

  test("one “not” rules out both of two words, and “but not too” asks for a little", async () => {
    const both = await search("like Night Drive, not slower or quieter");
    const little = await search("like Night Drive, faster but not too fast");

    expect(both.interpretation.moves).toMatchObject([
      { dimension: "tempo", ruledOut: true },
      { dimension: "loudness", ruledOut: true },
    ]);
    expect(little.interpretation.moves).toMatchObject([
      { dimension: "tempo", way: "more", amount: "slight" },
    ]);
    expect(little.found.every(FASTER)).toBe(true);
  });

  test("a limit in numbers stays a limit", async () => {
    const { interpretation } = await search("like Night Drive, no slower than 100 bpm");

    expect(interpretation.moves).toBeUndefined();
    expect(interpretation.bpmRange?.[0]).toBe(100);
  });
});

describe("what cannot be had is said", () => {
  test("too few that follow come first, and the others behind them", async () => {
    const { hits, interpretation } = await search("like Other 0 but darker", { limit: 10 });

    // "Other 0" is the darkest but one.
    expect(hits[0]?.title).toBe("Darkest");
    expect(hits[0]?.reason.join()).toContain("octaves darker than Other 0");
    expect(hits[1]?.reason.join()).not.toContain("darker than");
    expect(hits.length).toBe(10);
    expect(interpretation.summary).toContain(
      "Only one track is darker than Other 0; the others come behind.",
    );
  });

  test("none that follow", async () => {
    const { hits, interpretation } = await search("like Darkest but darker");

    expect(hits.length).toBe(10);
    expect(interpretation.summary).toContain("No track is darker than Darkest: these come nearest.");
  });

  test("a track without the measurement", async () => {
    const { hits, found, interpretation } = await search("like Unheard but warmer and slower");

    expect(hits.length).toBe(10);
    expect(found.every(SLOWER)).toBe(true);
    expect(interpretation.summary).toContain("“warmer” is left out, for Unheard has no such measurement.");
    expect(interpretation.moves?.find(({ dimension }) => dimension === "warmth")?.from).toBeNull();
  });
});

describe("a seed is no answer to itself", () => {
  test("by name or by id", async () => {
    for (const [query, seedTrackIds] of [
      ["like Night Drive", undefined],
      ["darker", [ids.get("Night Drive")]],
      ["like this", [ids.get("Night Drive")]],
    ] as const) {
      const { hits } = await search(query, { limit: 50, ...(seedTrackIds && { seedTrackIds }) });

      expect(hits.map(({ title }) => title)).not.toContain("Night Drive");
    }
  });

  test("nor is what is one result with it, where results are one per set", async () => {
    const one = await search("like Night Drive", { limit: 20, onePerFamily: true });
    const every = await search("like Night Drive", { limit: 20 });

    expect(one.hits.map(({ title }) => title)).not.toContain("Other Mix");
    expect(every.hits.map(({ title }) => title)).toContain("Other Mix");
  });
});
