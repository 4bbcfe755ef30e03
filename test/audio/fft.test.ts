import { describe, expect, test } from "bun:test";
import { createRealFft } from "../../src/audio/dsp/fft.ts";
import { noise } from "../support/signals.ts";

function naiveDft(input: Float64Array, bin: number): { re: number; im: number } {
  const step = (-2 * Math.PI * bin) / input.length;
  return {
    re: input.reduce((sum, value, i) => sum + value * Math.cos(step * i), 0),
    im: input.reduce((sum, value, i) => sum + value * Math.sin(step * i), 0),
  };
}

describe("real FFT", () => {
  test.each([16, 32, 256, 1024])("a transform of %d samples agrees with its defining sum", (size) => {
    const input = Float64Array.from(noise(size, 1, 1, size));
    const fft = createRealFft(size);

    fft.forward(input);

    for (let bin = 0; bin <= size / 2; bin++) {
      const expected = naiveDft(input, bin);
      expect(fft.re[bin]).toBeCloseTo(expected.re, 8);
      expect(fft.im[bin]).toBeCloseTo(expected.im, 8);
    }
  });

  test("keeps the energy of a signal (Parseval)", () => {
    const input = Float64Array.from(noise(4096, 1, 1));
    const fft = createRealFft(4096);
    const power = new Float64Array(2049);

    fft.forward(input);
    fft.power(power);

    const ends = (power[0] as number) + (power[2048] as number);
    const spectral = (2 * power.reduce((sum, value) => sum + value, 0) - ends) / 4096;
    expect(spectral).toBeCloseTo(
      input.reduce((sum, value) => sum + value * value, 0),
      6,
    );
  });

  test.each([0, 8, 100, 1.5])("refuses a size of %d", (size) => {
    expect(() => createRealFft(size)).toThrow(RangeError);
  });
});
