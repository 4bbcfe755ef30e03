import { afterAll, describe, expect, test } from "bun:test";
import { id3v2Bytes } from "../../src/media/formats/mpeg-header.ts";
import { line, prose } from "../../src/media/tags/clean-tags.ts";
import { probeFile } from "../../src/media/tags/probe.ts";
import { fixture, makeFolder, requestFor } from "./media-files.ts";
import { ascii, concat, tone, wavBytes } from "./wave-bytes.ts";

const folder = makeFolder();
const { file } = folder;
afterAll(folder.remove);

const uint32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
/** Returns a frame of an ID3v2.3 tag. */
const frame = (id: string, body: Uint8Array) => concat([ascii(id), uint32(body.length), ascii("\0\0"), body]);
const utf16 = (text: string) => concat([ascii("\x01\xff\xfe"), new Uint8Array(Buffer.from(text, "utf16le"))]);
const latin1 = (text: string) => concat([ascii("\0"), ascii(text)]);
const id3v2 = (frames: Uint8Array[]) => {
  const body = concat(frames);
  const size = Uint8Array.of(
    body.length >> 21,
    (body.length >> 14) & 127,
    (body.length >> 7) & 127,
    body.length & 127,
  );
  return concat([ascii("ID3\x03\0\0"), size, body]);
};
/** A minimal PNG: its signature and no real picture. */
const PNG = concat([ascii("\x89PNG\r\n\x1a\n"), new Uint8Array(40)]);

async function probeMp3(tag: Uint8Array) {
  const path = file("tagged.mp3");
  const bytes = await Bun.file(fixture("tone.mp3")).bytes();
  await Bun.write(path, concat([tag, bytes.subarray(id3v2Bytes(bytes))]));
  return probeFile(await requestFor(path, undefined));
}

describe("what a file is", () => {
  test.each([
    ["tone.wav", { codec: "PCM", lossless: true, sampleRateHz: 8000, bitDepth: 16, declaredDurationSec: 1 }],
    ["tone.aiff", { codec: "PCM", lossless: true, sampleRateHz: 8000, bitDepth: 16, declaredDurationSec: 1 }],
    [
      "tone.flac",
      { codec: "FLAC", lossless: true, sampleRateHz: 8000, bitDepth: 16, declaredDurationSec: 1 },
    ],
    ["tone.mp3", { codec: "MPEG 1 Layer 3", lossless: false, sampleRateHz: 44_100, bitrateBps: 64_000 }],
    ["tone.ogg", { codec: "Vorbis I", lossless: false, sampleRateHz: 44_100, bitDepth: null }],
    ["tone.opus", { codec: "Opus", lossless: false, sampleRateHz: 48_000, bitDepth: null }],
    // An MP4 always declares two channels of AAC; only the decoder knows the real number.
    [
      "tone-aac.m4a",
      { channels: 2, codec: "MPEG-4/AAC", lossless: false, sampleRateHz: 44_100, bitDepth: null },
    ],
    ["tone-alac.m4a", { codec: "ALAC", lossless: true, sampleRateHz: 8000 }],
  ])("a file is recognised without ffmpeg: %s", async (name, expected) => {
    const probe = await probeFile(await requestFor(fixture(name), undefined));

    expect(probe).toMatchObject({ channels: 1, ...expected });
  });

  test("a file whose headers make no sense is refused", async () => {
    await Bun.write(file("junk.wav"), ascii(`RIFF\0\0\0\0WAVE${"junk".repeat(100)}`));

    const probing = probeFile(await requestFor(file("junk.wav"), undefined));

    await expect(probing).rejects.toMatchObject({ name: "MediaError", code: "corrupt" });
  });
});

describe("tags", () => {
  test("are read as the musician wrote them", async () => {
    const probe = await probeMp3(
      id3v2([
        frame("TIT2", utf16("Überfahrt ☂")),
        frame("TPE1", latin1("Oscillator")),
        frame("TPE2", latin1("Various")),
        frame("TALB", latin1("Sines")),
        frame("TCOM", latin1("A. Wave")),
        frame("TYER", latin1("2024")),
        frame("TSRC", latin1("QZABC2400001")),
        frame("TKEY", latin1("Am")),
        frame("TBPM", latin1("128")),
        frame("TCON", latin1("Techno")),
        frame("TRCK", latin1("3/12")),
        frame("TPOS", latin1("1/2")),
        frame("APIC", concat([latin1("image/jpeg"), ascii("\0\x03\0"), PNG])),
      ]),
    );

    expect(probe.tags).toEqual({
      title: "Überfahrt ☂",
      artist: "Oscillator",
      albumArtist: "Various",
      album: "Sines",
      composer: "A. Wave",
      year: 2024,
      isrc: "QZABC2400001",
      key: "Am",
      bpm: 128,
      genres: ["Techno"],
      trackNumber: 3,
      totalTracks: 12,
      discNumber: 1,
      totalDiscs: 2,
    });
    expect(probe.artwork?.mediaType).toBe("image/png");
    expect(probe.artwork?.bytes).toEqual(PNG);
  });

  test("contain no byte order marks, control characters or endless text", async () => {
    const { tags } = await probeMp3(
      id3v2([
        frame("TIT2", utf16("\ufeff  Night\u0000\u0007\r\nBus \u001b[31m ")),
        frame("TPE1", latin1("a".repeat(10_000))),
        frame("TBPM", latin1("-5")),
        frame("TYER", latin1("99999")),
        frame("TALB", latin1(" \x01 ")),
      ]),
    );

    expect(tags.title).not.toMatch(/[\p{Cc}\ufeff]/u);
    expect(tags.title).toStartWith("Night");
    expect(tags.artist?.length).toBe(500);
    expect(Object.keys(tags).sort()).toEqual(["artist", "title"]);
  });

  test("corrupt tags do not fail a file that plays", async () => {
    const broken = id3v2([concat([ascii("TIT2"), uint32(0x7fff_ffff), ascii("\0\0\xff\xff")])]);

    const probe = await probeMp3(broken);

    expect(probe).toMatchObject({ sampleRateHz: 44_100, channels: 1 });
  });

  test("a WAV whose LIST chunk is nonsense is still a WAV", async () => {
    const bytes = wavBytes({ depth: "s16", samples: tone(8000, 800) });
    const at = Buffer.from(bytes).indexOf("JUNK");
    bytes.set(ascii("LIST"), at);
    await Bun.write(file("list.wav"), bytes);

    const probe = await probeFile(await requestFor(file("list.wav"), undefined));

    expect(probe).toMatchObject({ sampleRateHz: 8000, channels: 1 });
  });

  test("a cover that is not a picture is ignored", async () => {
    const cover = frame(
      "APIC",
      concat([latin1("image/jpeg"), ascii("\0\x03\0"), ascii("<script>alert(1)</script>")]),
    );

    expect((await probeMp3(id3v2([cover]))).artwork).toBeUndefined();
  });
});

describe("cleaning", () => {
  test.each([
    ["  Night   Bus ", "Night   Bus"],
    ["one\r\ntwo", "one two"],
    ["\ufeffmarked", "marked"],
    ["nul\0nul", "nul nul"],
    [" \0 ", undefined],
    ["half \ud83d", "half"],
    ["שלום", "שלום"],
  ])("a line is cleaned: %j", (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  test("prose keeps its lines and is cut at its limit, never through a character", () => {
    expect(prose("a\r\nb\rc\u0007\td\0", 100)).toBe("a\nb\nc\td");
    expect(prose("ab😀cd", 3)).toBe("ab");
  });
});
