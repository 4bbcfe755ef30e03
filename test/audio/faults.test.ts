import { describe, expect, test } from "bun:test";
import { PROFILES, RULES } from "../../db/readiness.ts";
import { FAULTS, type Stereo } from "../../scripts/readiness/faults.ts";
import { createAnalyzer, createCheck } from "../../src/audio/analyzer.ts";
import { checkedFacts, gainsOf } from "../../src/modules/library/readiness/facts.ts";
import { judge } from "../../src/modules/library/readiness/judge.ts";
import { interleaved, seededRandom, sine } from "../support/signals.ts";

const RATE_HZ = 44_100;
const SECONDS = 9;
const STEPS = 2 ** 23;
const custom = PROFILES.find(({ id }) => id === "custom") as (typeof PROFILES)[number];
const soundRules = RULES.filter(({ scope }) => scope === "sound");

/** A band of plucked notes in stereo that fades in and out, at 24 bits. */
function music(seed: number): Stereo {
  const random = seededRandom(seed);
  const channels = [0, 1].map((side) => {
    const samples = new Float32Array(SECONDS * RATE_HZ);
    for (let i = 0; i < samples.length; i++) samples[i] = 2e-3 * (random() - 0.5) + (side - 0.5) * 1e-5;
    return samples;
  }) as Stereo;
  for (let note = 0; note < 120; note++) {
    const [at, pitch, side] = [
      Math.floor(random() * (SECONDS - 1.5) * RATE_HZ),
      40 + Math.floor(random() * 40),
      random(),
    ];
    const hz = 440 * 2 ** ((pitch - 69) / 12);
    for (let i = 0; i < RATE_HZ && at + i < channels[0].length; i++) {
      const value =
        0.16 *
        Math.exp((-3 * i) / RATE_HZ) *
        Math.min(1, i / 200) *
        Math.sin((2 * Math.PI * hz * i) / RATE_HZ);
      channels[0][at + i] = (channels[0][at + i] as number) + value * (0.4 + 0.6 * side);
      channels[1][at + i] = (channels[1][at + i] as number) + value * (1 - 0.6 * side);
    }
  }
  const edge = RATE_HZ / 2;
  return channels.map((samples) =>
    samples.map((value, i) => {
      const fade = Math.min(1, i / edge, (samples.length - 1 - i) / edge);
      return Math.round(value * fade * STEPS) / STEPS;
    }),
  ) as Stereo;
}

/** Returns what the rules say of a sound in a file of so many bits. Loudness and peaks need the whole analysis. */
function failuresOf(sound: readonly Float32Array[], { bitDepth = 24, isWhole = false } = {}) {
  const format = { sampleRateHz: RATE_HZ, channels: sound.length };
  const check = createCheck(format);
  check.push(interleaved(...sound));
  const analyzer = createAnalyzer(format);
  if (isWhole) analyzer.push(interleaved(...sound));
  const { truePeakDbtp, integratedLufs } = analyzer.finish().loudness;
  return judge(soundRules, custom, {
    ...checkedFacts(check.finish().faults, bitDepth),
    ...gainsOf(integratedLufs),
    bitDepth,
    truePeakDbtp: truePeakDbtp ?? undefined,
    integratedLufs: integratedLufs ?? undefined,
    isChecked: true,
    startSec: 0,
    endSec: (sound[0]?.length ?? 0) / RATE_HZ,
  });
}

const codesOf = (...args: Parameters<typeof failuresOf>) => failuresOf(...args).map(({ rule }) => rule.code);
const gained = (samples: Float32Array, gain: number) => samples.map((value) => value * gain);

