import { assemble, code, I32, op, V128 } from "../../wasm/assemble.ts";
import { roomFor } from "../../wasm/shared-memory.ts";

/** Samples are clamped to this (60 dB above full scale), beyond which squares could overflow. */
export const LARGEST_SAMPLE = 1000;

/** Splits stereo into its channels, in memory of its own. */
export type PlaneKernel = {
  /** Interleaved samples of a block. */
  input: Float32Array;
  left: Float32Array;
  right: Float32Array;
  mono: Float32Array;
  /**
   * Writes `count` frames of the input to the channels, from the frame `at` on. What is not finite becomes 0, and what is beyond
   * LARGEST_SAMPLE is clamped to it.
   */
  split(count: number, at: number): void;
  /** Writes the mean of the first `count` frames of both channels. */
  mix(count: number): void;
};

const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
/** Frames that are taken together; after the last ones, there is room for more. */
const TOGETHER = 4;
const { get, set, constant } = op;

const advance = (local: number, bytes: number) => code(get(local), constant(bytes), op.add, set(local));

const split = (() => {
  const [INPUT, END, LEFT, RIGHT, LIMITS] = [0, 1, 2, 3, 4] as const;
  const [FIRST, SECOND] = [5, 6] as const;
  const limit = (index: number) => code(get(LIMITS), op.loadSplat(index * FLOAT_BYTES));
  /** A number minus itself is 0 only when it is finite. */
  const load = (offset: number, to: number) =>
    code(
      code(get(INPUT), op.loadVector(offset), set(to)),
      code(get(to), get(to), get(to), op.subtractFloats, limit(0), op.equalFloats, op.and),
      code(limit(1), op.lowerFloats, limit(2), op.higherFloats, set(to)),
    );
  return op.loopWhile(
    code(load(0, FIRST), load(VECTOR_BYTES, SECOND)),
    code(get(LEFT), get(FIRST), get(SECOND), op.shuffleFloats(0, 2, 4, 6), op.storeVector()),
    code(get(RIGHT), get(FIRST), get(SECOND), op.shuffleFloats(1, 3, 5, 7), op.storeVector()),
    code(advance(INPUT, 2 * VECTOR_BYTES), advance(LEFT, VECTOR_BYTES), advance(RIGHT, VECTOR_BYTES)),
    code(get(INPUT), get(END), op.isLess),
  );
})();

const mix = (() => {
  const [LEFT, END, RIGHT, MONO, HALF] = [0, 1, 2, 3, 4] as const;
  return op.loopWhile(
    code(get(MONO), get(LEFT), op.loadVector(), get(RIGHT), op.loadVector(), op.addFloats),
    code(get(HALF), op.loadSplat(), op.multiplyFloats, op.storeVector()),
    code(...[LEFT, RIGHT, MONO].map((local) => advance(local, VECTOR_BYTES))),
    code(get(LEFT), get(END), op.isLess),
  );
})();

const PARAMS = Array<number>(5).fill(I32);

let compiled: WebAssembly.Module | undefined;

/** Returns a kernel for blocks of at most `frames` frames. */
export function createPlaneKernel(frames: number): PlaneKernel {
  compiled ??= new WebAssembly.Module(
    assemble([
      { name: "split", params: PARAMS, locals: [V128, V128], body: split },
      { name: "mix", params: PARAMS, locals: [], body: mix },
    ]),
  );
  const kernel = {} as PlaneKernel;
  const length = frames + TOGETHER;
  const constants = [0, LARGEST_SAMPLE, -LARGEST_SAMPLE, 0.5];
  const { memory, at: start } = roomFor(kernel, (5 * length + constants.length) * FLOAT_BYTES);
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  // The compiler cannot know the types of exports; the listings above define them.
  const run = exports as Record<"split" | "mix", (...addresses: number[]) => void>;
  const addressOf = (float: number) => start + float * FLOAT_BYTES;
  const floats = (from: number, count: number) => new Float32Array(memory.buffer, addressOf(from), count);
  const [input, left, right, mono, limits] = [0, 2, 3, 4, 5].map((part) => part * length) as [
    ...[number, number, number, number, number],
  ];
  floats(limits, constants.length).set(constants);
  return Object.assign(kernel, {
    input: floats(input, 2 * frames),
    left: floats(left, frames),
    right: floats(right, frames),
    mono: floats(mono, frames),
    split: (count: number, at: number) =>
      run.split(...[input, input + 2 * count, left + at, right + at, limits].map(addressOf)),
    mix: (count: number) => run.mix(...[left, left + count, right, mono, limits + 3].map(addressOf)),
  });
}
