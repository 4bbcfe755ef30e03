import { describe, expect, test } from "bun:test";
import { framesIn } from "../../src/demo/dsp/audio.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { perform, songOf } from "../../src/demo/perform.ts";
import type { DemoPiece, Part, Score } from "../../src/demo/piece.ts";
import { hits, type Phrase } from "../../src/demo/score.ts";

/** Returns a piece at 60 beats per minute, where each beat is a second. */
function pieceWith(score: Partial<Score> = {}): DemoPiece {
  const plain = { bars: 2, beatsPerBar: 4, harmony: "I", levelDbfs: -15, parts: [] };
  return {
    filename: "test.wav",
    title: "Test",
    artist: "Test",
    bpm: 60,
    key: "C major",
    style: "Test",
    year: 2026,
    tags: [],
    score: { ...plain, room: { decaySeconds: 1, dullness: 0.5 }, ...score },
  };
}

/** Returns the times in seconds of a one-sample click in the first channel. */
function clickTimes(piece: DemoPiece, phrase: Phrase, part: Partial<Part> = {}): number[] {
  const click: Part = { voice: () => Float32Array.from([1]), phrase, levelDb: 0, ...part };
  const [channel = new Float32Array(0)] = perform(click, piece, songOf(piece), framesIn(8), randomFrom("x"));
  return [...channel.keys()].filter((i) => channel[i] !== 0).map((i) => i / 44_100);
}

describe("a performance", () => {
  test("plays on the grid, up to 4 ms late like a player", () => {
    const times = clickTimes(pieceWith(), hits("x...x..."));

    expect(times).toHaveLength(8);
    times.forEach((seconds, beat) => {
      expect(seconds).toBeWithin(beat - 1e-4, beat + 0.0042);
    });
    expect(new Set(times.map((seconds) => seconds % 1)).size).toBeGreaterThan(1);
  });

  test("swings every second sixteenth and keeps the others in place", () => {
    const [first, second, third] = clickTimes(pieceWith({ swing: 0.4, bars: 1 }), hits("xxx............."));

    expect(first).toBeCloseTo(0, 1);
    expect(second).toBeWithin(0.25 * 1.4 - 1e-4, 0.25 * 1.4 + 0.0042);
    expect(third).toBeWithin(0.5 - 1e-4, 0.5042);
  });

  test("keeps a part silent in the bars that it skips", () => {
    const times = clickTimes(pieceWith(), hits("x..............."), { bars: ".x" });

    expect(times).toHaveLength(1);
    expect(times[0]).toBeCloseTo(4, 1);
  });

  test("is in stereo when the part is wide", () => {
    const piece = pieceWith();
    const part: Part = {
      voice: (_, random) => Float32Array.from([random()]),
      phrase: hits("x"),
      levelDb: 0,
      isWide: true,
    };

    const [left, right, ...more] = perform(part, piece, songOf(piece), framesIn(8), randomFrom("x"));

    expect(more).toHaveLength(0);
    expect(left?.some((sample) => sample !== 0)).toBe(true);
    expect(left).not.toEqual(right ?? new Float32Array(0));
  });
});
