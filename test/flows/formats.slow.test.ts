import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { downloadUrl, playbackUrl } from "../../src/modules/library/files/service.ts";
import { isAudioFile } from "../../src/modules/library/tracks/upload/import.ts";
import { startWorkers } from "../../src/workers.ts";
import { HEAVY, makeHeavy } from "../media/heavy-files.ts";
import { FFMPEG, fixture, makeFolder, makeWithFfmpeg } from "../media/media-files.ts";
import { apeBytes, dsfBytes } from "../media/rare-files.ts";
import { createRememberingPool } from "../support/analysed-once.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { library, song } from "./analysis-library.ts";

const folder = makeFolder();
afterAll(folder.remove);
let app: TestApp;
afterEach(() => app.close());

async function open(ffmpegPath: string | undefined) {
  app = await createTestApp(ffmpegPath === undefined ? {} : { ffmpegPath });
  const key = app.createKey(app.createAccount().accountId);
  return async (bytes: Uint8Array, name: string): Promise<string> => {
    const form = new FormData();
    form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], name));
    const { status, body } = await app.as(key)("POST", "/tracks/upload", form);
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body.data.uploaded[0].id;
  };
}

const saved = (bytes: Uint8Array, name: string) =>
  Bun.write(folder.file(name), bytes).then(() => folder.file(name));

/** File extensions, media types and how to make each file; ffmpeg writes neither DSF nor Monkey's Audio. */
const FORMATS: readonly [ending: string, mediaType: string, make: () => Promise<Uint8Array>][] = [
  ...(
    [
      ["wv", "audio/x-wavpack"],
      ["wma", "audio/x-ms-wma"],
      ["au", "audio/basic"],
      ["mp2", "audio/mpeg"],
      ["ac3", "audio/ac3"],
      ["tta", "audio/x-tta"],
    ] as const
  ).map(([ending, mediaType]) => [ending, mediaType, () => encoded(ending)] as const),
  ["dsf", "audio/x-dsf", async () => dsfBytes(8)],
  ["ape", "audio/x-ape", async () => apeBytes(8)],
  // As browsers record: without a length.
  ["webm", "audio/webm", () => encoded("webm", ["-c:a", "libopus", "-live", "1"])],
].map(
  ([ending, mediaType, make]) => [ending, mediaType, make] as [string, string, () => Promise<Uint8Array>],
);

async function encoded(ending: string, more: readonly string[] = []): Promise<Uint8Array> {
  const wav = await saved(song(), "song.wav");
  makeWithFfmpeg([
    "-i",
    wav,
    "-metadata",
    "title=Night Bus",
    "-metadata",
    "artist=Alma",
    ...more,
    folder.file(`song.${ending}`),
  ]);
  return Bun.file(folder.file(`song.${ending}`)).bytes();
}

