import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { wholenessOf } from "../../src/media/whole/whole.ts";
import { wavBytes } from "../support/signals.ts";
import { FFMPEG, fixture, makeFolder } from "./media-files.ts";
import { apeBytes, dsfBytes } from "./rare-files.ts";
import { aiffBytes, ascii, concat, tone } from "./wave-bytes.ts";

const folder = makeFolder();
afterAll(folder.remove);

const be = (bytes: number) => (value: number) =>
  Uint8Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)));
const le = (bytes: number) => (value: number) => be(bytes)(value).reverse();
const [u32, u64, u32be, u64be] = [le(4), le(8), be(4), be(8)];
const sound = Uint8Array.from(tone(8000, 6000), (value) => Math.round(100 * value));

const guid = (text: string) =>
  concat([ascii(text), Uint8Array.of(0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a)]);
const W64_RIFF = Uint8Array.of(0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0);
const w64 = () => {
  const body = concat([guid("wave"), guid("data"), u64(24 + sound.length), sound]);
  return concat([ascii("riff"), W64_RIFF, u64(24 + body.length), body]);
};
const caf = () =>
  concat([
    ...[ascii("caff"), Uint8Array.of(0, 1, 0, 0), ascii("desc"), u64be(32), new Uint8Array(32)],
    ...[ascii("data"), u64be(4 + sound.length), u32(0), sound],
  ]);
const au = () =>
  concat([ascii(".snd"), u32be(24), u32be(sound.length), u32be(3), u32be(8000), u32be(1), sound]);
const rf64 = () => {
  const body = concat([ascii("data"), u32(0xffff_ffff), sound]);
  const ds64 = concat([ascii("ds64"), u32(28), u64(40 + body.length), u64(sound.length), u64(0), u32(0)]);
  return concat([ascii("RF64"), u32(0xffff_ffff), ascii("WAVE"), ds64, body]);
};
const tta = () => {
  const perFrame = Math.floor((256 * 8000) / 245);
  const header = [ascii("TTA1"), le(2)(1), le(2)(1), le(2)(16), u32(8000), u32(2 * perFrame), u32(0)];
  return concat([...header, u32(3000), u32(3000), u32(0), sound]);
};
const wv = () => {
  const block = (index: number) =>
    concat([
      ascii("wvpk"),
      u32(24 + 3000),
      le(2)(0x410),
      le(2)(0),
      u32(200),
      u32(index),
      u32(100),
      u32(0),
      u32(0),
      sound.slice(0, 3000),
    ]);
  return concat([block(0), block(100)]);
};
const riff = wavBytes([Float32Array.from(tone(8000, 4000))], 8000, 16);
const wave = { depth: "s16" as const, samples: tone(8000, 4000) };
const file = async (name: string) => new Uint8Array(await Bun.file(fixture(name)).arrayBuffer());

const FILES: [name: string, bytes: Uint8Array][] = [
  ["WAV", riff],
  ["RF64", rf64()],
  ["W64", w64()],
  ["AIFF", aiffBytes(wave)],
  ["CAF", caf()],
  ["AU", au()],
  ["DSF", dsfBytes(0.05)],
  ["Monkey's Audio", apeBytes(4)],
  ["True Audio", tta()],
  ["WavPack", wv()],
  ["FLAC", await file("tone.flac")],
  ["MP3", await file("tone.mp3")],
  ["Ogg Vorbis", await file("tone.ogg")],
  ["Opus", await file("tone.opus")],
  ["AAC in MP4", await file("tone-aac.m4a")],
  ["ALAC in MP4", await file("tone-alac.m4a")],
];

/** Places where a file of this length is cut: evenly spread, and the last bytes one by one. */
const placesOf = (length: number) => [
  ...Array.from({ length: 190 }, (_, index) => Math.floor((length * (index + 1)) / 191)),
  ...Array.from({ length: 10 }, (_, index) => length - 10 + index),
];

const wholeness = (bytes: Uint8Array) => {
  writeFileSync(folder.file("sound"), bytes);
  return wholenessOf(folder.file("sound"), bytes.length);
};

test.each(FILES)("%s is whole at its end, and nowhere else", async (_, bytes) => {
  expect(await wholeness(bytes)).toBe("whole");

  const wrong: number[] = [];
  // A writer may leave out the byte that makes the length even.
  for (const place of placesOf(bytes.length))
    if ((await wholeness(bytes.slice(0, place))) === "whole" && place < bytes.length - 1) wrong.push(place);
  expect(wrong).toEqual([]);
});

const ENCODED: [name: string, options: string[]][] = [
  ["mp2", ["-f", "mp2"]],
  ["aac", ["-f", "adts"]],
  ["ac3", ["-f", "ac3"]],
  ["wma", ["-f", "asf"]],
  ["tta", []],
  ["wv", []],
  ["caf", []],
  ["w64", []],
  ["mp3", []],
  ["flac", []],
];

test.skipIf(!FFMPEG).each(ENCODED)(
  "%s of ffmpeg is whole at its end, and nowhere else",
  async (ending, options) => {
    const path = folder.file(`encoded.${ending}`);
    const source = ["-f", "lavfi", "-i", "sine=440:duration=2:sample_rate=44100"];
    const made = Bun.spawnSync([FFMPEG?.path ?? "", "-v", "error", "-y", ...source, ...options, path]);
    expect(made.stderr.toString()).toBe("");
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());

    expect(await wholeness(bytes)).toBe("whole");
    const wrong: number[] = [];
    for (const place of placesOf(bytes.length))
      if ((await wholeness(bytes.slice(0, place))) === "whole") wrong.push(place);
    expect(wrong).toEqual([]);
  },
);

test("a header that is not written yet, or that a stream left open, says nothing", async () => {
  const bytes = riff;
  const sized = (size: number) => concat([bytes.slice(0, 4), u32(size), bytes.slice(8)]);
  const empty = concat([ascii("RIFF"), u32(36), bytes.slice(8, 40), u32(0)]);

  expect([await wholeness(sized(0)), await wholeness(sized(0xffff_ffff))]).toEqual(["unsure", "unsure"]);
  expect([await wholeness(empty), await wholeness(concat([empty, sound]))]).toEqual(["unsure", "unsure"]);
  expect(await wholeness(ascii("this is not music at all"))).toBeUndefined();
});

test("tags at the end of a file do not count", async () => {
  const tag = concat([ascii("TAG"), new Uint8Array(125)]);

  for (const name of ["tone.mp3", "tone.flac"])
    expect(await wholeness(concat([await file(name), tag]))).toBe("whole");
  expect(await wholeness(concat([riff, tag]))).toBe("whole");
});
