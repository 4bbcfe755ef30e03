import { describe, expect, test } from "bun:test";
import { beatlessSounds } from "../../lab/eval-audio/beatless.ts";
import { createRandom } from "../../lab/eval-audio/random.ts";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { chordProgression, drumLoop } from "../support/signals.ts";

/** The rate of the analysis: nothing to convert keeps the tests quick. */
const RATE = 22_050;

function keyOf(samples: Float32Array, sampleRateHz = RATE) {
  const analyzer = createAnalyzer({ sampleRateHz, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish().key;
}

/** Repeats semitones above A for 16 s, each note a saw-tooth of twelve partials. */
function bassLine(semitones: readonly number[]): Float32Array {
  const noteSec = 0.12;
  return Float32Array.from({ length: 16 * RATE }, (_, n) => {
    const note = Math.floor(n / RATE / noteSec);
    const hz = 110 * 2 ** ((semitones[note % semitones.length] ?? 0) / 12);
    const atSec = n / RATE - note * noteSec;
    let sum = 0;
    for (let partial = 1; partial <= 12; partial++)
      sum += Math.sin(2 * Math.PI * partial * hz * atSec) / partial;
    return 0.25 * sum * Math.exp(-12 * atSec);
  });
}

describe("key", () => {
  test.each([
    ["C major", { tonic: 0, minor: false }],
    ["A minor", { tonic: 9, minor: true }],
    ["Eb major", { tonic: 3, minor: false }],
    ["C minor", { tonic: 0, minor: true }],
  ])("%s is distinguished from the key with the same notes", (name, key) => {
    const { name: found, confidence } = keyOf(chordProgression(RATE, 24, key));

    expect(found).toBe(name);
    expect(confidence).toBeGreaterThan(0.6);
  });

  test("the key is found thirty cents above concert pitch, and so are the thirty cents", () => {
    const { name, tuningCents } = keyOf(chordProgression(RATE, 24, { tonic: 7, minor: false, cents: 30 }));

    expect(name).toBe("G major");
    expect(Math.abs((tuningCents ?? 0) - 30)).toBeLessThan(3);
  });

  test("is found under loud drums", () => {
    const drums = drumLoop(RATE, 24, 112);
    const chords = chordProgression(RATE, 24, { tonic: 2, minor: true });

    expect(keyOf(chords.map((value, i) => value + (drums[i] ?? 0))).name).toBe("D minor");
  });

  test("is found through a fade-out", () => {
    const chords = chordProgression(RATE, 32, { tonic: 5, minor: false });

    expect(keyOf(chords.map((value, i) => value * (1 - i / chords.length) ** 2)).name).toBe("F major");
  });

  test("a key whose third nobody plays is as likely minor as major: a bass line has a major third as an overtone", () => {
    const without = keyOf(bassLine([0, 0, 12, 7, 0, 0, 10, 7]));
    const withIt = keyOf(bassLine([0, 4, 12, 7, 0, 4, 9, 7]));

    expect([without.name, withIt.name]).toEqual(["A major", "A major"]);
    expect(without.confidence).toBeLessThan(0.6);
    expect(withIt.confidence).toBeGreaterThan(0.8);
  });

  const atonal = beatlessSounds(createRandom(2)).filter(({ truth }) => truth.key === null);
  test.each(atonal.map(({ name, samples }) => [name, samples] as const))(
    "the key of %s is null",
    (_, samples) => {
      expect(keyOf(samples, 44_100)).toMatchObject({ name: null, confidence: 0 });
    },
  );
});
