import type { RealFft } from "../dsp/fft.ts";

/** Adds |X|² of bins 0..size/2 of the last transform to `sum`. */
export function addPower({ re, im }: RealFft, sum: Float64Array): void {
  for (let bin = 0; bin < sum.length; bin++) {
    const [a, b] = [re[bin] as number, im[bin] as number];
    sum[bin] = (sum[bin] as number) + a * a + b * b;
  }
}
