import { afterEach, expect, test } from "bun:test";
import forgetLearnedModels from "../../db/migrations/0015-learned-models.sql" with { type: "text" };
import { jobs, trackVectors } from "../../db/schema.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
afterEach(() => app.close());

const vector = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);

test("a library with data of the removed learned model works like any other, and loses that data", async () => {
  app = await createTestApp();
  const { accountId } = app.createAccount();
  const api = app.as(app.createKey(accountId));
  const { db } = app.deps;
  const tracks = ["techno", "house", "folk"].map((name) =>
    addTrackRows(db, accountId, { name, measured: {} }),
  );
  const vectors = tracks.flatMap(({ id: trackId }, i) => [
    { trackId, provider: "descriptors", version: "1", dimensions: 2, embedding: vector(i, 3 - i) },
    { trackId, provider: "clap", version: "tiny-1", dimensions: 2, embedding: vector(1 - i, i) },
    { trackId, provider: "model-tags", version: "prompts-1", dimensions: 2, embedding: vector(0.6, 0.8) },
  ]);
  const [first] = tracks;
  const answers = async () => {
    const found = await api("POST", "/tracks/search", { query: "techno", seedTrackIds: [first?.id] });
    const { searchId: _, ...search } = found.body.data;
    const similar = await api("GET", `/tracks/similar?id=${first?.id}`);
    const suggested = await api("GET", `/tracks/suggested-tags?id=${first?.id}`);
    return { search, similar: similar.body.data, suggested: suggested.body.data };
  };
  const own = vectors.filter(({ provider }) => provider === "descriptors");
  db.insert(trackVectors).values(own).run();
  const before = await answers();
  expect(before.search.results).toHaveLength(2);

  db.insert(trackVectors)
    .values(vectors.filter((each) => !own.includes(each)))
    .run();
  for (const { id } of tracks)
    enqueue(db, { name: "embed", payload: { trackId: id }, uniqueKey: id }, app.deps.now());
  db.$client.run("UPDATE jobs SET state = 'dead' WHERE unique_key = ?", [first?.id ?? ""]);
  await app.drainJobs();
  expect(await answers()).toEqual(before);

  db.$client.run(forgetLearnedModels);
  expect(db.select().from(trackVectors).all()).toEqual(expect.arrayContaining(own));
  expect(db.select().from(trackVectors).all()).toHaveLength(own.length);
  expect(db.select().from(jobs).all()).toEqual([]);
  expect(await answers()).toEqual(before);
});
