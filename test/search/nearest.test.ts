import { afterAll, beforeAll, expect, test } from "bun:test";
import { nearestByScan, recallOf } from "../../scripts/bench/recall.ts";
import { addSearchLibrary } from "../../scripts/bench/search-library.ts";
import { near, randomUnit } from "../../scripts/search-rows.ts";
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { watchStatements } from "../support/statements.ts";

const TRACKS = 2000;
const CLOSE = 10;
/** How far the tracks that are close to a seed are from it; others of the library are at 1 and more. */
const SPREAD = 0.1;

const random = randomFrom("nearest");
let app: TestApp;
let ownerId: string;
let key: string;

beforeAll(async () => {
  app = await createTestApp();
  ownerId = app.createAccount().accountId;
  key = app.createKey(ownerId);
  addSearchLibrary(app.deps, ownerId, TRACKS);
});
afterAll(() => app.close());

async function search(body: object): Promise<{ id: string }[]> {
  return (await app.as(key)("POST", "/tracks/search", body)).body.data.results;
}

test("a search from a track finds the tracks planted beside it among 2,000, whether or not the ears have heard them", async () => {
  for (const isHeard of [true, false]) {
    const centre = randomUnit(DESCRIPTOR_DIMENSIONS, random);
    const heard = Array.from(HEARD_TAGS, () => -8 * random());
    const [seed = "", ...planted] = addTracks(
      app,
      ownerId,
      Array.from({ length: CLOSE + 1 }, (_, index) => ({
        title: `Beside ${index}`,
        artist: `Artist ${isHeard} ${index}`,
        vector: [...near(centre, SPREAD, random)],
        vectorVersion: DESCRIPTOR_VERSION,
        ...(isHeard && { heard: heard.map((value) => value - SPREAD * random()) }),
      })),
    );

    const results = await search({ query: "-", seedTrackIds: [seed], limit: CLOSE });

    expect(results.map(({ id }) => id).toSorted()).toEqual(planted.toSorted());
  }
});

test("a search from a track finds all ten that a full scan of the stored vectors finds nearest", async () => {
  expect(await recallOf(app.deps.db, { ownerId, seeds: 10, search })).toBe(1);
});

test("a search from a track puts the nearest in the order of the full scan", async () => {
  const [seed = ""] = addTracks(app, ownerId, [
    {
      title: "Alone",
      vector: [...randomUnit(DESCRIPTOR_DIMENSIONS, random)],
      vectorVersion: DESCRIPTOR_VERSION,
    },
  ]);

  const results = await search({ query: "-", seedTrackIds: [seed], limit: CLOSE, onePerFamily: true });

  expect(results.map(({ id }) => id)).toEqual(nearestByScan(app.deps.db, ownerId, seed));
});

test("a search that compares no sounds reads no vector for the reasons of its page", async () => {
  const anything = { query: "anything", constraints: { bpmRange: [60, 180] } };
  await search(anything);
  const seen = watchStatements();

  const results = await search(anything);

  expect(results.length).toBeGreaterThan(0);
  expect([...seen].some((sql) => sql.includes("FROM track_tags"))).toBe(true);
  expect([...seen].filter((sql) => sql.includes("sound_vectors"))).toEqual([]);
});
