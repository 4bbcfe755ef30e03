import { describe, expect, test } from "bun:test";
import { amplitude, framesIn, mixInto, SAMPLE_RATE_HZ, silence } from "../../src/demo/dsp/audio.ts";
import { master } from "../../src/demo/dsp/dynamics.ts";
import { applyEnvelope } from "../../src/demo/dsp/envelope.ts";
import { applyFilter } from "../../src/demo/dsp/filter.ts";
import { addTone } from "../../src/demo/dsp/oscillator.ts";
import { addPartial } from "../../src/demo/dsp/partial.ts";
import { randomFrom, whiteNoise } from "../../src/demo/dsp/random.ts";
import { echo, reverberate } from "../../src/demo/dsp/space.ts";
import { piano } from "../../src/demo/voices/keys.ts";
import { pluck } from "../../src/demo/voices/pluck.ts";
import { synth } from "../../src/demo/voices/synth.ts";
import type { Voice } from "../../src/demo/voices/voice.ts";
import { goertzel, peakOf, rmsOf } from "./measure.ts";

const decibels = (value: number) => 20 * Math.log10(value);

/** A steady sine of amplitude 1. */
function sine(frequencyHz: number, seconds: number): Float32Array {
  const samples = new Float32Array(framesIn(seconds));
  addTone(samples, { wave: "sine", frequencyHz, gain: 1, phase: 0 });
  return samples;
}

describe("an instrument plays in tune", () => {
  const plain = { attack: 0.01, decay: 1, sustain: 1, release: 0.1 };
  const voices: [string, Voice, number][] = [
    ["synthesiser", synth({ wave: "saw", envelope: plain, cutoffHz: 6000 }), 440],
    ["plucked string", pluck({ ringSeconds: 3, brightness: 0.4 }), 440],
    ["plucked bass", pluck({ ringSeconds: 3, brightness: 0.1 }), 55],
    ["piano", piano(), 261.63],
  ];

  test.each(voices)("%s, to within 4 cents", (_, voice, frequencyHz) => {
    const note = voice({ frequencyHz, heldSeconds: 2, velocity: 0.8 }, randomFrom("tuning"));

    const body = note.subarray(framesIn(0.1), framesIn(1.9));
    const strengths = Array.from({ length: 101 }, (__, i) => {
      const cents = i - 50;
      return { cents, strength: goertzel(body, frequencyHz * 2 ** (cents / 1200)) };
    });
    const best = strengths.reduce((top, next) => (next.strength > top.strength ? next : top));
    expect(Math.abs(best.cents)).toBeLessThanOrEqual(4);
    expect(best.strength).toBeGreaterThan(0.01);
  });
});

describe("a saw wave", () => {
  test("has harmonics that fall as 1/n, and aliases 45 dB below its fundamental", () => {
    const samples = new Float32Array(framesIn(1));
    addTone(samples, { wave: "saw", frequencyHz: 1760, gain: 1, phase: 0 });

    const fundamental = goertzel(samples, 1760);
    const folded = goertzel(samples, SAMPLE_RATE_HZ - 24 * 1760); // where harmonic 24 would land, unsmoothed
    expect(fundamental).toBeCloseTo(2 / Math.PI, 1);
    expect(goertzel(samples, 3520) / fundamental).toBeCloseTo(1 / 2, 1);
    expect(decibels(folded / fundamental)).toBeLessThan(-45);
  });
});

describe("a dying partial", () => {
  test("falls by 60 dB in its ring time", () => {
    const samples = new Float32Array(framesIn(2));

    addPartial(samples, { frequencyHz: 500, gain: 1, ringSeconds: 1 });

    const early = rmsOf(samples.subarray(0, 441));
    const late = rmsOf(samples.subarray(44_100, 44_541));
    expect(decibels(late / early)).toBeCloseTo(-60, 0);
  });
});

