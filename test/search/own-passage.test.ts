import { afterAll, beforeAll, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { PASSAGE_DIMENSIONS } from "../../src/audio/descriptors/passages.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { fillSome, requestSounds } from "../../src/modules/library/sounds/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

const random = randomFrom("own passages");
const passage = () => Array.from({ length: PASSAGE_DIMENSIONS }, () => Math.round(random() * 200 - 100));
const [verse, chorus] = [passage(), passage()];
const vector = () => Array.from({ length: DESCRIPTOR_DIMENSIONS }, () => random() - 0.5);
const near = (other: readonly number[]) => other.map((value) => Math.round(value + random() * 10 - 5));

let app: TestApp;
let key: string;
let ids: string[];
beforeAll(async () => {
  app = await createTestApp();
  const ownerId = app.createAccount().accountId;
  key = app.createKey(ownerId);
  const sound = { vectorVersion: DESCRIPTOR_VERSION, durationSec: 38, bpm: 100 };
  const seed = vector();
  // Most of it sounds like its last part.
  const cousin = vector().map((value, i) => (chorus[i] ?? 127 * (seed[i] ?? 0)) / 127 + value / 4);
  ids = addTracks(app, ownerId, [
    { title: "Seed", ...sound, vector: seed, passages: [verse, verse, chorus, chorus] },
    {
      title: "Cousin",
      ...sound,
      bpm: 80,
      vector: cousin,
      passages: [passage(), passage(), passage(), near(chorus)],
    },
    ...Array.from({ length: 8 }, (_, i) => ({
      title: `Other ${i}`,
      ...sound,
      vector: vector(),
      passages: [passage(), passage(), passage(), passage()],
    })),
    { title: "Older", ...sound, vector: vector() },
  ]);
  transact(app.deps.db, (tx) => requestSounds(tx, ownerId, 0));
  while (fillSome(app.deps.db));
});
afterAll(() => app.close());

const similar = (span: string, id = ids[0]) => app.as(key)("GET", `/tracks/similar?id=${id}&limit=50${span}`);
const search = (passageOf: object, query = "like this") =>
  app.as(key)("POST", "/tracks/search", { query, limit: 50, passage: passageOf });
const hit = (body: Json, title: string) => body.data.results.find((each: Json) => each.title === title);

test("a part of a track finds the tracks with a part like it, and says where it is", async () => {
  const { body } = await similar("&fromSec=22&toSec=32");

  expect(body.data.results[0].title).toBe("Cousin");
  expect(hit(body, "Cousin").passage).toMatchObject({ fromSec: 30, toSec: 38 });
  expect(hit(body, "Cousin").passage.likeness).toBeGreaterThan(0.95);
  expect(hit(body, "Cousin").reason).toContain("0:30-0:38 sounds most like it");
  expect(hit(body, "Seed")).toBeUndefined();
  expect(hit(body, "Older")?.passage).toBeUndefined();
});

test("the whole track has no part to say", async () => {
  const { body } = await similar("");

  expect(body.data.results.some((each: Json) => each.passage)).toBe(false);
});

test("words beside a part compare with its track, which is not among the results", async () => {
  const { body } = await search({ trackId: ids[0], fromSec: 20, toSec: 40 }, "slower");

  expect(hit(body, "Seed")).toBeUndefined();
  expect(body.data.results[0].title).toBe("Cousin");
  expect(hit(body, "Cousin").reason).toContain("20 BPM slower than Seed");
  expect(hit(body, "Cousin").reason).toContain("sounds like that part");
  expect(body.data.interpretation.appliedTuning.passage).toEqual({
    trackId: ids[0],
    fromSec: 20,
    toSec: 40,
    passages: "all",
  });
});

test("a track without passages is compared as a whole, and the answer says so", async () => {
  const { body } = await search({ trackId: ids.at(-1), fromSec: 0, toSec: 10 });

  expect(body.data.interpretation.appliedTuning.passage.passages).toBe("none");
  expect(body.data.count).toBeGreaterThan(0);
});

test("a part needs two ends, three seconds and a track of the library", async () => {
  const stranger = app.createKey(app.createAccount().accountId);
  const own = { trackId: ids[0], fromSec: 5, toSec: 9 };
  const answers = [
    await similar("&fromSec=5"),
    await similar("&fromSec=5&toSec=7"),
    await search({ ...own, toSec: 7 }),
    await search({ ...own, trackId: "trk_none" }),
    await app.as(stranger)("POST", "/tracks/search", { query: "like this", passage: own }),
  ];

  expect(answers.map(({ body }) => body.messageCode)).toEqual([
    "validation_failed",
    "validation_failed",
    "validation_failed",
    "track_not_found",
    "track_not_found",
  ]);
});