describe.skipIf(!FFMPEG)("with ffmpeg", () => {
  test.each(FORMATS)(
    "%s is analysed, played and downloaded in its format",
    async (ending, mediaType, make) => {
      const upload = await open(FFMPEG?.path);
      const bytes = await make();
      const trackId = await upload(bytes, "Night Bus");

      await app.drainJobs();

      const { track, version, analyses } = library(app.deps, trackId);
      if (!version) throw new Error("no version");
      expect([track.analysisStatus, track.analysisReason]).toEqual(["completed", null]);
      expect(analyses[0]?.durationSec).toBeCloseTo(8, 0);
      const original = await app.request(downloadUrl(app.deps, version));
      expect(original.headers.get("content-type")).toBe(mediaType);
      expect(original.headers.get("content-disposition")).toContain(
        mediaType === "audio/mpeg" ? "Night Bus." : `Night Bus.${ending}`,
      );
      expect(await original.bytes()).toEqual(new Uint8Array(bytes));
      const played = await app.request(playbackUrl(app.deps, version));
      expect([played.status, played.headers.get("content-type")]).toEqual([200, "audio/ogg"]);
      expect(await isAudioFile(await saved(bytes, "no name"))).toBe(true);
      if (["wv", "wma"].includes(ending)) expect(track).toMatchObject({ title: "Night Bus", artist: "Alma" });
      if (!["dsf", "ape"].includes(ending)) expect(track.bpm).toBeCloseTo(120, 0);
    },
  );

  test("files that waited for ffmpeg are analysed once it is installed", async () => {
    const upload = await open(undefined);
    const ids = [];
    for (const [ending, , make] of FORMATS) ids.push(await upload(await make(), `Night Bus.${ending}`));
    await app.drainJobs();
    const codes = ids.map((id) => library(app.deps, id).track.analysisCode);

    const workers = startWorkers(
      { ...app.deps, ffmpegPath: FFMPEG?.path },
      { loops: false, analysing: createRememberingPool() },
    );
    await workers.drain();
    await workers.stop();

    expect(codes).toEqual(ids.map(() => "needs_ffmpeg"));
    expect(ids.map((id) => library(app.deps, id).track.analysisStatus)).toEqual(ids.map(() => "completed"));
  });

  test("a WMA with video is accepted for its sound, like an MP4", async () => {
    const upload = await open(FFMPEG?.path);
    const film = ["-f", "lavfi", "-i", "testsrc=d=8:s=64x64:r=5", "-i", await saved(song(), "song.wav")];
    makeWithFfmpeg([...film, "-c:v", "wmv2", "-c:a", "wmav2", folder.file("film.wmv")]);
    const trackId = await upload(await Bun.file(folder.file("film.wmv")).bytes(), "film.wmv");

    await app.drainJobs();

    expect(library(app.deps, trackId).track.analysisStatus).toBe("completed");
    expect(library(app.deps, trackId).track.bpm).toBeCloseTo(120, 0);
  });
});

describe("without ffmpeg", () => {
  test.each([
    ["dsf", () => dsfBytes(1)],
    ["ape", () => apeBytes(1)],
  ] as const)("%s is kept, and its track says what it waits for", async (ending, make) => {
    const upload = await open(undefined);
    const trackId = await upload(make(), `Night Bus.${ending}`);

    await app.drainJobs();

    const { track } = library(app.deps, trackId);
    expect([track.analysisStatus, track.analysisCode]).toEqual(["failed", "needs_ffmpeg"]);
  });
});

const ENGINES = [
  ["without ffmpeg", undefined] as const,
  ...(FFMPEG ? [["with ffmpeg", FFMPEG.path] as const] : []),
];
describe.each(ENGINES)("%s", (_, ffmpegPath) => {
  test("an MP3 after 128 KB of other data is found and analysed", async () => {
    const upload = await open(ffmpegPath);
    const mp3 = await Bun.file(join(import.meta.dir, "../fixtures/tone.mp3")).bytes();
    const junk = Uint8Array.from(
      { length: 128 * 1024 },
      (_, i) => Math.imul(i * i + 7, 2_654_435_761) >>> 23,
    );
    const trackId = await upload(new Uint8Array(Buffer.concat([junk, mp3])), "stream.mp3");

    await app.drainJobs();

    const { track, analyses } = library(app.deps, trackId);
    expect([track.analysisStatus, analyses[0]?.lossless]).toEqual([
      "completed",
      analyses[0]?.lossless ?? null,
    ]);
    expect(track.durationSec).toBeCloseTo(1, 0);
  });

  test("an MP3 of a hundred thousand ID3 frames and a WAV of 200,000 chunks are analysed correctly", async () => {
    const upload = await open(ffmpegPath);
    const ids = [];
    for (const [what, clean, make] of HEAVY.slice(0, 3)) {
      const count = what.includes("chunks") ? 200_000 : 100_000;
      ids.push([
        await upload(await Bun.file(fixture(clean)).bytes(), clean),
        await upload(await makeHeavy(clean, make, count), clean),
      ]);
    }

    await app.drainJobs();

    for (const [clean = "", heavy = ""] of ids) {
      const [expected] = library(app.deps, clean).analyses;
      const [found] = library(app.deps, heavy).analyses;
      const { durationSec, integratedLufs, bpm, truncated } = expected ?? {};
      expect(found).toMatchObject({ durationSec, integratedLufs, bpm, truncated });
    }
  });
});
