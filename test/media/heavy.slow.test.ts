import { afterAll, describe, expect, test } from "bun:test";
import { HEAD_BYTES } from "../../src/kernel/files.ts";
import { sniffAudio } from "../../src/media/formats/sniff.ts";
import { DEFAULT_MEDIA_LIMITS, limitsFor } from "../../src/media/limits.ts";
import { probeFile } from "../../src/media/tags/probe.ts";
import { audioPieces } from "../../src/media/view/audio-view.ts";
import { HEAVY, MARK, makeHeavy } from "./heavy-files.ts";
import { DECODERS, decodeAll, FFMPEG, fixture, makeFolder, requestFor } from "./media-files.ts";
import { concat } from "./wave-bytes.ts";

const folder = makeFolder();
afterAll(folder.remove);
const path = folder.file("heavy");

/** Without this protection, each file took ffmpeg a minute or more, or its tags took seconds to read. */
const LIMITS = { ...DEFAULT_MEDIA_LIMITS, cpuSec: 3 };

/** Returns what ffmpeg reads of a file. */
async function viewOf(file: string): Promise<Uint8Array> {
  const bytes = await Bun.file(file).bytes();
  const format = sniffAudio(bytes.subarray(0, HEAD_BYTES));
  if (!format) throw new Error("not taken for audio");
  const pieces = await audioPieces(file, format);
  return concat(
    pieces.map((piece) => (piece instanceof Uint8Array ? piece : bytes.subarray(piece.start, piece.end))),
  );
}

describe.each(HEAVY)("%s", (_, clean, make) => {
  test("reaches ffmpeg without the useless parts", async () => {
    await Bun.write(path, await makeHeavy(clean, make, 1000));

    const view = await viewOf(path);

    if (clean.endsWith(".m4a")) return expect(Buffer.from(view).includes("udta")).toBe(false);
    expect(Buffer.from(view).includes(MARK)).toBe(false);
    expect(view.length).toBeLessThanOrEqual(Bun.file(fixture(clean)).size + 100);
  });

  const decoders = DECODERS.filter(([, ffmpegPath]) => ffmpegPath !== undefined || !clean.endsWith(".m4a"));
  test.each(decoders)(
    "decodes the same as without a hundred thousand useless parts: %s",
    async (__, ffmpegPath) => {
      await Bun.write(path, await makeHeavy(clean, make, 100_000));

      const heavy = await decodeAll(await requestFor(path, ffmpegPath, { limits: LIMITS }));

      const reference = await decodeAll(await requestFor(fixture(clean), ffmpegPath));
      expect(heavy.samples).toEqual(reference.samples);
      expect([heavy.truncated, heavy.sampleRateHz]).toEqual([false, reference.sampleRateHz]);
    },
  );
});

test("the tags that people wrote are still read among a hundred thousand others", async () => {
  const [, clean, make] = HEAVY[0] ?? [];
  if (!clean || !make) throw new Error("no such file");
  await Bun.write(path, await makeHeavy(clean, make, 100_000));

  const probe = await probeFile(await requestFor(path, FFMPEG?.path, { limits: LIMITS }));

  expect(probe.tags).toMatchObject({ artist: "Oscillator", title: "Night Tone" });
});

describe("processor time", () => {
  test("a small file takes little processor time, whatever its header claims", () => {
    expect(limitsFor(1_900_000, 30).cpuSec).toBeLessThanOrEqual(20);
    expect(limitsFor(20_000, 6 * 3600).cpuSec).toBeLessThanOrEqual(20);
    expect(limitsFor(20_000, null).cpuSec).toBeLessThanOrEqual(20);
  });

  test("hours of sound have the usual limit of processor time", () => {
    expect(limitsFor(1_000_000_000, 6 * 3600).cpuSec).toBe(DEFAULT_MEDIA_LIMITS.cpuSec);
  });

  test("the limit grows with size and length", () => {
    const [song, album] = [limitsFor(8_000_000, 240), limitsFor(100_000_000, 3600)];

    expect(song.cpuSec).toBeWithin(30, 120);
    expect(album.cpuSec).toBeWithin(300, DEFAULT_MEDIA_LIMITS.cpuSec);
  });
});
