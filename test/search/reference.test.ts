import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { addFile } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { chordProgression, drumLoop, noise, wavBytes } from "../support/signals.ts";

const RATE_HZ = 22_050;
const SECONDS = 11;
/** A word that must be nowhere afterwards. */
const CANARY = "zebrafinch";

const drums = (bpm: number) => drumLoop(RATE_HZ, SECONDS, bpm);
const chords = (tonic: number, minor: boolean) => chordProgression(RATE_HZ, SECONDS, { tonic, minor });
const mixed = (a: Float32Array, b: Float32Array, gain = 1) =>
  a.map((value, i) => gain * (0.4 * value + 0.4 * (b[i] ?? 0)));
const wav = (sound: Float32Array) => wavBytes([Float32Array.from(sound)], RATE_HZ, 16);

let app: TestApp;
let key: string;
let ids: string[];
beforeAll(async () => {
  app = await createTestApp();
  const ownerId = app.createAccount().accountId;
  key = app.createKey(ownerId);
  ids = [
    await addFile(app.deps, ownerId, wav(mixed(drums(120), chords(9, true))), { title: "Night Drive" }),
    await addFile(app.deps, ownerId, wav(mixed(drums(90), chords(9, true))), { title: "Slow Drive" }),
    await addFile(app.deps, ownerId, wav(noise(RATE_HZ, SECONDS)), { title: "Rain" }),
  ];
  await app.drainJobs();
}, 60_000);
afterAll(() => app.close());

async function ask(fields: Record<string, string | Uint8Array>, path = "/api/v1/tracks/search/reference") {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new File([value as Uint8Array<ArrayBuffer>], `${CANARY}.wav`));
  const response = await app.request(path, { method: "POST", body: form, headers: { "x-api-key": key } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}
const titles = (body: Json) => body.data.results.map(({ title }: Json) => title);
const leftInTmp = () => {
  const tmp = join(app.deps.settings.dataDir, "tmp");
  return existsSync(tmp) ? readdirSync(tmp) : [];
};

test("a sound ranks the library, with what was measured of it", async () => {
  const { body, headers } = await ask({ file: wav(mixed(drums(120), chords(2, true), 0.5)) });

  expect(titles(body).at(0)).toBe("Night Drive");
  expect(body.data.query).toBe("");
  expect(body.data.interpretation.appliedTuning.reference).toMatchObject({
    source: "file",
    durationSec: SECONDS,
    fromSec: 0,
    toSec: SECONDS,
    sameRecordingAs: null,
    passages: "all",
  });
  expect(Math.abs(body.data.interpretation.appliedTuning.reference.bpm - 120)).toBeLessThan(2);
  expect(headers.get("x-service-credits-remaining")).not.toBeNull();
});

test("what sounds like it says so", async () => {
  const { body } = await ask({ file: wav(noise(RATE_HZ, SECONDS, 0.4, 2)) });

  expect(titles(body)[0]).toBe("Rain");
  expect(body.data.results[0].reason).toContain("sounds like the reference");
});

test("words beside it compare with it", async () => {
  const { body } = await ask({
    file: wav(mixed(drums(120), chords(2, true))),
    query: "like this but slower",
  });

  expect(titles(body)[0]).toBe("Slow Drive");
  expect(body.data.results[0].reason).toContain("30 BPM slower than the reference");
});

test("a part of it is compared with parts, and says which is most like it", async () => {
  const file = wav(mixed(drums(120), chords(9, true)));
  const { body } = await ask({ file, fromSec: "1", toSec: "10" });

  expect(body.data.interpretation.appliedTuning.reference).toMatchObject({ fromSec: 1, toSec: 10 });
  for (const { passage } of body.data.results) expect(passage).toMatchObject({ fromSec: 0, toSec: 10 });
});

test("the very recording is named, and is not among the results", async () => {
  const { body } = await ask({ file: wav(mixed(drums(120), chords(9, true), 0.7)) });

  expect(body.data.interpretation.appliedTuning.reference.sameRecordingAs).toBe(ids[0]);
  expect(titles(body)).not.toContain("Night Drive");
});

test("limits and lists are those of a search", async () => {
  const file = wav(mixed(drums(120), chords(2, true)));
  const limited = await ask({ file, limit: "1" });
  const without = await ask({ file, excludeTrackIds: JSON.stringify([ids[0]]) });
  const fast = await ask({ file, constraints: JSON.stringify({ bpmRange: [110, 130] }) });

  expect(limited.body.data.count).toBe(1);
  expect(titles(without.body)).not.toContain("Night Drive");
  expect(titles(fast.body)).toEqual(["Night Drive"]);
});

test("what cannot be compared says why", async () => {
  const file = wav(noise(RATE_HZ, 2));
  const answers = [
    await ask({ query: "dark" }),
    await ask({ file, url: "https://example.com/a.mp3" }),
    await ask({ file, fromSec: "1", toSec: "2" }),
    await ask({ file, fromSec: "0", toSec: "700" }),
    await ask({ file, limit: "many" }),
    await ask({ file, limit: "99" }),
    await ask({ file: new TextEncoder().encode("no sound at all, only words") }),
    await ask({ file: wav(new Float32Array(RATE_HZ * 4)) }),
    await ask({ url: "http://127.0.0.1:1/a.mp3" }),
    await ask({ url: CANARY }),
  ];

  expect(answers.map(({ status, body }) => [status, body.messageCode])).toEqual([
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "invalid_file_type"],
    [422, "analysis_failed"],
    [400, "url_not_allowed"],
    [400, "validation_failed"],
  ]);
});

test("two are compared for an account at a time", async () => {
  const file = wav(noise(RATE_HZ, 4));
  const answers = await Promise.all([ask({ file }), ask({ file }), ask({ file })]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
});

test("nothing of it is kept", async () => {
  await ask({ file: wav(noise(RATE_HZ, 4)) });

  expect(leftInTmp()).toEqual([]);
  expect(JSON.stringify(app.logged)).not.toContain(CANARY);
  expect(Buffer.from(app.deps.db.$client.serialize()).includes(CANARY)).toBe(false);
});