describe("a filter", () => {
  test.each([
    ["low", 100, 0],
    ["low", 8000, -36],
    ["high", 8000, 0],
    ["high", 100, -40],
    ["band", 1000, 0],
  ] as const)(
    "a filter that passes %s lets %i Hz through at about %i dB around a 1 kHz cutoff",
    (kind, hz, expected) => {
      const samples = sine(hz, 0.5);

      applyFilter(samples, kind, 1000);

      const gain = decibels(rmsOf(samples.subarray(4410)) * Math.SQRT2);
      expect(Math.abs(gain - expected)).toBeLessThan(2.5);
    },
  );

  test("swept hard at full resonance stays finite and bounded", () => {
    const samples = whiteNoise(44_100, randomFrom("sweep"));

    applyFilter(samples, "low", (seconds) => 50 * 400 ** seconds, 1);

    expect(peakOf(samples)).toBeLessThan(20);
  });
});

describe("an envelope", () => {
  test("rises in its attack, stays at its sustain and ends at exactly zero", () => {
    const samples = new Float32Array(framesIn(2.5)).fill(1);

    applyEnvelope(samples, { attack: 0.1, decay: 0.1, sustain: 0.4, release: 0.5 }, 2, 1);

    expect(samples[framesIn(0.05)]).toBeCloseTo(0.5, 3);
    expect(samples[framesIn(1.9)]).toBeCloseTo(0.4, 3);
    expect(samples.at(-1)).toBeLessThan(1e-4);
  });
});

describe("a room", () => {
  test("falls by 60 dB in its decay time and reaches both ears", () => {
    const dry = silence(framesIn(2));
    dry.left[0] = 1;
    dry.right[0] = 1;

    const { left, right } = reverberate(dry, { decaySeconds: 1, dullness: 0 });

    const slope = (samples: Float32Array) =>
      decibels(rmsOf(samples.subarray(framesIn(1.2), framesIn(1.4)))) -
      decibels(rmsOf(samples.subarray(framesIn(0.2), framesIn(0.4))));
    expect(Math.abs(slope(left) + 60)).toBeLessThan(3);
    expect(Math.abs(slope(right) + 60)).toBeLessThan(3);
  });
});

describe("an echo", () => {
  test("sounds first on the left, then softer on the right", () => {
    const dry = silence(framesIn(2));
    dry.left[0] = 1;
    dry.right[0] = 1;

    const { left, right } = echo(dry, 0.5, { beats: 1, feedback: 0.5 });

    expect(left[framesIn(0.5)]).toBe(1);
    expect(right[framesIn(0.5)]).toBe(0);
    expect(right[framesIn(1)]).toBe(0.5);
    expect(left[framesIn(1.5)]).toBe(0.25);
  });
});

describe("mixing one sound onto another", () => {
  test.each([
    [1, [1, 1 + 2, 1 + 4, 1]],
    [3, [1, 1, 1, 1 + 2]],
    [-1, [1 + 4, 1, 1, 1]],
    [9, [1, 1, 1, 1]],
    [-9, [1, 1, 1, 1]],
  ])("a sound mixed in from sample %i on is cut off outside", (start, expected) => {
    const target = new Float32Array(4).fill(1);

    mixInto(target, Float32Array.from([1, 2]), 2, start);

    expect([...target]).toEqual(expected);
  });
});

describe("mastering", () => {
  test("brings a quiet mix to its level", () => {
    const tone = sine(440, 2).map((sample) => sample * 0.01);
    const mix = { left: tone, right: tone.slice() };

    master(mix, -20);

    expect(decibels(rmsOf(mix.left))).toBeCloseTo(-20, 1);
  });

  test("holds sudden peaks under -1 dBFS and does not change distant samples", () => {
    const tone = sine(440, 2).map((sample, i) => sample * (i === 44_100 ? 0 : 0.1));
    const mix = { left: tone, right: tone.slice() };
    mix.left[44_100] = 5;
    const before = mix.right.slice();

    master(mix, decibels(rmsOf(before)));

    expect(peakOf(mix.left)).toBeLessThanOrEqual(amplitude(-1) + 1e-6);
    expect(mix.right[1000]).toBeCloseTo(before[1000] ?? 0, 1);
    expect(Math.abs(mix.right[44_100 + 30] ?? 0)).toBeLessThan(Math.abs(before[44_100 + 30] ?? 0) / 2);
  });
});

describe("randomness", () => {
  test("repeats for the same text, differs for another, and covers its range evenly", () => {
    const draw = (text: string) => {
      const random = randomFrom(text);
      return Array.from({ length: 10_000 }, random);
    };

    const values = draw("a");

    expect(draw("a")).toEqual(values);
    expect(draw("b")).not.toEqual(values);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
  });
});
