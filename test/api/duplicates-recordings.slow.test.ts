import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { recordingCodes, recordingPairs, recordings, tracks } from "../../db/schema.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { tagged } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 22_050;
const SECONDS = 16;
const ffmpegPath = findFfmpeg(undefined)?.path;
const sixteenBits = (samples: Float32Array) => samples.map((x) => Math.round(x * 32_768) / 32_768);
const MASTER = sixteenBits(tune(RATE_HZ, SECONDS, 1).map((x) => 0.4 * x));
const wav = (samples: Float32Array, bits: 16 | 24 = 16) => wavBytes([samples], RATE_HZ, bits);

let app: TestApp;
let call: ReturnType<TestApp["as"]>;
let web: ReturnType<TestApp["signedIn"]>;
beforeAll(async () => {
  app = await createTestApp();
  const owner = app.createAccount();
  call = app.as(app.createKey(owner.accountId));
  web = app.signedIn(owner.token);
  const stranger = app.as(app.createKey(app.createAccount().accountId));
  await upload(stranger, { "theirs.wav": wav(MASTER) });
  await upload(call, {
    "master.wav": wav(MASTER),
    "master 24.wav": wav(MASTER, 24),
    "tagged.wav": tagged(wav(MASTER), { TIT2: "Night Bus" }),
    "softer.wav": wav(MASTER.map((x) => x / 2)),
    "trimmed.wav": wav(MASTER.subarray(RATE_HZ)),
    "louder bass.wav": wav(tune(RATE_HZ, SECONDS, 1, { bass: 0.6 }).map((x) => 0.4 * x)),
    "louder lead.wav": wav(tune(RATE_HZ, SECONDS, 1, { lead: 0.5 }).map((x) => 0.4 * x)),
    "another.wav": wav(tune(RATE_HZ, SECONDS, 5).map((x) => 0.4 * x)),
    ...(ffmpegPath !== undefined && {
      "coded.mp3": await coded(wav(MASTER), ["-b:a", "128k", "-f", "mp3"]),
      "lossless.flac": await coded(wav(MASTER), ["-f", "flac"]),
      "48 kHz.ogg": await coded(wav(MASTER), ["-ar", "48000", "-c:a", "libvorbis", "-f", "ogg"]),
    }),
  });
});
afterAll(() => app.close());

async function upload(as: typeof call, files: Record<string, Uint8Array<ArrayBuffer>>): Promise<void> {
  const form = new FormData();
  for (const [name, bytes] of Object.entries(files)) form.append("files", new File([bytes], name));
  const { status, body } = await as("POST", "/tracks/upload", form);
  if (status !== 200) throw new Error(JSON.stringify(body));
  await app.drainJobs();
}

async function coded(bytes: Uint8Array<ArrayBuffer>, options: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const ffmpeg = Bun.spawn([ffmpegPath ?? "", "-v", "error", "-i", "-", ...options, "-"], {
    stdin: bytes,
    stdout: "pipe",
  });
  return new Uint8Array(await new Response(ffmpeg.stdout).arrayBuffer());
}

const duplicates = async (as = call, query = "") => (await as("GET", `/tracks/duplicates${query}`)).body.data;
const names = (group: Json) => group.tracks.map(({ name }: { name: string }) => name).sort();
const SAME = ["master.wav", "master 24.wav", "tagged.wav", ...(ffmpegPath ? ["lossless.flac"] : [])].sort();
const LIKE = [
  ...SAME,
  "softer.wav",
  "trimmed.wav",
  ...(ffmpegPath ? ["coded.mp3", "48 kHz.ogg"] : []),
].sort();

