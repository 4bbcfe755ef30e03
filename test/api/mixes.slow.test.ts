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
let owner: ReturnType<TestApp["createAccount"]>;
let web: ReturnType<TestApp["signedIn"]>;
let stranger: ReturnType<TestApp["signedIn"]>;
let program: ReturnType<TestApp["as"]>;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  const other = app.createAccount();
  web = app.signedIn(owner.token);
  stranger = app.signedIn(other.token);
  await upload(app.as(app.createKey(other.accountId)), { "theirs.wav": wav(render(1)) });
  program = app.as(app.createKey(owner.accountId));
  await upload(program, {
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

const offers = async (as = web): Promise<Json[]> => (await as("GET", "/app/tracks/mixes")).body.data;
const offeredNames = async () => namesOf(await offers());
const news = async (): Promise<Json[]> =>
  (await web("GET", "/app/notifications")).body.data.filter(({ kind }: Json) => kind === "track.mix_found");
const versionsOf = async (id: string): Promise<Json[]> =>
  (await web("GET", `/app/tracks/${id}/versions`)).body.data;

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

describe("a new track that sounds like a mix of an older one", () => {
  test("is offered as its next version, to its owner alone", async () => {
    const all = await offers();

    expect(namesOf(all)).toEqual([
      "hats up.wav",
      "softer.wav",
      "trimmed, louder bass, 44100.wav",
      "without bass.wav",
    ]);
    const first = all.find(({ name }) => name === "without bass.wav");
    expect(first).toMatchObject({
      id: idOf("without bass.wav"),
      title: "without bass",
      otherId: idOf("Halo.wav"),
      otherTitle: "Halo",
      version: 3, // the second was deleted
      isSameMix: false,
    });
    const [newest] = (await web("GET", "/app/tracks/mixes?limit=1")).body.data;
    expect(newest).toEqual(all[0]);
    expect(await offers(stranger)).toEqual([]);
    expect((await app.request("/app/tracks/mixes")).status).toBe(401);
  });

  test("is told of in one notification for all of them while that is unread", async () => {
    expect((await news()).map(({ title, readAt }) => [title, readAt])).toEqual([
      ["4 new tracks sound like mixes of others", null],
    ]);
  });

  test("is not offered again once its owner said no, however often it is analysed, and the page still shows it", async () => {
    const [halo, softer] = [idOf("Halo.wav"), idOf("softer.wav")];
    const [offer] = (await offers()).filter(({ id }) => id === softer);
    const refused = [
      await stranger("POST", `/app/tracks/${softer}/keep-apart`, { trackId: offer?.otherId }),
      await web("POST", `/app/tracks/${softer}/keep-apart`, { trackId: idOf("theirs.wav") }),
      await web("POST", `/app/tracks/${softer}/keep-apart`, { trackId: softer }),
    ];

    const { status } = await web("POST", `/app/tracks/${softer}/keep-apart`, { trackId: offer?.otherId });
    await web("POST", "/app/tracks/bulk", { where: { ids: [halo, softer] }, do: { retag: true } });
    await app.drainJobs();

    expect(refused.map((answer) => answer.status)).toEqual([404, 404, 400]);
    expect(status).toBe(200);
    expect(await offeredNames()).not.toContain("softer.wav");
    expect(namesOf(await mixesOf("Halo.wav"))).toContain("softer.wav");
  });

  test("is left alone when its name had made it a version, and its owner had said no to that", async () => {
    const path = "Halo v2.wav";
    const bytes = wav(render(1, { lead: 0.3 }));
    const response = await app.request("/app/uploads", {
      method: "POST",
      headers: {
        authorization: `Bearer ${owner.token}`,
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-length": String(bytes.length),
        "upload-metadata": `filename ${Buffer.from(path).toString("base64")}`,
      },
      body: bytes,
    });
    const id = response.headers.get("location")?.split("/").at(-1) ?? "";
    const asked = await web("POST", `/app/uploads/${id}/wait`);
    const { body } = await web("POST", "/app/uploads/finish", { uploads: [{ id, path }] });
    await app.drainJobs();
    const [{ trackId, outcome }] = body.data.uploads;

    expect([asked.body.data.upload.title, outcome]).toEqual(["Halo", "track"]);
    expect((await offers()).filter((offer) => offer.otherId === idOf("Halo.wav"))).not.toContainEqual(
      expect.objectContaining({ id: trackId }),
    );
    await web("DELETE", `/app/tracks/${trackId}`);
  });
});

describe("joining two mixes with a key", () => {
  test("is one request with one undo, which takes all of it back", async () => {
    const [halo, hats] = [idOf("Halo.wav"), idOf("hats up.wav")];
    const [before, offered] = [await versionsOf(halo), await offers()];

    const mixes = await program("GET", `/tracks/${halo}/mixes`);
    const joined = await program("POST", `/tracks/${halo}/join`, { trackId: hats });
    await app.drainJobs();
    const between = await versionsOf(halo);
    const left = await offeredNames();
    const undone = await program("POST", `/bulk/${joined.body.data.undoId}/undo`);
    await app.drainJobs();

    expect(namesOf(mixes.body.data)).toContain("hats up.wav");
    expect(between.map(({ name, label, active }) => [name, label, active])).toEqual([
      ["hats up.wav", "v3", true],
      ["Halo.wav", null, false],
    ]);
    expect(left).not.toContain("hats up.wav");
    expect(undone.body.data).toEqual({ undone: 1, failed: [] });
    const ofVersion = ({ id, active, label, isAnalysed }: Json) => [id, active, label, isAnalysed];
    expect((await versionsOf(halo)).map(ofVersion)).toEqual(before.map(ofVersion));
    expect(await offers()).toEqual(offered);
    const back = await versionsOf(hats);
    const file = await app.request(back[0]?.downloadUrl.replace(/^https?:\/\/[^/]+/, ""));
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, back[0]?.size]);
    expect((await program("POST", `/bulk/${joined.body.data.undoId}/undo`)).status).toBe(404);
  });

  test("is not undone when the track in the bin is gone for good: its audio stays where it is", async () => {
    const [kept, gone] = [idOf("Tide.wav"), idOf("Ember.wav")];
    const joined = await program("POST", `/tracks/${kept}/join`, { trackId: gone });
    await web("DELETE", `/app/tracks/deleted/${gone}`);

    const { status, body } = await program("POST", `/bulk/${joined.body.data.undoId}/undo`);
    await app.drainJobs();

    expect([status, body.messageCode]).toEqual([409, "changed_since"]);
    const versions = await versionsOf(kept);
    expect(versions.map(({ name, active }) => [name, active])).toEqual([
      ["Ember.wav", true],
      ["Tide.wav", false],
    ]);
    const file = await app.request(versions[0]?.downloadUrl.replace(/^https?:\/\/[^/]+/, ""));
    expect(file.status).toBe(200);
  });

  test("plays what the other played also when the track has these bytes already", async () => {
    const [kept, gone] = [idOf("Tide.wav"), idOf("trimmed, louder bass, 44100.wav")];
    const form = new FormData();
    form.set("file", new File([wav(render(1, { bass: 0.6 }, 44_100).slice(66_150), 44_100)], "same.wav"));
    form.set("activate", "false");
    const added = await program("POST", `/tracks/${kept}/versions`, form);
    const [before] = (await versionsOf(kept)).filter(({ active }) => active);

    const { body } = await program("POST", `/tracks/${kept}/join`, { trackId: gone });
    const [playing] = (await versionsOf(kept)).filter(({ active }) => active);
    await web("POST", `/app/undo/${body.data.undoId}`);

    expect([body.data.versionIds, playing?.name]).toEqual([[], "same.wav"]);
    expect((await versionsOf(kept)).filter(({ active }) => active).map(({ id }) => id)).toEqual([before?.id]);
    await program("DELETE", `/tracks/${kept}/versions/${added.body.data.id}`);
    await app.drainJobs();
  });
});
