import { afterAll, beforeAll, expect, test } from "bun:test";
import { HEARD_NUMBERS, HEARD_TAGS, NETWORKS_VERSION } from "../../src/ears/tags.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { selectBases } from "../../src/modules/library/analysis/learning/queries.ts";
import { startWorkers } from "../../src/workers.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { chordProgression, drumLoop, wavBytes } from "../support/signals.ts";

const RATE_HZ = 16_000;
const SECONDS = 30;
/** When drums join the chords. */
const FROM_SEC = 15;

let app: TestApp;
let api: ReturnType<TestApp["as"]>;
let accountId: ReturnType<TestApp["createAccount"]>["accountId"];
let id: string;

/** Does what a server does at its start, and all work that there is. */
async function start() {
  const workers = startWorkers(app.deps, { loops: false });
  await workers.drain();
  app.clock.advance(MINUTE_MS);
  await workers.drain();
  await workers.stop();
}

const profile = async (): Promise<Json> =>
  (await api("GET", `/tracks/single?id=${id}`)).body.data.track.audio_profile;

beforeAll(async () => {
  app = await createTestApp();
  ({ accountId } = app.createAccount());
  api = app.as(app.createKey(accountId));
  const chords = chordProgression(RATE_HZ, SECONDS, { tonic: 2, minor: false });
  const drums = drumLoop(RATE_HZ, SECONDS, 120);
  const samples = chords.map(
    (chord, i) => 0.3 * chord + (i < FROM_SEC * RATE_HZ ? 0 : 0.7 * (drums[i] ?? 0)),
  );
  const form = new FormData();
  form.append("files", new Blob([wavBytes([samples], RATE_HZ, 16)]), "a.wav");
  id = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await start();
  await api("PATCH", `/tracks/tags?id=${id}`, { instruments: ["Drums"] });
});
afterAll(() => app.close());

const drumsIn = ({ heard }: Json) => heard.find(({ name }: Json) => name === "Drums");

test("a track says where its drums are heard", async () => {
  const { category, places } = drumsIn(await profile());

  expect(category).toBe("instruments");
  expect(places).toHaveLength(1);
  expect(Math.abs(places[0].fromSec - FROM_SEC)).toBeLessThanOrEqual(3.1);
  expect(places[0].toSec).toBe(SECONDS);
});

test("a search for drums says from when on they are heard", async () => {
  const { body } = await api("POST", "/tracks/search", { query: "drums" });

  expect(body.data.results[0].reason.join()).toMatch(/instrument Drums from 0:1[2-8]/);
});

test("a track that was analysed before is listened to as a whole at the next start", async () => {
  app.deps.db.$client.run("DELETE FROM heard_places");
  expect((await profile()).heard).toBeUndefined();

  await start();

  expect(drumsIn(await profile()).places).toHaveLength(1);
});

test("what older ears heard of instruments is not taken for what these hear", async () => {
  const heardOf = () => selectBases(app.deps.db, accountId, [id]).get(id)?.heard?.length;
  expect(heardOf()).toBe(HEARD_NUMBERS);

  app.deps.db.$client.run("UPDATE track_vectors SET version = ? WHERE provider = 'ears'", [
    `${NETWORKS_VERSION}.2`,
  ]);

  expect(heardOf()).toBe(HEARD_TAGS.length);
});
