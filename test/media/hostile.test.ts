import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { openDecoder } from "../../src/media/decoder.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { DEFAULT_MEDIA_LIMITS } from "../../src/media/limits.ts";
import { DECODERS, decodeAll, FFMPEG, FORCED, fixture, makeFolder, requestFor, SELF } from "./media-files.ts";
import { aiffBytes, ascii, tone, wavBytes } from "./wave-bytes.ts";

const folder = makeFolder();
const { file } = folder;
// Children create their working folders here, where no other test does.
const systemFolder = Bun.env.TMPDIR;
process.env.TMPDIR = folder.path;
afterAll(() => {
  if (systemFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = systemFolder;
  folder.remove();
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("dubplate-media-"));
const noise = Uint8Array.from({ length: 50_000 }, (_, i) => Math.imul(i * i + 7, 2_654_435_761) >>> 23);

describe.each(DECODERS)("%s", (name, ffmpegPath) => {
  test.each([
    ["an empty file", "mp3", new Uint8Array(0), /corrupt|no_audio/],
    ["random bytes as WAV", "wav", noise, /corrupt/],
    ["random bytes as FLAC", "flac", noise, /corrupt/],
    ["random bytes as Ogg", "vorbis", noise, /corrupt/],
    ["a playlist as MP3", "mp3", ascii("#EXTM3U\n#EXTINF:10,\nfile:///etc/hostname\n"), /corrupt|no_audio/],
    [
      "60,000 channels",
      "wav",
      wavBytes({ depth: "s16", channels: 60_000, samples: tone(8000, 60_000) }),
      /unsupported|corrupt/,
    ],
    ["a WAV without samples", "wav", wavBytes({ depth: "s16", samples: [] }), /no_audio|corrupt/],
    [
      "a WAV without a format",
      "wav",
      ascii("RIFF\xff\xff\xff\xffWAVEdata\x08\0\0\0\0\0\0\0\0\0\0\0"),
      /corrupt/,
    ],
    ["only a FLAC marker", "flac", ascii("fLaC"), /corrupt/],
    [
      "an AAC file without its index",
      "mp4",
      ascii("\0\0\0\x18ftypM4A \0\0\0\0M4A isom\0\0\0\x10mdat\0\0\0\0\0\0\0\0"),
      /corrupt|needs_ffmpeg/,
    ],
  ] as const)("%s is refused in a sentence", async (_, forced, bytes, code) => {
    const path = file("hostile");
    await Bun.write(path, bytes);

    const attempt = requestFor(path, ffmpegPath, { format: FORCED[forced] }).then(decodeAll);

    const error = await attempt.then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).toMatchObject({ name: "MediaError", code: expect.stringMatching(code) });
  });

  test("a WAV that claims 4 GB returns its samples and says that they are incomplete", async () => {
    const path = file("claims.wav");
    const samples = tone(8000, 8000);
    await Bun.write(path, wavBytes({ depth: "s16", samples, claimedBytes: 4_000_000_000 }));

    const decoded = await decodeAll(await requestFor(path, ffmpegPath));

    expect(decoded.samples.length).toBe(8000);
    if (name !== "ffmpeg") expect(decoded).toMatchObject({ truncated: true, declaredSec: 250_000 });
  });

  test.each(["tone.flac", "tone.mp3"])(
    "the first part of %s returns its sound and says that it is incomplete",
    async (whole) => {
      const bytes = await Bun.file(fixture(whole)).bytes();
      await Bun.write(file(whole), bytes.subarray(0, Math.floor(bytes.length * 0.8)));

      const decoded = await decodeAll(await requestFor(file(whole), ffmpegPath));

      expect(decoded.decodedSec).toBeGreaterThan(0.2);
      expect(decoded.decodedSec).toBeLessThan(0.95);
      expect(decoded.truncated).toBe(true);
    },
  );

  test.each(["tone.ogg", "tone.opus"])(
    "the first part of %s returns only sound that it contains",
    async (whole) => {
      const bytes = await Bun.file(fixture(whole)).bytes();
      await Bun.write(file(whole), bytes.subarray(0, Math.floor(bytes.length * 0.8)));

      const outcome = await requestFor(file(whole), ffmpegPath)
        .then(decodeAll)
        .catch((error: { code: string }) => error.code);

      // One second fits on one page: the rest decodes to nothing, or to the part before the cut.
      if (typeof outcome === "string") expect(outcome).toMatch(/no_audio|corrupt/);
      else expect(outcome.decodedSec).toBeLessThan(1);
    },
  );

  test("a file longer than the limit is stopped at the limit", async () => {
    const path = file("long.wav");
    await Bun.write(path, wavBytes({ depth: "u8", samples: new Array<number>(8000 * 60).fill(0) }));
    const limits = { ...DEFAULT_MEDIA_LIMITS, outputSec: 10 };
    const stream = await openDecoder(await requestFor(path, ffmpegPath, { limits }));

    let seconds = 0;
    const reading = (async () => {
      for await (const block of stream.frames) seconds += block.length / 8000;
    })();

    await expect(reading).rejects.toMatchObject({ code: "too_long" });
    expect(seconds).toBeLessThanOrEqual(10);
    expect(isAlive(stream.pid)).toBe(false);
  });

  test("aborting ends the child at once and leaves no files", async () => {
    const path = file("abort.wav");
    await Bun.write(path, wavBytes({ depth: "s16", samples: tone(8000, 3_000_000) }));
    const before = workFolders().length;
    const controller = new AbortController();
    const stream = await openDecoder(await requestFor(path, ffmpegPath, { signal: controller.signal }));
    const reason = new Error("the owner deleted the track");

    const reading = (async () => {
      for await (const _ of stream.frames) controller.abort(reason);
    })();

    await expect(reading).rejects.toBe(reason);
    expect(isAlive(stream.pid)).toBe(false);
    expect(workFolders().length).toBe(before);
  });

  test("a decoder that takes too long is stopped", async () => {
    const path = file("slow.wav");
    await Bun.write(path, wavBytes({ depth: "s16", samples: tone(8000, 3_000_000) }));
    const limits = { ...DEFAULT_MEDIA_LIMITS, wallClockMs: 1500 };
    const stream = await openDecoder(await requestFor(path, ffmpegPath, { limits }));
    const frames = stream.frames[Symbol.asyncIterator]();
    await frames.next(); // then reading stops: the pipe is full and the child waits

    while (isAlive(stream.pid)) await Bun.sleep(10);
    const reading = (async () => {
      for (let next = await frames.next(); !next.done; next = await frames.next());
    })();

    await expect(reading).rejects.toMatchObject({ code: "timeout" });
  });

  test("an aborted signal starts nothing", async () => {
    const request = await requestFor(fixture("tone.wav"), ffmpegPath, { signal: AbortSignal.abort() });

    expect(openDecoder(request)).rejects.toHaveProperty("name", "AbortError");
  });
});

test("a child that uses too much memory is stopped", async () => {
  const limits = { ...DEFAULT_MEDIA_LIMITS, memoryBytes: 1024 * 1024 };
  const path = file("memory.wav");
  await Bun.write(path, wavBytes({ depth: "s16", samples: tone(8000, 3_000_000) }));

  const reading = (async () => {
    const stream = await openDecoder(await requestFor(path, undefined, { limits }));
    // A full pipe blocks the child until it is stopped.
    while (isAlive(stream.pid)) await Bun.sleep(10);
    for await (const _ of stream.frames);
  })();

  await expect(reading).rejects.toMatchObject({ code: "out_of_memory" });
});

test("an AIFF cut in the middle is reported as incomplete", async () => {
  const bytes = aiffBytes({ depth: "s16", samples: tone(8000, 8000) });
  await Bun.write(file("cut.aiff"), bytes.subarray(0, bytes.length / 2));

  const decoded = await decodeAll(await requestFor(file("cut.aiff"), undefined));

  expect(decoded).toMatchObject({ truncated: true, declaredSec: 1 });
  expect(decoded.decodedSec).toBeCloseTo(0.5, 1);
});

test("a damaged FLAC frame is skipped, and the rest is decoded", async () => {
  const bytes = await Bun.file(fixture("tone.flac")).bytes();
  bytes.fill(0x55, bytes.length - 3000, bytes.length - 2900);
  await Bun.write(file("damaged.flac"), bytes);

  const decoded = await decodeAll(await requestFor(file("damaged.flac"), undefined));

  expect(decoded.truncated).toBe(true);
  expect(decoded.decodedSec).toBeGreaterThan(0.3);
  expect(decoded.samples.every((sample) => Math.abs(sample) < 0.51)).toBe(true);
});

test("a decoder that cannot be started counts as a fault of the machine, not the file", async () => {
  const request = await requestFor(fixture("tone.wav"), "/nonexistent/ffmpeg");

  expect(openDecoder(request)).rejects.not.toHaveProperty("code");
});

describe("finding ffmpeg", () => {
  test("a wrong configured path is not replaced by another", () => {
    expect(findFfmpeg("/nonexistent/ffmpeg")).toBeUndefined();
  });

  test("a program that is not ffmpeg is not accepted", () => {
    expect(findFfmpeg(SELF[0])).toBeUndefined();
  });

  test.skipIf(!FFMPEG)("the ffmpeg on PATH reports its version", () => {
    expect(findFfmpeg(undefined)?.version).toMatch(/^\d|^N-/);
  });
});
