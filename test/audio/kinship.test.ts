import { describe, expect, test } from "bun:test";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { createRealFft } from "../../src/audio/dsp/fft.ts";
import { inverseReal } from "../../src/audio/dsp/inverse.ts";
import { placeRun } from "../../src/audio/kinship/delay.ts";
import { searchOffset } from "../../src/audio/kinship/offset.ts";
import { takeFrom } from "../../src/audio/kinship/residual.ts";
import { findRuns } from "../../src/audio/kinship/runs.ts";
import { takeSum } from "../../src/modules/library/kinship/compare.ts";
import { seededRandom } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 22_050;
const SECONDS = 14;
const mix = tune(RATE_HZ, SECONDS, 3);
const withoutLead = tune(RATE_HZ, SECONDS, 3, { lead: 0 });
const foreign = tune(RATE_HZ, SECONDS, 4);

const whole = (samples: Float32Array, offsetSec = 0) => ({
  fromSec: 0,
  toSec: samples.length / RATE_HZ,
  offsetSec,
});

function take(x: Float32Array, y: Float32Array) {
  const placed = placeRun(x, y, whole(x), RATE_HZ);
  return { placed, ...takeFrom(x, y, placed ? [placed] : [], RATE_HZ) };
}

function printOf(samples: Float32Array) {
  const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish().fingerprint;
}

test("a transform and its inverse give the signal again", () => {
  const random = seededRandom(1);
  const signal = Float64Array.from({ length: 64 }, () => random() - 0.5);
  const fft = createRealFft(64);
  const back = new Float64Array(64);

  fft.forward(signal);
  inverseReal(fft, fft.re, fft.im, back);

  for (const [i, value] of signal.entries()) expect(back[i]).toBeCloseTo(value, 12);
});

describe("a mix and what it is made of", () => {
  test("line up to a part of a sample, and the mix holds what is left", () => {
    const { placed, heldByFirst, nullShare, residualDb } = take(mix, withoutLead);

    expect(placed?.delay).toBeCloseTo(0, 0);
    expect(placed?.agreement).toBeGreaterThan(0.8);
    expect(heldByFirst).toBeGreaterThan(0.85);
    expect(nullShare).toBeGreaterThan(0.25);
    expect(residualDb).toBeLessThan(-1);
  });

  test("say which of the two is made from the other, in whichever order they come", () => {
    expect(take(withoutLead, mix).heldByFirst).toBeLessThan(0.15);
  });

  test("line up although one begins later, by half a sample too", () => {
    const late = new Float32Array(mix.length + 300);
    for (let at = 0; at < mix.length - 1; at++)
      late[at + 300] = ((mix[at] as number) + (mix[at + 1] as number)) / 2;

    expect(placeRun(mix, late, whole(mix, 300 / RATE_HZ), RATE_HZ)?.delay).toBeCloseTo(299.5, 1);
  });

  test("are equal but for noise of a known level, which is what is left", () => {
    const random = seededRandom(9);
    const power = mix.reduce((sum, sample) => sum + sample * sample, 0) / mix.length;
    const level = Math.sqrt(power * 10 ** (-60 / 10) * 3);
    const noisy = mix.map((sample) => sample + level * (2 * random() - 1));

    expect(take(noisy, mix).residualDb).toBeCloseTo(-60, 0);
  });

  test("leave of a mix what its stems were rounded by, to a decibel", () => {
    const rounded = (samples: Float32Array) => samples.map((x) => Math.round(x * 4096) / 4096);
    const [band, lead] = [{ lead: 0 }, { bass: 0, hat: 0 }].map((levels) =>
      rounded(tune(RATE_HZ, SECONDS, 3, levels)),
    );
    const sum = mix.map((_, at) => (band?.[at] ?? 0) + (lead?.[at] ?? 0));
    const energy = (samples: Float32Array) => samples.reduce((all, x) => all + x * x, 0);
    const left = 10 * Math.log10(energy(mix.map((x, at) => x - (sum[at] ?? 0))) / energy(mix));

    expect(Math.abs((takeSum(mix, sum)?.residualDb ?? 0) - left)).toBeLessThan(1);
  });

  test("are the same although a limiter turns one down from moment to moment", () => {
    const limited = mix.map(
      (sample, at) => sample * (0.8 + 0.15 * Math.sin((2 * Math.PI * at) / (3 * RATE_HZ))),
    );

    const { nullShare, residualDb } = take(mix, limited);

    expect(nullShare).toBeGreaterThan(0.9);
    expect(residualDb).toBeLessThan(-20);
  });

  test("are the same although one was mastered and is 10 dB louder", () => {
    const { nullShare, residualDb } = take(
      mix,
      mix.map((sample) => sample * 10 ** (-10 / 20)),
    );

    expect(nullShare).toBeGreaterThan(0.9);
    expect(residualDb).toBeLessThan(-60);
  });

  test("leave nothing of another song", () => {
    const { nullShare } = take(mix, foreign);

    expect(nullShare).toBeLessThan(0.05);
  });
});

describe("a mix that was put together otherwise", () => {
  const cut = new Float32Array(11 * RATE_HZ);
  cut.set(mix.subarray(0, 5 * RATE_HZ));
  cut.set(mix.subarray(8 * RATE_HZ, 14 * RATE_HZ), 5 * RATE_HZ);

  test("is found in its song in two runs", () => {
    const { runs, share, bitErrorRate } = findRuns(printOf(cut), printOf(mix));

    expect(runs.map(({ offsetSec }) => Math.round(offsetSec))).toEqual([0, 3]);
    expect(share).toBeGreaterThan(0.85);
    expect(bitErrorRate).toBeLessThan(0.2);
  });

  test("is found in no other song", () => {
    expect(findRuns(printOf(cut), printOf(foreign)).runs).toEqual([]);
  });
});

test("a part that begins anywhere is found in its mix by its samples, and in no other song", () => {
  const part = withoutLead.subarray(3 * RATE_HZ, 12 * RATE_HZ);

  expect(searchOffset(part, mix, RATE_HZ)).toBeCloseTo(3, 3);
  expect(searchOffset(part, foreign, RATE_HZ)).toBeUndefined();
});
