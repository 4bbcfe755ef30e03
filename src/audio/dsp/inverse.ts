import type { RealFft } from "./fft.ts";

/**
 * Writes the real signal that has a spectrum into `out` (`fft.size` samples). Overwrites the spectrum that `fft` holds; `re` and `im`,
 * its bins 0..size/2, may be that.
 *
 * @see Bracewell 1984, "The fast Hartley transform": its own inverse but for the size.
 */
export function inverseReal(fft: RealFft, re: Float64Array, im: Float64Array, out: Float64Array): void {
  const { size } = fft;
  const half = size / 2;
  for (let bin = 0; bin <= half; bin++) {
    const [a, b] = [re[bin] as number, im[bin] as number];
    out[bin] = a - b;
    if (bin > 0 && bin < half) out[size - bin] = a + b;
  }
  fft.forward(out);
  for (let n = 0; n <= half; n++) {
    const [a, b] = [(fft.re[n] as number) / size, (fft.im[n] as number) / size];
    out[n] = a - b;
    if (n > 0 && n < half) out[size - n] = a + b;
  }
}
