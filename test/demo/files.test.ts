import { describe, expect, test } from "bun:test";
import { parseBuffer } from "music-metadata";
import { silence } from "../../src/demo/dsp/audio.ts";
import { encodeId3 } from "../../src/demo/id3.ts";
import { DEMO_PIECES, type DemoPiece } from "../../src/demo/pieces.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { decodeWav, peakOf } from "./measure.ts";

/** Returns the same file with its score cut to a bar, for tests that only read the tags. */
function shortened(piece: DemoPiece): DemoPiece {
  return { ...piece, score: { ...piece.score, bars: 1, parts: [] } };
}

const byStyle = DEMO_PIECES.map((piece) => [piece.style, piece] as const);

describe("a demo file", () => {
  test.each(byStyle)("a demo file of %s has exactly the tags that its piece names", async (_, piece) => {
    const { common, format } = await parseBuffer(renderPiece(shortened(piece)), { mimeType: "audio/wav" });

    const has = (tag: (typeof piece.tags)[number]) => piece.tags.includes(tag);
    const shortKey = piece.key.replace(" major", "").replace(" minor", "m");
    expect(format).toMatchObject({
      container: "WAVE",
      sampleRate: 44_100,
      bitsPerSample: 16,
      numberOfChannels: 2,
    });
    expect(common.title).toBe(has("title") ? piece.title : undefined);
    expect(common.artist).toBe(has("artist") ? piece.artist : undefined);
    expect(common.genre).toEqual(has("genre") ? [piece.style] : undefined);
    expect(common.bpm).toBe(has("bpm") ? piece.bpm : undefined);
    expect(common.key).toBe(has("key") ? shortKey : undefined);
    expect(common.year).toBe(has("year") ? piece.year : undefined);
  });

  test("a demo file has its title and artist as RIFF INFO too, for programs that do not read ID3", async () => {
    const [piece] = DEMO_PIECES;
    if (!piece) throw new Error("The library is empty");

    const { native } = await parseBuffer(renderPiece(shortened(piece)), { mimeType: "audio/wav" });

    expect(native.exif).toContainEqual({ id: "INAM", value: piece.title });
    expect(native.exif).toContainEqual({ id: "IART", value: piece.artist });
  });

  test("refuses a piece whose key cannot be read", () => {
    const [piece] = DEMO_PIECES;
    if (!piece) throw new Error("The library is empty");

    expect(() => renderPiece({ ...shortened(piece), key: "H minor" })).toThrow(RangeError);
  });
});

describe("encodeWav", () => {
  test("keeps the samples within two 16-bit steps", () => {
    const audio = silence(100);
    audio.left.forEach((_, i) => {
      audio.left[i] = Math.sin(i);
      audio.right[i] = i / 100;
    });

    const { left, right } = decodeWav(encodeWav(audio, []));

    const furthest = (got: Float32Array, given: Float32Array) =>
      peakOf(got.map((sample, i) => sample - (given[i] ?? 0)));
    expect(furthest(left, audio.left)).toBeLessThan(2 / 32_768);
    expect(furthest(right, audio.right)).toBeLessThan(2 / 32_768);
  });

  test("starts every chunk at an even offset and counts every byte", () => {
    const bytes = encodeWav(silence(1), [{ name: "odd ", content: Uint8Array.from([1, 2, 3]) }]);

    const view = new DataView(bytes.buffer);
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
    expect(bytes.length).toBe(44 + 4 + 8 + 3 + 1);
  });
});

describe("encodeId3", () => {
  test("keeps a title that Latin-1 cannot encode", async () => {
    const id3 = encodeId3([
      { name: "TIT2", text: "Żółw 夜" },
      { name: "TPE1", text: "Café" },
    ]);
    const file = encodeWav(silence(10), [{ name: "id3 ", content: id3 }]);

    const { common } = await parseBuffer(file, { mimeType: "audio/wav" });

    expect(common).toMatchObject({ title: "Żółw 夜", artist: "Café" });
  });

  test("states a size over 127 bytes seven bits at a time", () => {
    const id3 = encodeId3([{ name: "TIT2", text: "x".repeat(300) }]);

    expect([...id3.subarray(6, 10)]).toEqual([0, 0, (id3.length - 10) >> 7, (id3.length - 10) & 127]);
  });
});
