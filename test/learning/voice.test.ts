import { describe, expect, test } from "bun:test";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { noise, seededRandom, sine } from "../support/signals.ts";

const RATE_HZ = 22_050;

function likelihoodOf(samples: Float32Array): number | undefined {
  const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish().features.voiceLikelihood;
}

/** Returns four or five syllables per second: a 120 Hz buzz through two formants that jump with each syllable. */
function babble(seconds: number): Float32Array {
  const random = seededRandom(3);
  const out = new Float32Array(Math.round(RATE_HZ * seconds));
  for (let at = 0; at < out.length; ) {
    const length = Math.round(RATE_HZ * (0.12 + 0.1 * random()));
    const [first, second] = [300 + 500 * random(), 1000 + 1400 * random()];
    const pitch = 110 + 30 * random();
    for (let i = 0; i < length && at + i < out.length; i++) {
      let sum = 0;
      for (let k = 1; k * pitch < 3400; k++) {
        const gain =
          Math.exp(-(((k * pitch - first) / 120) ** 2)) +
          0.5 * Math.exp(-(((k * pitch - second) / 180) ** 2));
        sum += (gain + 0.01) * Math.sin((2 * Math.PI * k * pitch * i) / RATE_HZ);
      }
      out[at + i] = 0.15 * sum * Math.sin((Math.PI * i) / length);
    }
    at += length + Math.round(RATE_HZ * 0.06 * random());
  }
  return out;
}

describe("the likelihood of a voice", () => {
  test("is higher for sound with formants that move like a mouth's than for tones, noise and beats", () => {
    const speech = likelihoodOf(babble(10)) ?? 0;
    const others = [
      sine(RATE_HZ, 10, 220),
      noise(RATE_HZ, 10),
      babble(10).map((_, i) => (i % 11_025 < 900 ? 0.5 : 0)),
    ];

    expect(speech).toBeGreaterThan(0.5);
    for (const other of others) expect(likelihoodOf(other)).toBeLessThan(0.4);
  });

  test("is never fully certain", () => {
    for (const samples of [babble(10), noise(RATE_HZ, 10)])
      expect(likelihoodOf(samples)).toBeWithin(0.05, 0.951);
  });

  test("is missing for sounds that are too short or silent", () => {
    expect(likelihoodOf(babble(2))).toBeUndefined();
    expect(likelihoodOf(new Float32Array(RATE_HZ * 10))).toBeUndefined();
  });
});
