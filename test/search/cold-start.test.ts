import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { findTag, type TaxonomyCategory } from "../../db/taxonomy.ts";
import { DESCRIPTOR_DIMENSIONS } from "../../src/audio/analyzer.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { HEARD_NAMES, HEARD_TAGS, indexOfHeard, NETWORKS_VERSION } from "../../src/ears/tags.ts";
import { writeTags } from "../../src/modules/library/tags/service.ts";
import {
  DIRECTIONS_VERSION,
  directionOfTag,
} from "../../src/modules/search/search/heard/direction-of-tag.ts";
import { DIRECTIONS } from "../../src/modules/search/search/heard/directions.ts";
import { HEARD_AS } from "../../src/modules/search/search/heard/heard-tags.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

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

type Hit = { title: string; score: number; reason: string[] };
async function search(query: string): Promise<{ hits: Hit[]; weights: Record<string, number> }> {
  const { body } = await app.as(key)("POST", "/tracks/search", { query });
  return { hits: body.data.results, weights: body.data.interpretation.appliedTuning.weights };
}

const random = randomFrom("a library without tags");
/** A track without a name or a tag, which sounds as much like a tag as `amount` says. */
function sounding(title: string, [category, name]: readonly [string, string], amount: number): LibraryTrack {
  const direction = directionOfTag(category, name) ?? new Float64Array(DESCRIPTOR_DIMENSIONS);
  const length = Math.hypot(...direction) || 1;
  const vector = Array.from(direction, (value) => (amount * value) / length + (random() - 0.5) * 0.2);
  return { title, vector, vectorVersion: DIRECTIONS_VERSION };
}
const anything = (count: number) =>
  Array.from({ length: count }, (_, i) => sounding(`audio ${i}`, ["genres", "none"], 0));

describe("in a library without tags and names", () => {
  test.each([
    ["strings", ["instruments", "Strings"]],
    ["a brass section, please", ["instruments", "Brass"]],
    ["rock", ["genres", "Rock"]],
    ["something with a distorted guitar", ["instruments", "Distorted Guitar"]],
    ["Musik mit Streichern", ["instruments", "Strings"]],
    ["de la musique électronique", ["genres", "Electronic"]],
  ] as const)("%p finds what sounds like it", async (query, tag) => {
    addTracks(app, accountId, [...anything(20), sounding("a", tag, 1), sounding("b", tag, 0.9)]);
    addTracks(app, accountId, anything(20));

    const { hits } = await search(query);

    expect(
      hits
        .slice(0, 2)
        .map(({ title }) => title)
        .sort(),
    ).toEqual(["a", "b"]);
    expect(hits[0]?.reason).toEqual([`by its sound: ${tag[1]}`]);
  });

  test("a tag that nothing was trained for is found by its nearest relative", async () => {
    addTracks(app, accountId, [...anything(30), sounding("a", ["genres", "Rock"], 1)]);

    expect(directionOfTag("genres", "Garage Rock")).toBeUndefined();
    expect((await search("garage rock")).hits[0]?.title).toBe("a");
  });

  test("vectors of another version are not listened to", async () => {
    const track = sounding("a", ["genres", "Rock"], 1);
    addTracks(
      app,
      accountId,
      [...anything(10), track].map((each) => ({ ...each, vectorVersion: "old" })),
    );

    expect((await search("rock")).weights).toEqual({ tags: 1 });
  });
});

describe("a voice that is likely, but not sure", () => {
  test.each([
    ["female vocals", ["e", "d"]],
    ["something sung", ["e", "d"]],
    ["instrumental", ["a", "b"]],
    ["bez wokalu, no singing", ["a", "b"]],
  ])("%p puts tracks in order", async (query, order) => {
    const likelihoods = { a: 0.05, b: 0.2, c: 0.5, d: 0.8, e: 0.95 };
    addTracks(
      app,
      accountId,
      Object.entries(likelihoods).map(([title, voiceLikelihood]) => ({ title, voiceLikelihood })),
    );

    const { hits } = await search(query);

    expect(hits.map(({ title }) => title)).toEqual(order);
  });
});

