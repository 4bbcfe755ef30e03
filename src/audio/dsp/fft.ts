import { type FftKernel, fftKernel, writeHalves } from "./fft-kernel.ts";

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
  const kernel = kernelOf(size);
  const [re, im] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  return {
    size,
    re,
    im,
    forward(samples) {
      writeHalves(kernel.input, samples);
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

function kernelOf(size: number): FftKernel {
  if (size < 16 || (size & (size - 1)) !== 0)
    throw new RangeError(`FFT size ${size} is not a power of two >= 16`);
  return fftKernel(size);
}

/**
 * Returns |X|² of bins 0..size/2 of a frame of `size` samples under a window. All spectra of a size share the array: read it
 * before the next one.
 */
export type PowerSpectrum = (frame: Float32Array) => Float64Array;

/** The windows that the kernels hold. */
const held = new WeakMap<FftKernel, Float64Array>();

/** Builds the spectrum of frames as long as their window. @throws RangeError as {@link createRealFft} does. */
export function createPowerSpectrum(window: Float64Array): PowerSpectrum {
  const kernel = kernelOf(window.length);
  return (frame) => {
    if (held.get(kernel) !== window) {
      writeHalves(kernel.window, window);
      held.set(kernel, window);
    }
    kernel.frame.set(frame);
    kernel.writePower();
    return kernel.power;
  };
}
