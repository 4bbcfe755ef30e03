import { describe, expect, test } from "bun:test";
import { createResampler } from "../../src/audio/dsp/resample.ts";
import { noise, sine } from "../support/signals.ts";

const OUTPUT_HZ = 22_050;

function resample(input: Float32Array, inputHz: number, cuts = [4096]): Float32Array {
  const out: number[] = [];
  const resampler = createResampler(inputHz, OUTPUT_HZ, (samples, count) =>
    out.push(...samples.subarray(0, count)),
  );
  for (let from = 0, turn = 0; from < input.length; turn++) {
    const part = input.subarray(from, from + (cuts[turn % cuts.length] as number));
    resampler.push(part, part.length);
    from += part.length;
  }
  resampler.finish();
  return Float32Array.from(out);
}

/** Resamples inputs of one length by turns, a piece of each at a time. */
function resampledTogether(inputs: readonly Float32Array[]): number[][] {
  const all = inputs.map((input) => {
    const out: number[] = [];
    const sink = (samples: Float32Array, count: number) => out.push(...samples.subarray(0, count));
    return { input, out, resampler: createResampler(44_100, OUTPUT_HZ, sink) };
  });
  for (let from = 0; from < (inputs[0]?.length ?? 0); from += 3000)
    for (const { input, resampler } of all) {
      const part = input.subarray(from, from + 3000);
      resampler.push(part, part.length);
    }
  for (const { resampler } of all) resampler.finish();
  return all.map(({ out }) => out);
}

/** Returns the level of the middle half, dB relative to a full-scale sine. */
function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(samples.length / 4, (3 * samples.length) / 4);
  return 10 * Math.log10((2 * middle.reduce((sum, value) => sum + value * value, 0)) / middle.length + 1e-30);
}

describe("resampling to 22.05 kHz", () => {
  const rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 44_101, 48_000, 88_200, 96_000, 192_000];

  test("gives each of forty at once its own samples, and again when all are done", () => {
    const inputs = Array.from({ length: 40 }, (_, index) => sine(44_100, 0.2, 200 + 50 * index, 1));
    const alone = inputs.map((input) => [...resample(input, 44_100)]);
    for (let round = 0; round < 3; round++) {
      expect(resampledTogether(inputs)).toEqual(alone);
      Bun.gc(true);
    }
  });

  test.each(rates)("a sound of %d Hz keeps all up to nine tenths of the lower Nyquist frequency", (rate) => {
    const highest = 0.9 * Math.min(rate, OUTPUT_HZ) * 0.5;
    for (const hz of [50, 1000, highest])
      expect(Math.abs(levelDb(resample(sine(rate, 0.5, hz, 1), rate)))).toBeLessThan(0.15);
  });

  test.each([32_000, 44_100, 48_000, 96_000, 192_000])(
    "a sound of %d Hz does not have its higher frequencies folded back",
    (rate) => {
      for (const hz of [1.1 * 11_025, 0.97 * (rate / 2)])
        expect(levelDb(resample(sine(rate, 0.5, hz, 1), rate))).toBeLessThan(-55);
    },
  );

  test.each([8000, 11_025, 16_000])("a sound of %d Hz gets no images", (rate) => {
    const hz = 0.8 * (rate / 2);
    const output = resample(sine(rate, 0.5, hz, 1), rate);
    const expected = sine(OUTPUT_HZ, 0.5, hz, 1);

    const error = output.map((value, i) => value - (expected[i] as number));

    expect(levelDb(error)).toBeLessThan(-55);
  });

  test("keeps time: a sine comes out in phase and not longer than before", () => {
    const output = resample(sine(48_000, 1, 440, 1), 48_000);
    const expected = sine(OUTPUT_HZ, 1, 440, 1);

    expect(output.length).toBe(OUTPUT_HZ);
    expect(levelDb(output.map((value, i) => value - (expected[i] as number)))).toBeLessThan(-60);
  });

  test("gives the same samples however the input is split", () => {
    const input = noise(44_100, 0.5);
    expect(resample(input, 44_100, [1, 7, 333, 5000])).toEqual(resample(input, 44_100, [input.length]));
  });
});
