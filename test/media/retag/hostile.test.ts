import { afterAll, expect, test } from "bun:test";
import { mutate, numbers } from "../../../scripts/retag-check/mutate.ts";
import { openAiff } from "../../../src/media/decode/aiff.ts";
import { closeByteReader, openByteReader } from "../../../src/media/decode/byte-reader.ts";
import { openFlac } from "../../../src/media/decode/flac.ts";
import { openMp3 } from "../../../src/media/decode/mp3.ts";
import { openVorbis } from "../../../src/media/decode/vorbis.ts";
import { openWav } from "../../../src/media/decode/wav.ts";
import { copyOf } from "../../../src/media/retag/copy.ts";
import { retag } from "../../../src/media/retag/retag.ts";
import { withFile } from "../../../src/media/view/file-window.ts";
import { fixture, makeFolder } from "../media-files.ts";
import { TAGS } from "./tags.ts";

const folder = makeFolder();
afterAll(folder.remove);

const OPENERS = {
  wav: openWav,
  aiff: openAiff,
  flac: openFlac,
  mp3: openMp3,
  ogg: openVorbis,
};
/** Of each format. */
const ROUNDS = 25;

/** Returns a hash of the samples that our decoders find, or that they find none. */
async function soundOf(path: string, ending: keyof typeof OPENERS): Promise<string> {
  const reader = openByteReader(path);
  const hash = new Bun.CryptoHasher("sha256");
  try {
    const source = await OPENERS[ending](reader);
    for (const block of source.blocks)
      hash.update(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
    return hash.digest("hex");
  } catch {
    return "no sound";
  } finally {
    closeByteReader(reader);
  }
}

test.each(Object.keys(OPENERS) as (keyof typeof OPENERS)[])(
  "a broken %s is copied as it is, or with the sound that it has",
  async (ending) => {
    const original = await Bun.file(fixture(`tone.${ending}`)).bytes();
    const below = numbers(ending.length + 11);
    const [from, to] = [folder.file(`broken.${ending}`), folder.file(`copy.${ending}`)];
    let untouched = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await Bun.write(from, mutate(original, below));

      const { pieces, sizeBytes, written } = await withFile(from, (file) => retag(file, TAGS));

      await Bun.write(to, await new Response(await copyOf(from, pieces).open()).bytes());
      expect(Bun.file(to).size).toBe(sizeBytes);
      if (written.length > 0)
        expect([round, await soundOf(to, ending)]).toEqual([round, await soundOf(from, ending)]);
      else expect(await Bun.file(to).bytes()).toEqual(await Bun.file(from).bytes());
      if (written.length === 0) untouched += 1;
    }
    expect(untouched).toBeLessThan(ROUNDS);
  },
);

test("a broken MP4 is copied as it is, or with every place of its index in the sound", async () => {
  const original = await Bun.file(fixture("tone-alac.m4a")).bytes();
  const below = numbers(5);
  const path = folder.file("broken.m4a");
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    await Bun.write(path, mutate(original, below));

    const { pieces, sizeBytes, written } = await withFile(path, (file) => retag(file, TAGS));

    const copy = Buffer.from(await new Response(await copyOf(path, pieces).open()).bytes());
    expect(copy.length).toBe(sizeBytes);
    if (written.length === 0) expect(copy.equals(await Bun.file(path).bytes())).toBe(true);
    else
      expect([round, firstChunk(copy)]).toEqual([
        round,
        firstChunk(Buffer.from(await Bun.file(path).bytes())),
      ]);
  }
});

/** Returns the bytes at the first place that the index names. */
function firstChunk(file: Buffer): string {
  const table = file.indexOf("stco");
  const at = table < 0 ? -1 : file.readUInt32BE(table + 12);
  return file.toString("hex", Math.max(0, at), at + 64);
}

const OLD_TAGS = {
  ID3v1: Buffer.concat([Buffer.from("TAGOld title"), Buffer.alloc(116)]),
  APE: Buffer.from("APETAGEX\xd0\x07\0\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "latin1"),
};

test.each(
  (["ID3v1", "APE"] as const).flatMap((tag) => [0, 1, 3, 9, 200].map((missing) => [tag, missing] as const)),
)("an MP3 with %s and %i bytes less of its last frame sounds as before", async (tag, missing) => {
  const sound = await Bun.file(fixture("tone.mp3")).bytes();
  const bytes = Buffer.concat([sound.subarray(0, sound.length - missing), OLD_TAGS[tag]]);
  const [from, to] = [folder.file("end.mp3"), folder.file("end-copy.mp3")];
  await Bun.write(from, bytes);

  const { pieces, written, notWritten } = await withFile(from, (file) => retag(file, { title: "Night" }));
  await Bun.write(to, await new Response(await copyOf(from, pieces).open()).bytes());

  expect(await soundOf(to, "mp3")).toBe(await soundOf(from, "mp3"));
  if (missing === 0) expect([written, notWritten]).toEqual([["title"], []]);
  else expect([written, notWritten]).toEqual([[], [{ field: "title", reason: "damaged" }]]);
});

test("a FLAC whose last frame is damaged keeps the tag behind it: a decoder reads on into it", async () => {
  const sound = await Bun.file(fixture("tone.flac")).bytes();
  const tag = Buffer.concat([Buffer.from("TAGOld title"), Buffer.alloc(116)]);
  const files = { whole: Buffer.concat([sound, tag]), cut: Buffer.concat([sound.subarray(0, -9), tag]) };
  const written = [];
  for (const bytes of [files.whole, files.cut]) {
    const path = folder.file("end.flac");
    await Bun.write(path, bytes);
    written.push((await withFile(path, (file) => retag(file, { title: "Night" }))).written);
  }

  expect(written).toEqual([["title"], []]);
});
