import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { type Mix, tune } from "../support/tune.ts";

const SECONDS = 16;
/** A song of its own for each seed, in a mix. */
const render = (seed: number, mix: Partial<Mix> = {}, rateHz = 22_050) =>
  tune(rateHz, SECONDS, seed, mix).map((x) => 0.4 * x);
const wav = (samples: Float32Array, rateHz = 22_050) =>
  wavBytes([samples], rateHz, 16) as Uint8Array<ArrayBuffer>;

let app: TestApp;
let web: ReturnType<TestApp["signedIn"]>;
let stranger: ReturnType<TestApp["signedIn"]>;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp();
  const [owner, other] = [app.createAccount(), app.createAccount()];
  web = app.signedIn(owner.token);
  stranger = app.signedIn(other.token);
  await upload(app.as(app.createKey(other.accountId)), { "theirs.wav": wav(render(1)) });
  await upload(app.as(app.createKey(owner.accountId)), {
    "Halo.wav": wav(render(1)),
    "without bass.wav": wav(render(1, { bass: 0 })),
    "hats up.wav": wav(render(1, { hat: 0.5 })),
    "trimmed, louder bass, 44100.wav": wav(render(1, { bass: 0.6 }, 44_100).slice(66_150), 44_100),
    "softer.wav": wav(render(1).map((x) => x / 2)),
    "Tide.wav": wav(render(5)),
    "Ember.wav": wav(render(9)),
  });
}, 120_000);
afterAll(() => app.close());

async function upload(call: ReturnType<TestApp["as"]>, files: Record<string, Uint8Array<ArrayBuffer>>) {
  // One by one, so that each has a time of its own.
  for (const [name, bytes] of Object.entries(files)) {
    const form = new FormData();
    form.append("files", new File([bytes], name));
    const { body } = await call("POST", "/tracks/upload", form);
    ids.set(name, body.data.uploaded[0].id);
    app.clock.advance(1000);
  }
  await app.drainJobs();
}

const idOf = (name: string) => ids.get(name) ?? "";
const mixesOf = async (name: string): Promise<Json[]> =>
  (await web("GET", `/app/tracks/${idOf(name)}/mixes`)).body.data;
const namesOf = (mixes: Json[]) => mixes.map(({ name }) => name).toSorted();

describe("tracks that are mixes of one song", () => {
  test("find each other by their sound, whatever they are called, and no other song does", async () => {
    const mixes = await mixesOf("Halo.wav");

    expect(namesOf(mixes)).toEqual([
      "hats up.wav",
      "softer.wav",
      "trimmed, louder bass, 44100.wav",
      "without bass.wav",
    ]);
    expect(mixes.filter(({ isSameMix }) => isSameMix).map(({ name }) => name)).toEqual(["softer.wav"]);
    for (const { similarity } of mixes) expect(similarity).toBeGreaterThan(0.28);
    expect(namesOf(await mixesOf("without bass.wav"))).toContain("Halo.wav");
    expect([await mixesOf("Tide.wav"), await mixesOf("Ember.wav")]).toEqual([[], []]);
  });

  test("stay tracks of their own, and are shown to nobody else", async () => {
    const listed = (await web("GET", "/app/tracks")).body.data;

    expect(listed.map(({ versions }: Json) => versions)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    const theirs = await stranger("GET", `/app/tracks/${idOf("theirs.wav")}/mixes`);
    expect([theirs.status, theirs.body.data]).toEqual([200, []]);
    expect((await stranger("GET", `/app/tracks/${idOf("Halo.wav")}/mixes`)).status).toBe(404);
  });

  test("are not made versions of a foreign track, of themselves or of nothing", async () => {
    const join = (as: typeof web, trackId: string, body: object) =>
      as("POST", `/app/tracks/${trackId}/join`, body);
    const halo = idOf("Halo.wav");

    const answers = [
      await join(stranger, halo, { trackId: idOf("theirs.wav") }),
      await join(stranger, idOf("theirs.wav"), { trackId: halo }),
      await join(web, halo, { trackId: "trk_none" }),
      await join(web, halo, { trackId: halo }),
      await join(web, halo, {}),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400]);
    expect((await mixesOf("Halo.wav")).length).toBe(4);
  });

  test("become versions of one track when their owner says so, and are separated again", async () => {
    const [halo, gone] = [idOf("Halo.wav"), idOf("without bass.wav")];
    const versions = async (): Promise<Json[]> =>
      (await web("GET", `/app/tracks/${halo}/versions`)).body.data;
    const before = await versions();

    const { status, body } = await web("POST", `/app/tracks/${halo}/join`, { trackId: gone });
    await app.drainJobs();
    const joined = await versions();
    const bin = (await web("GET", "/app/tracks/deleted")).body.data;

    expect([status, body.data.binnedTrackId, body.data.versionBefore]).toEqual([200, gone, before[0].id]);
    expect(joined.map(({ id, name, active }) => [id, name, active])).toEqual([
      [body.data.versionIds[0], "without bass.wav", true],
      [before[0].id, "Halo.wav", false],
    ]);
    expect(joined[0].isAnalysed).toBe(true);
    expect(bin.map(({ id }: Json) => id)).toEqual([gone]);
    expect(namesOf(await mixesOf("Halo.wav"))).not.toContain("without bass.wav");

    await web("POST", `/app/tracks/${gone}/restore`);
    await web("POST", `/app/library/tracks/${halo}/versions/${before[0].id}/activate`);
    await web("DELETE", `/app/library/tracks/${halo}/versions/${body.data.versionIds[0]}`);
    await app.drainJobs();

    expect((await versions()).map(({ name, active }) => [name, active])).toEqual([["Halo.wav", true]]);
    const back = (await web("GET", `/app/tracks/${gone}/versions`)).body.data;
    const file = await app.request(back[0].downloadUrl.replace(/^https?:\/\/[^/]+/, ""));
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, back[0].size]);
    expect((await mixesOf("Halo.wav")).length).toBe(4);
  });
});
