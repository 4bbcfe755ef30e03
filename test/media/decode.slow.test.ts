import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDecoder } from "../../src/media/decoder.ts";
import {
  correlation,
  DECODERS,
  decodeAll,
  FFMPEG,
  fixture,
  largestDifference,
  makeFolder,
  makeWithFfmpeg,
  requestFor,
} from "./media-files.ts";
import { aiffBytes, type Depth, tone, wavBytes } from "./wave-bytes.ts";

const folder = makeFolder();
const { file } = folder;
afterAll(folder.remove);

/** Half a step of the depth, plus the precision of a 32-bit float. */
const ROUNDING: Record<Depth, number> = {
  u8: 0.5 / 128,
  s8: 0.5 / 128,
  s16: 0.5 / 0x8000 + 1e-7,
  s24: 0.5 / 0x80_0000 + 1e-7,
  s32: 1e-7,
  f32: 1e-7,
  f64: 1e-7,
};

describe.each(DECODERS)("%s", (_, ffmpegPath) => {
  const stereo = tone(8000, 8000);

  test.each([
    ["u8", {}],
    ["s16", {}],
    ["s24", {}],
    ["s32", {}],
    ["f32", {}],
    ["f64", {}],
    ["s16", { isExtensible: true }],
    ["s24", { isExtensible: true }],
    ["f32", { isExtensible: true }],
    ["s16", { isRf64: true }],
    ["s16", { claimedBytes: 0xffff_ffff }],
  ] as [Depth, object][])("gives back the samples of a WAV of %s %o", async (depth, more) => {
    const path = file("in.wav");
    await Bun.write(path, wavBytes({ depth, channels: 2, samples: stereo, ...more }));

    const decoded = await decodeAll(await requestFor(path, ffmpegPath));

    expect(decoded).toMatchObject({ sampleRateHz: 8000, channels: 2, decodedSec: 0.5, truncated: false });
    expect(decoded.samples.length).toBe(8000);
    expect(largestDifference(decoded.samples, Float32Array.from(stereo))).toBeLessThanOrEqual(
      ROUNDING[depth],
    );
  });

  test.each([
    ["s8", undefined],
    ["s16", undefined],
    ["s24", undefined],
    ["s32", undefined],
    ["s16", "NONE"],
    ["s16", "twos"],
    ["s16", "sowt"],
    ["s24", "in24"],
    ["f32", "fl32"],
    ["f64", "fl64"],
  ] as [Depth, string | undefined][])(
    "returns the samples of an AIFF of %s %s",
    async (depth, compression) => {
      const path = file("in.aiff");
      const samples = tone(44_100, 4411);
      await Bun.write(
        path,
        aiffBytes({ depth, samples, sampleRateHz: 44_100, ...(compression && { compression }) }),
      );

      const decoded = await decodeAll(await requestFor(path, ffmpegPath));

      expect(decoded).toMatchObject({ sampleRateHz: 44_100, channels: 1, truncated: false });
      expect(decoded.samples.length).toBe(4411);
      expect(largestDifference(decoded.samples, Float32Array.from(samples))).toBeLessThanOrEqual(
        ROUNDING[depth],
      );
    },
  );

  test.each([
    ["tone.wav", 8000, 0.0001],
    ["tone.aiff", 8000, 0.0001],
    ["tone.flac", 8000, 0.0001],
    ["tone.mp3", 44_100, 0.03],
    ["tone.ogg", 44_100, 0.02],
    ["tone.opus", 48_000, 0.02],
  ])("hears one second of 440 Hz in %s", async (name, sampleRateHz, tolerance) => {
    const decoded = await decodeAll(await requestFor(fixture(name), ffmpegPath));

    expect(decoded).toMatchObject({ sampleRateHz, channels: 1, truncated: false });
    expect(decoded.decodedSec).toBeCloseTo(1, 2);
    const sine = Float32Array.from(tone(sampleRateHz, sampleRateHz));
    expect(correlation(decoded.samples, sine)).toBeGreaterThan(0.999);
    // Away from the ends, where lossy codecs ring.
    const inner = [0.1 * sampleRateHz, 0.9 * sampleRateHz] as const;
    expect(largestDifference(decoded.samples.subarray(...inner), sine.subarray(...inner))).toBeLessThan(
      tolerance,
    );
  });

  test("float samples that are not numbers become silence", async () => {
    const path = file("nan.wav");
    const samples = [0.25, Number.NaN, Number.POSITIVE_INFINITY, -0.25];
    await Bun.write(path, wavBytes({ depth: "f32", samples }));

    const { samples: decoded } = await decodeAll(await requestFor(path, ffmpegPath));

    expect([...decoded]).toEqual([0.25, 0, 0, -0.25]);
  });

  test("a consumer that stops early ends the child", async () => {
    const path = file("long.wav");
    await Bun.write(path, wavBytes({ depth: "s16", samples: tone(8000, 2_000_000) }));
    const stream = await openDecoder(await requestFor(path, ffmpegPath));

    for await (const block of stream.frames) {
      expect(block.length).toBeGreaterThan(0);
      break;
    }

    expect(() => process.kill(stream.pid, 0)).toThrow();
  });
});

