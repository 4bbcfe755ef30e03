import { assemble, code, I32, V128 } from "../../wasm/assemble.ts";
import { roomFor } from "../../wasm/shared-memory.ts";
import { layoutOf, PAIRS, POINTERS, transformListing, windowListing } from "./fft-listing.ts";

/** A Fourier transform of real samples in WebAssembly memory, two float64 at a time. */
export type FftKernel = {
  /** The even and the odd samples: fill them before the transform. */
  input: Halves;
  /** Bins 0 to half the size; read them after the transform. */
  re: Float64Array;
  im: Float64Array;
  transform(): void;
  frame: Float32Array;
  window: Halves;
  /** |X|² of the bins of `frame` times `window`. */
  power: Float64Array;
  writePower(): void;
};

/** The even and the odd values of what the kernel takes apart. */
type Halves = { even: Float64Array; odd: Float64Array };

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
  const locals = code(Array<number>(POINTERS).fill(I32), Array<number>(2 * PAIRS).fill(V128));
  const module = new WebAssembly.Module(
    assemble([
      { name: "transform", params: [], locals, body: transformListing(size, layout, "bins") },
      {
        name: "writePower",
        params: [],
        locals,
        body: code(windowListing(size, layout), transformListing(size, layout, "power")),
      },
    ]),
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const doubles = (from: number, length: number) => new Float64Array(memory.buffer, from, length);
  const half = size / 2;
  for (const [power, { re, im }] of layout.twiddles.entries())
    writeCircle(doubles(re, half / 4), doubles(im, half / 4), (power + 1) / half);
  const halves = ({ re, im }: { re: number; im: number }): Halves => ({
    even: doubles(re, half),
    odd: doubles(im, half),
  });
  writeCircle(doubles(layout.split.re, half), doubles(layout.split.im, half), 1 / size);
  doubles(layout.oneHalf, 1).fill(0.5);
  return Object.assign(kernel, {
    input: halves(layout.input),
    re: doubles(layout.out.re, half + 1),
    im: doubles(layout.out.im, half + 1),
    frame: new Float32Array(memory.buffer, layout.frame, size),
    window: halves(layout.window),
    power: doubles(layout.power, half + 1),
    // The compiler cannot know the types of exports; the listings below define them.
    ...(exports as Pick<FftKernel, "transform" | "writePower">),
  });
}

/** Writes the even values to one half and the odd ones to the other. */
export function writeHalves({ even, odd }: Halves, values: Float64Array): void {
  for (let i = 0; i < even.length; i++) {
    even[i] = values[2 * i] as number;
    odd[i] = values[2 * i + 1] as number;
  }
}

/** Writes exp(-2πi · k · turns) for k from 0. */
function writeCircle(re: Float64Array, im: Float64Array, turns: number): void {
  for (let k = 0; k < re.length; k++) {
    re[k] = Math.cos(-2 * Math.PI * k * turns);
    im[k] = Math.sin(-2 * Math.PI * k * turns);
  }
}
