import { describe, expect, test } from "bun:test";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { alternativeTempo } from "../../src/audio/structure/alternative-tempo.ts";
import { addNote, BACKBEAT, chordProgression, drumLoop, joined, noise, silence } from "../support/signals.ts";

/** The rate of the analysis: nothing to convert keeps the tests quick. */
const RATE = 22_050;

function structureOf(samples: Float32Array) {
  const analyzer = createAnalyzer({ sampleRateHz: RATE, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish().structure;
}

const mixed = (...parts: Float32Array[]): Float32Array => {
  const [first = silence(RATE, 1), ...others] = parts;
  return first.map((value, i) => others.reduce((sum, part) => sum + (part[i] ?? 0), value));
};
const quieter = (samples: Float32Array, gain: number) => samples.map((value) => gain * value);

/** A waltz: bass on one, chords on two and three, another chord in each bar. */
function waltz(seconds: number, bpm: number): Float32Array {
  const out = silence(RATE, seconds);
  const beat = 60 / bpm;
  const roots = [48, 53, 55, 48];
  for (let at = 0; at * beat < seconds - 1; at++) {
    const root = roots[Math.floor(at / 3) % 4] ?? 48;
    const notes = at % 3 === 0 ? [root - 12] : [root + 12, root + 16, root + 19];
    for (const note of notes)
      addNote(out, {
        sampleRateHz: RATE,
        at: at * beat,
        hz: 440 * 2 ** ((note - 69) / 12),
        amplitude: at % 3 === 0 ? 0.4 : 0.12,
        harmonics: 4,
        decay: 6,
      });
  }
  return out;
}

describe("structure", () => {
  test("a backbeat is in four, its bars begin with the kick that carries the chord", () => {
    const drums = drumLoop(RATE, 60, 120, BACKBEAT);
    const chords = chordProgression(RATE, 60, { tonic: 5, minor: false });

    const { metre, downbeats, swing } = structureOf(mixed(quieter(drums, 0.5), chords));

    expect(metre).toBe("4/4");
    expect(swing).toBeCloseTo(0.5, 1);
    const off = downbeats.map((sec) => Math.abs(sec - 2 * Math.round(sec / 2)));
    expect(downbeats.length).toBeGreaterThan(25);
    expect(Math.max(...off)).toBeLessThan(0.07);
  });

  test("a waltz is in three", () => {
    expect(structureOf(waltz(50, 140)).metre).toBe("3/4");
  });

  test("noise has no metre, no bars and no swing", () => {
    expect(structureOf(noise(RATE, 30, 0.1))).toMatchObject({ metre: null, downbeats: [], swing: null });
  });

  test("what sets in and what falls away are borders of sections", () => {
    const chords = chordProgression(RATE, 128, { tonic: 2, minor: true });
    const drums = drumLoop(RATE, 32, 120, BACKBEAT);
    const band = joined(silence(RATE, 16), drums, silence(RATE, 16), drums, silence(RATE, 32));

    const { sections } = structureOf(mixed(quieter(chords, 0.4), band));

    const near = (sec: number) => sections.some(({ startSec }) => Math.abs(startSec - sec) < 2.1);
    expect([16, 48, 64, 96].filter((sec) => !near(sec))).toEqual([]);
    expect(sections[0]).toMatchObject({ kind: "intro", startSec: 0 });
    expect(sections.find(({ startSec }) => Math.abs(startSec - 16) < 2.1)?.kind).toBe("chorus-like");
    expect(sections.at(-1)?.endSec).toBeCloseTo(128, 1);
  });

  test.each([
    ["fast music is felt at half", { bpm: 174, candidates: [{ bpm: 174, confidence: 0.9 }] }, 87],
    ["slow music at double", { bpm: 70, candidates: [{ bpm: 70, confidence: 0.9 }] }, 140],
    [
      "what the analysis is in doubt about, too",
      { bpm: 96, candidates: [{ bpm: 96, confidence: 0.6 }, { bpm: 192, confidence: 0.3 }] }, // biome-ignore format: one line
      192,
    ],
    ["a usual tempo is felt as one", { bpm: 120, candidates: [{ bpm: 120, confidence: 0.97 }] }, null],
    ["no beat has no other", { bpm: null, candidates: [] }, null],
  ])("%s", (_, tempo, other) => {
    expect(alternativeTempo(tempo, "4/4")).toBe(other);
  });

  test("a fast waltz is felt in one", () => {
    expect(alternativeTempo({ bpm: 180, candidates: [] }, "3/4")).toBe(60);
  });
});
