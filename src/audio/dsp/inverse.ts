import type { RealFft } from "./fft.ts";

/**
 * Writes the real signal that has a spectrum into `out` (`fft.size` samples). Overwrites the spectrum that `fft` holds; `re` and `im`,
 * its bins 0..size/2, may be that.
 *
 * @see Bracewell 1984, "The fast Hartley transform": its own inverse but for the size.
 */
export function inverseReal(fft: RealFft, re: Float64Array, im: Float64Array, out: Float64Array): void {
  unfold(re, im, 1, out);
  fft.forward(out);
  unfold(fft.re, fft.im, 1 / fft.size, out);
}

/** Writes the Hartley transform, times `scale`, of which `re` and `im` are the Fourier transform. */
function unfold(re: Float64Array, im: Float64Array, scale: number, out: Float64Array): void {
  const half = re.length - 1;
  for (const bin of [0, half]) out[bin] = ((re[bin] as number) - (im[bin] as number)) * scale;
  for (let bin = 1, mirror = out.length - 1; bin < half; bin++, mirror--) {
    const a = (re[bin] as number) * scale;
    const b = (im[bin] as number) * scale;
    out[bin] = a - b;
    out[mirror] = a + b;
  }
}
