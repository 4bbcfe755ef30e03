import { describe, expect, test } from "bun:test";
import { sniffAudio } from "../../src/media/formats/sniff.ts";
import { fixture } from "./media-files.ts";
import { aiffBytes, ascii, concat, tone, wavBytes } from "./wave-bytes.ts";

const SAMPLES = tone(8000, 100);
const fixtureBytes = (name: string) => Bun.file(fixture(name)).bytes();
/** Returns an ID3v2 tag with a body of zeros. */
const id3 = (bytes: number) =>
  concat([ascii("ID3\x04\0\0"), Uint8Array.of(0, 0, bytes >> 7, bytes & 0x7f), new Uint8Array(bytes)]);
const randomBytes = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed, 2_654_435_761) ^ Math.imul(i, i + seed)) >>> 13);

describe("accepted files", () => {
  test.each([
    ["tone.wav", "wav", undefined, "audio/wav"],
    ["tone.aiff", "aiff", undefined, "audio/aiff"],
    ["tone.flac", "flac", "flac", "audio/flac"],
    ["tone.mp3", "mp3", "mp3", "audio/mpeg"],
    ["tone.ogg", "ogg", "vorbis", "audio/ogg"],
    ["tone.opus", "ogg", "opus", "audio/ogg"],
    ["tone-aac.m4a", "mp4", undefined, "audio/mp4"],
    ["tone-alac.m4a", "mp4", undefined, "audio/mp4"],
  ] as const)("%s is known by its bytes", async (name, container, codec, mediaType) => {
    const format = sniffAudio(await fixtureBytes(name));

    expect(format?.container).toBe(container);
    expect(format?.codec).toBe(codec);
    expect(format?.mediaType).toBe(mediaType);
  });

  test("RF64, AIFF-C, CAF and Wave64 are recognised", () => {
    expect(sniffAudio(wavBytes({ depth: "s16", samples: SAMPLES, isRf64: true }))?.container).toBe("wav");
    const aifc = aiffBytes({ depth: "s16", samples: SAMPLES, compression: "sowt" });
    expect(sniffAudio(aifc)?.container).toBe("aiff");
    expect(sniffAudio(ascii("caff\0\x01\0\0desc"))?.mediaType).toBe("audio/x-caf");
    const guid = "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0";
    expect(sniffAudio(ascii(`${guid}\0\0\0\0\0\0\0\0wave\xf3\xac`))?.container).toBe("w64");
  });

  test("an ID3 tag hides neither FLAC nor MP3", async () => {
    expect(sniffAudio(concat([id3(300), await fixtureBytes("tone.flac")]))?.container).toBe("flac");
    expect(sniffAudio(concat([id3(300), await fixtureBytes("tone.mp3")]))?.container).toBe("mp3");
  });

  test("an MP3 cut from a stream, which starts with half a frame, is recognised", async () => {
    const cut = (await fixtureBytes("tone.mp3")).subarray(700);

    expect(sniffAudio(cut)?.container).toBe("mp3");
  });

  test.each([
    ["WavPack", ascii("wvpk\x20\0\0\0\x10\x04"), "wv", "audio/x-wavpack"],
    ["True Audio", ascii("TTA1\x01\0\x02\0\x10\0"), "tta", "audio/x-tta"],
    ["Monkey's Audio", ascii("MAC \x96\x0f\0\0"), "ape", "audio/x-ape"],
    ["DSD", ascii("DSD \x1c\0\0\0\0\0\0\0"), "dsf", "audio/x-dsf"],
    ["AU", ascii(".snd\0\0\0\x18"), "au", "audio/basic"],
    [
      "WebM",
      ascii("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf2\x81\x04B\x82\x84webmB\x87\x81\x04"),
      "webm",
      "audio/webm",
    ],
    ["Windows Media", ascii("0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa\0b\xcel\0"), "asf", "audio/x-ms-wma"],
  ] as const)("%s is known", (_, head, container, mediaType) => {
    expect(sniffAudio(head)).toMatchObject({ container, mediaType });
  });

  test("MP2 and AC-3 are recognised by consecutive frames", () => {
    // 192 kbit/s at 48 kHz: 576 bytes per frame; 768 for AC-3.
    const [mp2, ac3] = [new Uint8Array(576), new Uint8Array(768)];
    mp2.set([0xff, 0xfd, 0xa4, 0x00]);
    ac3.set([0x0b, 0x77, 0, 0, 0x14, 0x40]);

    expect(sniffAudio(concat([mp2, mp2, mp2]))).toMatchObject({ container: "mp2", extension: "mp2" });
    expect(sniffAudio(concat([ac3, ac3, ac3]))?.mediaType).toBe("audio/ac3");
    expect(sniffAudio(concat([ac3, mp2]))).toBeUndefined();
  });

  test("an MP3 after 128 KB of junk is found", async () => {
    expect(sniffAudio(concat([randomBytes(3, 128 * 1024), await fixtureBytes("tone.mp3")]))?.container).toBe(
      "mp3",
    );
  });

  test("raw AAC is distinguished from MP3", () => {
    const frame = new Uint8Array(64);
    frame.set([0xff, 0xf1, 0x50, 0x80, 0x08, 0x1f, 0xfc]); // 64 bytes long by its header

    expect(sniffAudio(concat([frame, frame, frame, frame]))?.mediaType).toBe("audio/aac");
  });
});

