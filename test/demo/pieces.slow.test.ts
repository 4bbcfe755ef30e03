import { beforeAll, describe, expect, test } from "bun:test";
import type { Stereo } from "../../src/demo/dsp/audio.ts";
import { parseKey } from "../../src/demo/harmony.ts";
import { DEMO_PIECES, type DemoPiece } from "../../src/demo/pieces.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { demoFile } from "../support/demo-file.ts";
import { chromaOf, decodeWav, onsetsOf, peakOf, quarterRate, rmsOf, tempoNear } from "./measure.ts";

const heard = new Map<DemoPiece, Stereo>();
beforeAll(async () => {
  for (const piece of DEMO_PIECES) heard.set(piece, decodeWav(await demoFile(piece)));
});

/** Returns the samples of a piece's file. */
function listenTo(piece: DemoPiece): Stereo {
  const audio = heard.get(piece);
  if (!audio) throw new Error(`${piece.filename} is no piece of the demo`);
  return audio;
}

const byStyle = DEMO_PIECES.map((piece) => [piece.style, piece] as const);
const withPulse = byStyle.filter(([style]) => style !== "Ambient");

describe("the demo library", () => {
  test("has a dozen pieces, each with its own file, style, tempo and key", () => {
    expect(DEMO_PIECES).toHaveLength(12);
    for (const field of ["filename", "title", "style", "bpm", "key"] as const) {
      expect(new Set(DEMO_PIECES.map((piece) => piece[field])).size).toBe(12);
    }
  });

  test("has no tags in a third of its files", () => {
    expect(DEMO_PIECES.filter(({ tags }) => tags.length === 0)).toHaveLength(4);
  });
});

describe("each piece", () => {
  test.each(byStyle)(
    "%s lasts 20 to 35 s: its bars at its tempo, and two seconds to ring out",
    (_, piece) => {
      const seconds = listenTo(piece).left.length / 44_100;

      const { bars, beatsPerBar } = piece.score;
      expect(seconds).toBeCloseTo((bars * beatsPerBar * 60) / piece.bpm + 2, 3);
      expect(seconds).toBeWithin(20, 35);
    },
  );

  test.each(byStyle)("%s is loud enough to hear, never clips, and has two different channels", (_, piece) => {
    const { left, right } = listenTo(piece);

    const side = left.map((sample, i) => (sample - (right[i] ?? 0)) / 2);
    for (const channel of [left, right]) {
      expect(20 * Math.log10(peakOf(channel))).toBeLessThanOrEqual(-0.5);
      expect(20 * Math.log10(rmsOf(channel))).toBeWithin(-23, -10);
    }
    expect(20 * Math.log10(rmsOf(side))).toBeGreaterThan(-45);
  });

  test.each(byStyle)("%s starts at once and ends in silence", (_, piece) => {
    const { left } = listenTo(piece);

    expect(rmsOf(left.subarray(0, 44_100))).toBeGreaterThan(0.003);
    expect(peakOf(left.subarray(-44))).toBeLessThan(0.002);
  });

  test.each(withPulse)("%s keeps its tempo to within 0.3 %", (_, piece) => {
    const onsets = onsetsOf(quarterRate(listenTo(piece)), 11_025);

    const bpm = tempoNear(onsets, piece.bpm);

    expect(Math.abs(bpm / piece.bpm - 1)).toBeLessThan(0.003);
  });

  test.each(byStyle)("%s is in its key: no other scale fits its notes as well", (_, piece) => {
    const chroma = chromaOf(listenTo(piece));
    const { tonic, scale, isMinor } = parseKey(piece.key);

    const share = (root: number, steps: readonly number[]) =>
      steps.reduce((sum, step) => sum + (chroma[(root + step) % 12] ?? 0), 0);
    const roots = [...Array(12).keys()];
    const scales = roots.map((root) => share(root, scale));
    const triads = roots.flatMap((root) => [share(root, [0, 4, 7]), share(root, [0, 3, 7])]);
    const ownTriad = share(tonic, [0, isMinor ? 3 : 4, 7]);

    expect(scales.indexOf(Math.max(...scales))).toBe(tonic);
    expect(scales[tonic]).toBeGreaterThan(0.65); // twelve equal notes would give 7/12 = 0.58
    expect(triads.filter((triad) => triad > ownTriad).length).toBeLessThanOrEqual(1);
  });
});

describe("a four-on-the-floor kick", () => {
  const clubs = byStyle.filter(([style]) => ["Deep House", "Techno", "Synthwave"].includes(style));

  test.each(clubs)("the kick of %s falls on every beat, at most 10 ms late", (_, piece) => {
    const slow = quarterRate(listenTo(piece));
    const beatSeconds = 60 / piece.bpm;

    const levelAt = (seconds: number) => {
      const start = Math.round(seconds * 11_025);
      return rmsOf(slow.subarray(start, start + 220));
    };
    const beats = piece.score.bars * piece.score.beatsPerBar;
    const struck = [...Array(beats).keys()].filter((beat) => {
      const on = beat * beatSeconds;
      return beat === 0 || levelAt(on + 0.01) > 1.5 * levelAt(on - 0.03);
    });

    expect(struck.length / beats).toBeGreaterThan(0.95);
  });
});

describe("rendering", () => {
  test.each(byStyle.filter(([style]) => ["Reggae", "Waltz"].includes(style)))(
    "a piece of %s rendered twice gives the same bytes",
    async (_, piece) => {
      expect(Bun.hash(renderPiece(piece))).toBe(Bun.hash(await demoFile(piece)));
    },
  );
});