describe("what the ears heard", () => {
  /** Log-odds of a track in which nothing but these tags is heard. */
  const hearing = (...tags: string[]) => HEARD_TAGS.map((tag) => (tags.includes(tag) ? 3 : -5));
  const silent = () => sounding("", ["genres", "none"], 0);

  test.each([
    ["flute", "flute"],
    ["a cello, please", "cello"],
    ["funk", "funk"],
    ["music from the 80s", "80s"],
    ["etwas mit Cembalo", "harpsichord"],
  ])("%p finds the track with %p, untagged and unnamed, whichever version heard it", async (query, heard) => {
    const others = ["drums", "guitar", "House", "jazz", "choir", "ambient"];
    addTracks(
      app,
      accountId,
      [...others, heard, ...others].map((tag, i) => ({
        ...silent(),
        title: `audio ${i}`,
        // This version hears more behind the same numbers.
        heard: i % 2 === 0 ? [...hearing(tag), ...HEARD_NAMES.map(() => 9)] : hearing(tag),
      })),
    );
    app.deps.db.$client.run(
      "UPDATE track_vectors SET version = ? WHERE provider = 'ears' AND dimensions = ?",
      [NETWORKS_VERSION, HEARD_TAGS.length],
    );

    expect((await search(query)).hits[0]?.title).toBe(`audio ${others.length}`);
  });

  test("decides whether there is a voice, where syllables alone would be wrong", async () => {
    const flute = { title: "flute", voiceLikelihood: 0.96, durationSec: 120 };
    const soft = { title: "sung softly", voiceLikelihood: 0.3, durationSec: 120 };
    addTracks(app, accountId, [
      { ...silent(), ...flute, heard: hearing("flute", "no vocals", "instrumental") },
      { ...silent(), ...soft, heard: hearing("singing", "female voice", "female vocalists") },
    ]);

    expect((await search("no vocals")).hits.map(({ title }) => title)).toEqual(["flute"]);
    expect((await search("with vocals")).hits.map(({ title }) => title)).toEqual(["sung softly"]);
  });

  test("is left out where another version of the ears listened", async () => {
    const [id = ""] = addTracks(app, accountId, [
      { ...silent(), title: "flute", voiceLikelihood: 0.96, heard: hearing("no vocals", "instrumental") },
    ]);
    app.deps.db.$client.run(
      "UPDATE track_vectors SET version = 'old' WHERE provider = 'ears' AND track_id = ?",
      [id],
    );

    expect((await search("no vocals")).hits).toEqual([]);
  });

  test.each(HEARD_AS)("%s %s is a tag of the taxonomy, heard as %s", (category, name, heardAs) => {
    expect(findTag(category, name)?.name).toBe(name);
    expect(heardAs.split(", ").map(indexOfHeard)).not.toContain(-1);
  });
});

describe("how lively music is", () => {
  test.each(["rock", "metal with strings", "ambient", "des cuivres"])(
    "%p does not ask for it",
    async (query) => {
      addTracks(app, accountId, [{ title: "a", energy: 0.9 }]);

      expect((await search(query)).weights).not.toHaveProperty("energy");
    },
  );

  test.each(["energetic rock", "calm piano", "quiet ambient", "high energy techno"])(
    "%p asks for it",
    async (query) => {
      addTracks(app, accountId, [{ title: "a", energy: 0.9 }]);

      expect((await search(query)).weights).toHaveProperty("energy");
    },
  );
});

describe("a genre that a file names", () => {
  const named = (title: string, genre: string, track: LibraryTrack = {}) => {
    const [id = ""] = addTracks(app, accountId, [{ ...track, title }]);
    writeTags(app.deps.db, accountId, id, "genres", [genre], "file");
  };

  test.each([
    ["rock", "Thrash Metal", "Rock"],
    ["orchestral", "Romantic Classical", "Orchestral"],
    ["ambient", "Detroit Techno", undefined],
  ])("%p and the file's %p", async (query, genre, relative) => {
    addTracks(app, accountId, [{ title: "other" }]);
    named("named", genre);

    const hit = (await search(query)).hits.find(({ title }) => title === "named");

    expect(hit?.reason ?? []).toEqual(relative ? [`genre ${genre}, related to ${relative}`] : []);
  });

  test("does not keep the track from being heard", async () => {
    addTracks(app, accountId, anything(30));
    named("game", "Video Game Music", sounding("", ["genres", "Rock"], 1));

    expect((await search("rock")).hits[0]?.title).toBe("game");
  });
});

describe("the ears", () => {
  test.each(DIRECTIONS)("%s %s is a tag with a direction of the right length", (category, name) => {
    // The test is what checks the category.
    expect(findTag(category as TaxonomyCategory, name)?.name).toBe(name);
    expect(directionOfTag(category, name)?.length).toBe(DESCRIPTOR_DIMENSIONS);
  });
});