describe("refused files", () => {
  test.each([
    ["nothing", new Uint8Array(0)],
    ["a playlist with an audio name", ascii("#EXTM3U\n#EXT-X-TARGETDURATION:10\nfile:///etc/passwd\n")],
    ["a web page", ascii("<!doctype html><title>song.mp3</title>")],
    ["a zip", ascii("PK\x03\x04\x14\0\0\0\x08\0song.wav")],
    ["a PNG", ascii("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
    ["a JPEG", concat([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16), ascii("JFIF"), new Uint8Array(200)])],
    ["a WebP, which is RIFF too", ascii("RIFF\x10\0\0\0WEBPVP8 ")],
    ["an AVI, which is RIFF too", ascii("RIFF\x10\0\0\0AVI LIST")],
    ["a HEIC photo, which is ftyp too", ascii("\0\0\0\x18ftypheic\0\0\0\0")],
    ["Ogg with video only", concat([ascii(`OggS\0\x02${"\0".repeat(20)}\x01\x07`), ascii("\x80theora")])],
    ["the first four bytes of a WAV", ascii("RIFF")],
    ["silence of no format", new Uint8Array(65_536)],
    ["all ones", new Uint8Array(65_536).fill(0xff)],
    ["a single MPEG header in zeros", concat([Uint8Array.of(0xff, 0xfb, 0x90, 0x64), new Uint8Array(5000)])],
  ])("a file is refused: %s", (_, bytes) => {
    expect(sniffAudio(bytes)).toBeUndefined();
  });

  test.each([
    ["a zip archive", ascii("PK\x03\x04\x0a\0\0\0")],
    ["a Matroska film", ascii("\x1aE\xdf\xa3\x01\0")],
    ["an AVI film", ascii("RIFF\x10\0\0\0AVI LIST")],
    ["an MPEG film", ascii("\0\0\x01\xba\x44\0")],
    ["a tar archive", concat([ascii("song.mp3"), new Uint8Array(249), ascii("ustar\0")])],
  ])("%s is refused with an MP3 in it", async (_, head) => {
    expect(sniffAudio(concat([head, new Uint8Array(600), await fixtureBytes("tone.mp3")]))).toBeUndefined();
  });

  test("random bytes are refused, a hundred times over", () => {
    const taken = Array.from({ length: 100 }, (_, seed) => sniffAudio(randomBytes(seed * 7919, 16_384)));

    expect(taken.filter((format) => format !== undefined)).toEqual([]);
  });

  test("a WAV header cut anywhere gets an answer", () => {
    const bytes = wavBytes({ depth: "s16", samples: SAMPLES });

    for (let length = 0; length < 12; length += 1)
      expect(sniffAudio(bytes.subarray(0, length))).toBeUndefined();
    expect(sniffAudio(bytes.subarray(0, 12))?.container).toBe("wav");
  });
});