describe("GET /tracks/duplicates", () => {
  test("groups different files with the same samples", async () => {
    const { groups, sameAudio, totalSameAudio } = await duplicates();

    expect(groups).toEqual([]);
    expect(totalSameAudio).toBe(1);
    expect(sameAudio.map(names)).toEqual([SAME]);
    expect(sameAudio[0].count).toBe(SAME.length);
  });

  test("groups copies that are softer, cut or encoded again, but not other mixes or other tunes", async () => {
    const { similar, totalSimilar } = await duplicates();

    expect(totalSimilar).toBe(1);
    expect(similar.map(names)).toEqual([LIKE]);
    expect(similar[0].similarity).toBeWithin(0.75, 1);
  });

  test("pages through these groups in the same way", async () => {
    expect(await duplicates(call, "?offset=1")).toMatchObject({
      sameAudio: [],
      totalSameAudio: 1,
      similar: [],
      totalSimilar: 1,
    });
  });

  test("does not compare with another account", async () => {
    const stranger = app.as(app.createKey(app.createAccount().accountId));
    await upload(stranger, { "mine.wav": wav(MASTER) });

    expect(await duplicates(stranger)).toMatchObject({ sameAudio: [], similar: [] });
  });

  test("follows a track's change to other audio and back", async () => {
    const { similar } = await duplicates();
    const { id } = similar[0].tracks.find(({ name }: { name: string }) => name === "softer.wav");
    const before = (await call("GET", `/tracks/single?id=${id}`)).body.data.activeVersionId;
    const form = new FormData();
    form.append("file", new File([wav(tune(RATE_HZ, SECONDS, 8).map((x) => 0.4 * x))], "new.wav"));
    await call("POST", `/tracks/${id}/versions`, form);
    await app.drainJobs();

    expect((await duplicates()).similar.map(names)).toEqual([LIKE.filter((name) => name !== "softer.wav")]);

    await call("POST", `/tracks/${id}/versions/${before}/activate`);
    expect((await duplicates()).similar.map(names)).toEqual([LIKE]);
  });

  test("finds the same after a new analysis", async () => {
    const ids = app.deps.db.select({ id: tracks.id }).from(tracks).all();
    const { similar } = await duplicates();
    await call("POST", "/tracks/auto-tag/batch", { trackIds: ids.map(({ id }) => id) });
    await app.drainJobs();

    expect((await duplicates()).similar).toEqual(similar);
  });

  test("count as versions of one song in a search, whatever their names", async () => {
    const { similar } = await duplicates();
    const { body } = await call("POST", "/tracks/search", { query: "something calm", limit: 50 });

    const ids = new Set(similar[0].tracks.map(({ id }: Json) => id));
    const copies = body.data.results.filter(({ id }: Json) => ids.has(id));
    const isFurther = ({ reason }: Json) => reason.some((each: string) => each.startsWith("a version of"));
    expect(copies).toHaveLength(LIKE.length);
    expect(copies.filter(isFurther)).toHaveLength(LIKE.length - 1);
  });

  test("a track's sheet names the tracks with the same recording, and no other", async () => {
    const { body: list } = await call("GET", "/tracks?limit=50");
    const idOf = (name: string) => list.data.find((track: Json) => track.name === name).id;
    const copiesOf = async (name: string) => (await web("GET", `/app/tracks/${idOf(name)}/copies`)).body.data;

    const copies = await copiesOf("master.wav");

    expect(copies.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(["master 24.wav", "tagged.wav", "softer.wav", "trimmed.wav"]),
    );
    expect(copies[0]).toMatchObject({ similarity: 1, isSameFile: false });
    expect(copies.map(({ name }: Json) => name)).not.toContain("theirs.wav");
    expect(await copiesOf("another.wav")).toEqual([]);
    const stranger = app.signedIn(app.createAccount().token);
    expect((await stranger("GET", `/app/tracks/${idOf("master.wav")}/copies`)).status).toBe(404);
  });

  test("keeps no fingerprint of audio that is no longer in any track", async () => {
    const { db } = app.deps;
    const count = () => db.select().from(recordings).all().length;
    const before = count();
    const { similar } = await duplicates();
    const cut = similar[0].tracks.find(({ name }: { name: string }) => name === "trimmed.wav");
    const twin = similar[0].tracks.find(({ name }: { name: string }) => name === "tagged.wav");

    for (const { id } of [cut, twin]) db.delete(tracks).where(eq(tracks.id, id)).run();

    expect(count()).toBe(before - 1); // the twin's sound is the master's
    const known = new Set(
      db
        .select()
        .from(recordings)
        .all()
        .map(({ id }) => id),
    );
    for (const { recordingId } of db.select().from(recordingCodes).all())
      expect(known).toContain(recordingId);
    for (const pair of db.select().from(recordingPairs).all()) expect(known).toContain(pair.laterId);
    const gone = ["trimmed.wav", "tagged.wav"];
    const left = LIKE.filter((name) => !gone.includes(name));
    expect((await duplicates()).similar.map(names)).toEqual([left]);
  });
});
