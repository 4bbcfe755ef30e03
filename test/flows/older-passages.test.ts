import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/time.ts";
import { startWorkers } from "../../src/workers.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { chordProgression, drumLoop, noise, wavBytes } from "../support/signals.ts";

const RATE_HZ = 8000;
/** Before passages. */
const OLDER = [
  "DELETE FROM passage_vectors",
  "DELETE FROM track_passages",
  "UPDATE analyses SET structure = NULL",
];

let app: TestApp;
let api: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
  api = app.as(app.createKey(app.createAccount().accountId));
});
afterAll(() => app.close());

/** Does what a server does at its start, and all work that there is. */
async function start() {
  const workers = startWorkers(app.deps, { loops: false });
  await workers.drain();
  await workers.stop();
}

async function upload(songs: Readonly<Record<string, Float32Array>>): Promise<string[]> {
  const form = new FormData();
  for (const [name, sound] of Object.entries(songs))
    form.append("files", new Blob([wavBytes([sound], RATE_HZ, 16)]), `${name}.wav`);
  const { body } = await api("POST", "/tracks/upload", form);
  return body.data.uploaded.map(({ id }: Json) => id);
}

const chords = (seconds: number, tonic: number) =>
  chordProgression(RATE_HZ, seconds, { tonic, minor: false });

test("tracks that were analysed before there were passages have them after the next start", async () => {
  const [first, other] = await upload({
    Chords: chords(6, 2),
    Drums: drumLoop(RATE_HZ, 6, 100),
    Sting: noise(RATE_HZ, 2),
    Silence: new Float32Array(RATE_HZ),
  });
  await start();
  const { $client } = app.deps.db;
  const stored = () =>
    [
      "SELECT * FROM track_passages ORDER BY 1",
      "SELECT id, vec_to_json(embedding) FROM passage_vectors ORDER BY 1",
    ].map((sql) => $client.query(sql).all());
  const measured = stored();
  const partOf = () => api("GET", `/tracks/similar?id=${first}&fromSec=0&toSec=5`);
  for (const sql of OLDER) $client.run(sql);
  app.clock.advance(DAY_MS);
  expect((await partOf()).body.data.results[0].passage).toBeUndefined();

  await start();

  expect(stored()).toEqual(measured);
  const { results } = (await partOf()).body.data;
  expect(results.find(({ id }: Json) => id === other).passage).toMatchObject({ fromSec: 0, toSec: 6 });
  // Nothing is measured again at the start after that.
  const checks = () => $client.query("SELECT count(*) AS n FROM jobs WHERE name = 'measure_readiness'").get();
  const before = checks();
  startWorkers(app.deps, { loops: false }).stop();
  expect(checks()).toEqual(before);
});
