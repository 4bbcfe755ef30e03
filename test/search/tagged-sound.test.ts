import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findTag } from "../../db/taxonomy.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { createMirror, prepare, shardOf } from "../../src/modules/search/search/index/mirror.ts";
import { bestOf } from "../../src/modules/search/search/ranking/rescore.ts";
import { createSoundChannel } from "../../src/modules/search/search/signals/sound.ts";
import { taggedSound } from "../../src/modules/search/search/signals/tagged-sound.ts";
import { addWeight, createTally } from "../../src/modules/search/search/signals/tally.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

const DIMENSIONS = 96;
const TRACKS = 3000;

let app: TestApp;
let ownerId: string;
beforeAll(async () => {
  app = await createTestApp();
  ownerId = app.createAccount().accountId;
  const random = randomFrom("exact test");
  app.deps.db.$client
    .transaction(() =>
      addTracks(
        app,
        ownerId,
        Array.from({ length: TRACKS }, (_, index) => ({
          vector: Array.from({ length: DIMENSIONS }, (_, i) => random() - 0.5 + (index % 7 === i ? 1 : 0)),
          tags: index % 7 === 3 && index % 2 === 0 ? { genres: ["Techno"] } : {},
        })),
      ),
    )
    .immediate();
});
afterAll(() => app.close());

async function library() {
  const mirror = createMirror(app.deps.db);
  await prepare(mirror, ownerId);
  return shardOf(mirror, ownerId);
}

const vectors = () =>
  app.deps.db.$client
    .query<{ seq: number; embedding: Uint8Array; isTechno: number }, []>(
      `SELECT t.seq, v.embedding, EXISTS (SELECT 1 FROM track_tags g WHERE g.track_id = t.id) AS isTechno
       FROM tracks t JOIN track_vectors v ON v.track_id = t.id ORDER BY t.seq`,
    )
    .all()
    .map(({ seq, embedding, isTechno }) => {
      const raw = [...new Float32Array(embedding.slice().buffer)];
      const length = Math.hypot(...raw);
      return { seq, isTechno: isTechno === 1, unit: raw.map((value) => value / length) };
    });

describe("the nearest tracks by quantised vectors and exact measuring", () => {
  test.each([1, 10, 50])("are the %d of the vector extension's full scan", async (count) => {
    const shard = await library();
    const marks = new Uint8Array(shard.length).fill(1);
    const slots = Uint32Array.from({ length: shard.length }, (_, slot) => slot);
    const random = randomFrom("queries");
    for (let query = 0; query < 25; query++) {
      const raw = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.3);
      const unit = raw.map((value) => value / Math.hypot(...raw));
      const tally = createTally(shard, { slots, marks });
      addWeight(tally, "seeds", 1);
      const channel = { channel: "seeds", weight: 1, range: [-1, 1], extraWeights: undefined } as const;
      const sounds = [
        createSoundChannel(shard, { ...channel, reason: "", targets: [{ version: "1", unit }] }),
      ];

      const best = bestOf({ db: app.deps.db, tally, sounds, count, names: new Map() });

      const exact = app.deps.db.$client
        .query<{ seq: number }, [Uint8Array, number]>(
          `SELECT t.seq FROM track_vectors v JOIN tracks t ON t.id = v.track_id
           ORDER BY vec_distance_cosine(v.embedding, ?) LIMIT ?`,
        )
        .all(new Uint8Array(unit.buffer), count);
      expect(best.map(({ slot }) => shard.columns.seq[slot] as number)).toEqual(exact.map(({ seq }) => seq));
    }
  });
});

describe("the sound of a tag", () => {
  const entry = findTag("genres", "Techno");
  const wishes = entry
    ? [{ wish: { tags: [{ category: "genres", entry }], weight: 0.8, source: "prose" }, weight: 1 } as const]
    : [];
  const mean = (units: readonly (readonly number[])[]) =>
    Array.from(
      { length: DIMENSIONS },
      (_, i) => units.reduce((sum, unit) => sum + (unit[i] ?? 0), 0) / units.length,
    );
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

  test("is the difference of its tracks from the library", async () => {
    const sound = taggedSound(await library(), wishes);

    const all = vectors();
    const carriers = mean(all.filter(({ isTechno }) => isTechno).map(({ unit }) => unit));
    const everything = mean(all.map(({ unit }) => unit));
    const direction = carriers.map((value, i) => value - (everything[i] ?? 0));
    const unit = [...(sound?.target.unit ?? [])];
    // The library's mean is estimated from about four hundred of its tracks.
    expect(dot(unit, direction) / Math.hypot(...direction)).toBeGreaterThan(0.97);
    expect(sound?.range[1]).toBeCloseTo(dot(unit, carriers), 2);
    expect(sound?.range[0]).toBeCloseTo(dot(unit, everything), 1);
  });

  test("is unknown when no track has the tag", async () => {
    const jazz = findTag("genres", "Jazz");
    const unknown = jazz
      ? [
          {
            wish: { tags: [{ category: "genres", entry: jazz }], weight: 0.8, source: "prose" },
            weight: 1,
          } as const,
        ]
      : [];

    expect(unknown.length).toBe(1);
    expect(taggedSound(await library(), unknown)).toBeUndefined();
  });
});
