import { describe, expect, test } from "bun:test";
import { beatlessSounds } from "../../lab/eval-audio/beatless.ts";
import { createRandom } from "../../lab/eval-audio/random.ts";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { BACKBEAT, chordProgression, drumLoop, joined, noise, sine } from "../support/signals.ts";

/** The rate of the analysis: nothing to convert keeps the tests quick. */
const RATE = 22_050;

function tempoOf(samples: Float32Array, sampleRateHz = RATE) {
  const analyzer = createAnalyzer({ sampleRateHz, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish().tempo;
}

/** Plays a sound faster and slower by `span`, in waves of 40 seconds; the pitch changes with it. */
function wavering(samples: Float32Array, span: number): Float32Array {
  let at = 0;
  return Float32Array.from({ length: Math.floor(samples.length * (1 - span)) }, (_, i) => {
    at += 1 + span * Math.sin((2 * Math.PI * i) / RATE / 40);
    const before = Math.floor(at);
    const part = at - before;
    return (samples[before] ?? 0) * (1 - part) + (samples[before + 1] ?? 0) * part;
  });
}

describe("tempo", () => {
  test.each([0.01, 0.02, 0.03])(
    "the tempo of a band that varies by %d is found within three per cent",
    (span) => {
      const drums = drumLoop(RATE, 60, 120);
      const chords = chordProgression(RATE, 60, { tonic: 5, minor: false });
      const band = chords.map((value, i) => value + 0.5 * (drums[i] ?? 0));

      const { bpm } = tempoOf(wavering(band, span));

      expect(Math.abs((bpm ?? 0) / 120 - 1)).toBeLessThan(0.03);
    },
  );

  test("is found through a fade-out of the whole piece", () => {
    const piece = drumLoop(RATE, 40, 124);
    const faded = piece.map((value, i) => value * (1 - i / piece.length) ** 2);

    expect(tempoOf(faded).bpm).toBe(124);
  });

  test.each([
    ["held tones", sine(RATE, 20, 220, 0.2)],
    ["noise", noise(RATE, 20, 0.05)],
  ])("is found after twenty seconds of %s", (_, intro) => {
    expect(tempoOf(joined(intro, drumLoop(RATE, 25, 128))).bpm).toBe(128);
  });

  test("the tempo of a drum machine is the whole number that it was set to", () => {
    expect(tempoOf(drumLoop(RATE, 60, 127, BACKBEAT)).bpm).toBe(127);
  });

  test.each(beatlessSounds(createRandom(1)).map(({ name, samples }) => [name, samples] as const))(
    "the tempo of %s is null",
    (_, samples) => {
      expect(tempoOf(samples, 44_100).bpm).toBeNull();
    },
  );
});
