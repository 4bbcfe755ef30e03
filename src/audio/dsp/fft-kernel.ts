import { assemble, code, I32, V128 } from "../../wasm/assemble.ts";
import { roomFor } from "../../wasm/shared-memory.ts";
import { layoutOf, PAIRS, POINTERS, powerListing, transformListing, windowListing } from "./fft-listing.ts";

/** A Fourier transform of real samples in WebAssembly memory, two float64 at a time. */
export type FftKernel = {
  /** Fill it before the transform. */
  input: Float64Array;
  /** Bins 0 to half the size; read them after the transform. */
  re: Float64Array;
  im: Float64Array;
  transform(): void;
  frame: Float32Array;
  window: Float64Array;
  /** Writes `frame` times `window` to `input`. */
  applyWindow(): void;
  power: Float64Array;
  /** Writes |X|² of the bins to `power`. */
  writePower(): void;
};

const kernels = new Map<number, FftKernel>();

/**
 * Returns the kernel of a size, of which a thread has one: the caller reads the result before the next transform.
 *
 * @param size Real samples: a power of two of at least 16.
 */
export function fftKernel(size: number): FftKernel {
  let kernel = kernels.get(size);
  if (!kernel) {
    kernel = createFftKernel(size);
    kernels.set(size, kernel);
  }
  return kernel;
}

function createFftKernel(size: number): FftKernel {
  const kernel = {} as FftKernel;
  const { memory, at } = roomFor(kernel, layoutOf(size, 0).bytes);
  const layout = layoutOf(size, at);
  const body = transformListing(size, layout);
  const locals = code(Array<number>(POINTERS).fill(I32), Array<number>(2 * PAIRS).fill(V128));
  const module = new WebAssembly.Module(
    assemble([
      { name: "transform", params: [], locals, body },
      { name: "applyWindow", params: [], locals: [I32, I32], body: windowListing(size, layout) },
      { name: "writePower", params: [], locals: [I32, V128, V128], body: powerListing(size / 2, layout) },
    ]),
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const doubles = (from: number, length: number) => new Float64Array(memory.buffer, from, length);
  const half = size / 2;
  for (const [power, { re, im }] of layout.twiddles.entries())
    writeCircle(doubles(re, half / 4), doubles(im, half / 4), (power + 1) / half);
  writeCircle(doubles(layout.split.re, half), doubles(layout.split.im, half), 1 / size);
  doubles(layout.oneHalf, 1).fill(0.5);
  return Object.assign(kernel, {
    input: doubles(layout.input, size),
    re: doubles(layout.out.re, half + 1),
    im: doubles(layout.out.im, half + 1),
    frame: new Float32Array(memory.buffer, layout.frame, size),
    window: doubles(layout.window, size),
    power: doubles(layout.power, half + 1),
    // The compiler cannot know the types of exports; the listings below define them.
    ...(exports as Pick<FftKernel, "transform" | "applyWindow" | "writePower">),
  });
}

/** Writes exp(-2πi · k · turns) for k from 0. */
function writeCircle(re: Float64Array, im: Float64Array, turns: number): void {
  for (let k = 0; k < re.length; k++) {
    re[k] = Math.cos(-2 * Math.PI * k * turns);
    im[k] = Math.sin(-2 * Math.PI * k * turns);
  }
}