describe("without ffmpeg", () => {
  test.each(["tone-aac.m4a", "tone-alac.m4a"])("%s is refused with advice", async (name) => {
    const refusal = openDecoder(await requestFor(fixture(name), undefined));

    expect(refusal).rejects.toMatchObject({
      code: "needs_ffmpeg",
      message: expect.stringContaining("ffmpeg"),
    });
  });
});

describe.skipIf(!FFMPEG)("both decoders agree on", () => {
  // Two tones and a beat in noise, to use every part of a codec.
  const music = "aevalsrc=0.3*sin(2*PI*220*t)+0.2*sin(2*PI*3300*t*t)+0.3*random(0)*lt(mod(t\\,0.5)\\,0.02)";
  const source = (rate: number, channels: number) => [
    ...["-f", "lavfi", "-i", `${music}:s=${rate}:d=3`],
    ...["-af", channels === 2 ? "aeval=val(0)|0.7*val(0)+0.1*sin(2*PI*500*t)" : "anull"],
  ];
  beforeAll(() => makeWithFfmpeg([...source(44_100, 2), "-c:a", "pcm_f32le", file("music.wav")]));

  test.each([
    ["FLAC of 16 bits", "a.flac", 44_100, 2, ["-sample_fmt", "s16"], 0],
    [
      "FLAC of 24 bits, best compression",
      "b.flac",
      96_000,
      2,
      ["-sample_fmt", "s32", "-compression_level", "12"],
      0,
    ],
    ["FLAC without prediction", "c.flac", 44_100, 1, ["-compression_level", "0", "-sample_fmt", "s16"], 0],
    ["MP3, joint stereo", "a.mp3", 44_100, 2, ["-b:a", "128k"], 2e-4],
    ["MP3, variable rate", "b.mp3", 48_000, 2, ["-q:a", "2"], 2e-4],
    ["MP3, mono", "c.mp3", 32_000, 1, ["-b:a", "64k"], 2e-4],
    ["MP3 of half rate", "d.mp3", 22_050, 2, ["-b:a", "64k"], 2e-4],
    ["MP3 of quarter rate", "e.mp3", 11_025, 1, ["-b:a", "24k"], 2e-4],
    ["MP3 without a header frame", "f.mp3", 44_100, 2, ["-b:a", "192k", "-write_xing", "0"], 2e-4],
    ["Vorbis", "a.ogg", 44_100, 2, ["-c:a", "libvorbis", "-q:a", "4"], 1e-5],
    ["Vorbis, mono", "b.ogg", 22_050, 1, ["-c:a", "libvorbis", "-q:a", "1"], 1e-5],
  ] as const)("both decoders agree on %s", async (_, name, rate, channels, args, tolerance) => {
    makeWithFfmpeg([...source(rate, channels), ...args, file(name)]);

    const own = await decodeAll(await requestFor(file(name), undefined));
    const reference = await decodeAll(await requestFor(file(name), FFMPEG?.path));

    expect(own.sampleRateHz).toBe(reference.sampleRateHz);
    expect(own.channels).toBe(channels);
    expect(own.truncated).toBe(false);
    expect(own.samples.length).toBe(reference.samples.length);
    expect(correlation(own.samples, reference.samples)).toBeGreaterThan(0.9999);
    expect(largestDifference(own.samples, reference.samples)).toBeLessThanOrEqual(tolerance);
  });

  test("an MP3 louder than full scale keeps its peaks", async () => {
    makeWithFfmpeg(["-i", file("music.wav"), "-af", "volume=2.2", "-b:a", "128k", file("loud.mp3")]);

    const own = await decodeAll(await requestFor(file("loud.mp3"), undefined));
    const reference = await decodeAll(await requestFor(file("loud.mp3"), FFMPEG?.path));

    expect(reference.samples.some((sample) => Math.abs(sample) > 1.1)).toBe(true);
    expect(largestDifference(own.samples, reference.samples)).toBeLessThan(3e-4);
  });

  test.each([
    ["Opus", "a.opus", 2, "96k"],
    ["Opus, mono and low", "b.opus", 1, "32k"],
  ] as const)("%s, with libopus in both", async (_, name, channels, bitrate) => {
    makeWithFfmpeg([...source(48_000, channels), "-c:a", "libopus", "-b:a", bitrate, file(name)]);
    makeWithFfmpeg(["-c:a", "libopus", "-i", file(name), "-c:a", "pcm_f32le", file("opus.wav")]);

    const own = await decodeAll(await requestFor(file(name), FFMPEG?.path));
    const reference = await decodeAll(await requestFor(file("opus.wav"), FFMPEG?.path));

    expect(own).toMatchObject({ decoder: "wasm", truncated: false, channels });
    expect(own.samples.length).toBe(reference.samples.length);
    expect(largestDifference(own.samples, reference.samples)).toBeLessThan(1e-3);
  });

  test.each(["aac", "alac"])("%s decodes with ffmpeg to its original length", async (codec) => {
    makeWithFfmpeg(["-i", file("music.wav"), "-c:a", codec, file(`${codec}.m4a`)]);

    const decoded = await decodeAll(await requestFor(file(`${codec}.m4a`), FFMPEG?.path));

    expect(decoded.decodedSec).toBeCloseTo(3, 1);
    expect(decoded).toMatchObject({ decoder: "ffmpeg", truncated: false, channels: 2 });
  });
});

test("a file decodes the same on a worker thread", async () => {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url).href);
  const answer = new Promise<MessageEvent>((resolve) => worker.addEventListener("message", resolve));
  worker.postMessage(fixture("tone.flac"));

  expect((await answer).data).toEqual({ frames: 8000, truncated: false });
  worker.terminate();
});

describe.if(FFMPEG !== undefined)("a folder may have any name", () => {
  test.each(["Mara's Masters", "a | b", "100 %, or more", "C:\\Masters", " led\nby lines "])(
    "a file is decoded below the folder %j",
    async (name) => {
      for (const sound of ["tone.ogg", "tone-aac.m4a", "tone.mp3"]) {
        const path = file(join(name, sound));
        mkdirSync(dirname(path), { recursive: true });
        await Bun.write(path, Bun.file(fixture(sound)));

        const decoded = await decodeAll(await requestFor(path, FFMPEG?.path));

        const plain = await decodeAll(await requestFor(fixture(sound), FFMPEG?.path));
        expect(decoded.samples.length).toBeGreaterThan(0);
        expect(largestDifference(decoded.samples, plain.samples)).toBe(0);
      }
    },
  );
});
