import { fftKernel } from "./fft-kernel.ts";

// Typed-array reads in this folder are asserted `as number`: every index is in range by construction.

/** A real-input Fourier transform of one fixed size. It owns its buffers, so run one transform at a time. */
export type RealFft = {
  /** Input length, samples. */
  size: number;
  /** Real and imaginary parts of bins 0..size/2, overwritten by each `forward`. */
  re: Float64Array;
  im: Float64Array;
  /** Transforms `input` (`size` samples, linear). Unnormalised: a DC of 1 gives `size` in bin 0. */
  forward(input: Float64Array): void;
  /** Writes |X|² of bins 0..size/2 of the last `forward` into `out` (size/2 + 1 values). */
  power(out: Float64Array): void;
};

/**
 * Builds a real FFT.
 *
 * @throws RangeError when `size` is not a power of two of at least 16.
 */
export function createRealFft(size: number): RealFft {
  if (size < 16 || (size & (size - 1)) !== 0)
    throw new RangeError(`FFT size ${size} is not a power of two >= 16`);
  const kernel = fftKernel(size);
  const [re, im] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  return {
    size,
    re,
    im,
    forward(samples) {
      kernel.input.set(samples);
      kernel.transform();
      re.set(kernel.re);
      im.set(kernel.im);
    },
    power(out) {
      for (let k = 0; k < re.length; k++) {
        const a = re[k] as number;
        const b = im[k] as number;
        out[k] = a * a + b * b;
      }
    },
  };
}