describe("faults in sound", () => {
  const sound = music(7);

  test("music that is in order has none", () => {
    const codes = codesOf(sound, { isWhole: true });

    expect(codes.filter((code) => code !== "loudness_gain")).toEqual([]);
  });

  test("there is a fault for each rule about sound", () => {
    const tried = Object.keys(FAULTS);

    expect(soundRules.map(({ code }) => code).filter((code) => !tried.includes(code))).toEqual([
      "not_checked",
    ]);
  });

  test.each(Object.entries(FAULTS))("%s is found", (code, make) => {
    const isWhole = code === "true_peak" || code === "loudness_gain";
    const failure = failuresOf(make(sound), { isWhole }).find(({ rule }) => rule.code === code);

    expect(failure?.message).toMatch(/^\S.*\.$/);
    expect(failure?.message).not.toMatch(/undefined|NaN|\{/);
  });

  test("a fault is placed where it is", () => {
    const at = (code: string, made: Stereo) =>
      failuresOf(made, { isWhole: code === "true_peak" }).find(({ rule }) => rule.code === code)?.atSec ?? 0;
    const hole = sound.map((samples) =>
      samples.map((value, i) => (i > 200_000 && i < 201_000 ? 0 : value)),
    ) as Stereo;
    const loud = sound.map((samples) =>
      samples.map((value, i) => (i > 200_000 ? Math.max(-1, Math.min(1, value * 9)) : value / 4)),
    ) as Stereo;

    expect(at("dropout", hole)).toBeCloseTo(200_001 / RATE_HZ, 3);
    expect(at("clipped", loud)).toBeWithin(4.53, 4.9);
    expect(at("true_peak", loud)).toBeWithin(4.4, 9);
  });

  test("the tops of a loud slow tone are no clipping, and those that are cut are", () => {
    const bass = sine(RATE_HZ, 2, 50, 0.99);
    const cut = sine(RATE_HZ, 2, 50, 1.4).map((value) => Math.max(-0.99, Math.min(0.99, value)));
    const as16 = (samples: Float32Array) => samples.map((value) => Math.round(value * 32_767) / 32_768);

    expect(codesOf([as16(bass)])).not.toContain("clipped");
    expect(codesOf([as16(cut)])).toContain("clipped");
    // Turned down, it is at the limit of nothing.
    expect(codesOf([as16(gained(cut, 0.7))])).not.toContain("clipped");
  });

  test("rests and notes that fade to nothing are no dropouts, nor is music that is cut into pieces", () => {
    const rest = sound.map((samples) =>
      samples.map((value, i) => (i > 200_000 && i < 200_000 + RATE_HZ ? 0 : value)),
    ) as Stereo;
    const notes = new Float32Array(SECONDS * RATE_HZ);
    for (let second = 0; second < SECONDS - 1; second++)
      for (let i = 0; i < RATE_HZ * 0.9; i++)
        notes[second * RATE_HZ + i] = 0.5 * (1 - i / (RATE_HZ * 0.9)) ** 2 * Math.sin(i * 0.05);
    const gated = sine(RATE_HZ, SECONDS, 220).map((value, i) => (Math.floor(i / 2500) % 2 ? 0 : value));

    expect(codesOf(rest)).not.toContain("dropout");
    expect(codesOf([notes])).not.toContain("dropout");
    expect(codesOf([gated])).not.toContain("dropout");
  });

  test("breaks that are faded, or come on the beat, are no dropouts; one that is cut is, and so are two", () => {
    /** Silent for 120 ms at these places, seconds, with straight ramps on both sides. */
    const broken = (places: readonly number[], rampSec: number) =>
      sound.map((samples) =>
        samples.map((value, i) => {
          const from = Math.min(...places.map((at) => Math.abs(i / RATE_HZ - at - 0.06))) - 0.06;
          return value * Math.max(0, Math.min(1, from / rampSec));
        }),
      ) as Stereo;

    expect(codesOf(broken([4], 0.003))).not.toContain("dropout");
    expect(codesOf(broken([4, 4.25, 4.5], 1e-5))).not.toContain("dropout");
    expect(codesOf(broken([4], 1e-5))).toContain("dropout");
    expect(codesOf(broken([4, 4.25], 1e-5))).toContain("dropout");
    expect(codesOf(broken([4, 4.25, 5.1], 1e-5))).toContain("dropout");
  });

  test("one channel has no phase, and silence has neither phase nor sides", () => {
    const mono = codesOf([sound[0]]);
    const silent = codesOf([new Float32Array(RATE_HZ), new Float32Array(RATE_HZ)]);

    expect(mono).toEqual([]);
    expect(silent).toEqual(["silent"]);
  });

  test("files of 16 bits use what they have", () => {
    const as16 = sound.map((samples) => samples.map((value) => Math.round(value * 2 ** 15) / 2 ** 15));

    expect(codesOf(as16, { bitDepth: 16 })).not.toContain("padded_bits");
    expect(codesOf(sound.map((samples) => gained(samples, Math.SQRT1_2)))).not.toContain("padded_bits");
  });

  test("looking for faults, the structure and passages alone finds the same, however the sound is cut", () => {
    const faulty = FAULTS.clipped?.(sound) as Stereo;
    const both = interleaved(...faulty);
    const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 2 });
    const check = createCheck({ sampleRateHz: RATE_HZ, channels: 2 });

    analyzer.push(both);
    for (let from = 0; from < both.length; from += 7777) check.push(both.subarray(from, from + 7777));

    const { faults, structure, passages } = analyzer.finish();
    expect(check.finish()).toEqual({ faults, structure, passages });
  });
});
