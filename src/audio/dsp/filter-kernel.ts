import { assemble, code, I32, op, V128 } from "../../wasm/assemble.ts";
import { roomFor } from "../../wasm/shared-memory.ts";

/** The number of taps of a filter for {@link FilterKernel} must be a multiple of this. */
export const TAP_MULTIPLE = 8;
/** The number of taps of a filter whose largest output {@link FilterKernel} finds. */
export const PEAK_TAPS = 16;
/** Outputs that are computed together. */
export const PEAK_OUTPUTS = 4;
/** Values of which {@link FilterKernel} finds the largest magnitude. */
export const SIZE_STRIDE = 32;

/** Filters float32 samples, four at a time, in memory of its own. All addresses and lengths are in bytes. */
export type FilterKernel = {
  /** Returns an array in the kernel's memory, all zero; its `byteOffset` is its address. */
  room(floats: number): Float32Array<ArrayBuffer>;
  /**
   * Writes `count` outputs, at least one: each the dot product of the samples from `input` on with `tapBytes` of taps. Where
   * these lie is read from `rows`, the addresses of `up` rows of taps, at `fraction`. After each output, `input` moves by
   * `whole` bytes and `fraction` by `part`, which is less than `up`; past the last row it begins again, one sample further.
   */
  filter(
    input: number,
    whole: number,
    fraction: number,
    part: number,
    up: number,
    rows: number,
    tapBytes: number,
    count: number,
    out: number,
  ): void;
  /**
   * Filters with PEAK_TAPS taps and writes four values to `out`, the largest of which is the largest magnitude of the
   * outputs from `input` to `end`, at least PEAK_OUTPUTS and a multiple of that.
   */
  peak(input: number, end: number, taps: number, out: number): void;
  /** Writes to `out` the largest magnitude of each SIZE_STRIDE values from `input` to `end`: at least one, and whole strides. */
  sizes(input: number, end: number, out: number): void;
};

const VECTOR_BYTES = 16;
const FLOAT_BYTES = 4;
const ADDRESS_BYTES = 4;
const { get, set, constant } = op;
const advance = (local: number, bytes: readonly number[]) => code(get(local), bytes, op.add, set(local));
const clear = (local: number) => code(constant(0), op.splat, set(local));

const filter = (() => {
  const [INPUT, WHOLE, FRACTION, PART, UP, ROWS, TAP_BYTES, COUNT, OUT] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ] as const;
  const [END, AT, TAP, SUM, SUM_2] = [9, 10, 11, 12, 13] as const;
  // Two sums, so that an addition does not have to wait for the previous one.
  const accumulate = (sum: number, offset: number) =>
    code(
      code(get(AT), op.loadVector(offset), get(TAP), op.loadVector(offset), op.multiplyFloats),
      code(get(sum), op.addFloats, set(sum)),
    );
  const lane = (index: number) => code(get(SUM), op.floatLane(index));
  const row = code(get(FRACTION), constant(ADDRESS_BYTES), op.multiply, get(ROWS), op.add, op.loadInt);
  return op.loopWhile(
    code(clear(SUM), clear(SUM_2)),
    code(get(INPUT), set(AT), row, set(TAP)),
    code(get(TAP), get(TAP_BYTES), op.add, set(END)),
    op.loopWhile(
      code(accumulate(SUM, 0), accumulate(SUM_2, VECTOR_BYTES)),
      code(advance(AT, constant(2 * VECTOR_BYTES)), advance(TAP, constant(2 * VECTOR_BYTES))),
      code(get(TAP), get(END), op.isLess),
    ),
    code(get(SUM), get(SUM_2), op.addFloats, set(SUM)),
    code(get(OUT), lane(0), lane(1), op.addFloat, lane(2), lane(3), op.addFloat, op.addFloat, op.storeFloat),
    code(advance(OUT, constant(FLOAT_BYTES)), advance(INPUT, get(WHOLE)), advance(FRACTION, get(PART))),
    code(get(FRACTION), get(UP), op.isLess, op.isZero),
    op.when(code(get(FRACTION), get(UP), op.subtract, set(FRACTION)), advance(INPUT, constant(FLOAT_BYTES))),
    code(get(COUNT), constant(1), op.subtract, set(COUNT), get(COUNT)),
  );
})();

const peak = (() => {
  const [INPUT, END, TAPS, OUT] = [0, 1, 2, 3] as const;
  const [SUM, HIGHEST] = [4, 5] as const;
  // Each lane is an output: the sample that belongs to a tap moves along with it.
  const accumulate = (tap: number) =>
    code(
      code(get(INPUT), op.loadVector(tap * FLOAT_BYTES)),
      code(get(TAPS), op.loadSplat(tap * FLOAT_BYTES), op.multiplyFloats),
      code(get(SUM), op.addFloats, set(SUM)),
    );
  return code(
    clear(HIGHEST),
    op.loopWhile(
      clear(SUM),
      ...Array.from({ length: PEAK_TAPS }, (_, tap) => accumulate(tap)),
      code(get(SUM), op.absFloats, get(HIGHEST), op.higherFloats, set(HIGHEST)),
      advance(INPUT, constant(PEAK_OUTPUTS * FLOAT_BYTES)),
      code(get(INPUT), get(END), op.isLess),
    ),
    code(get(OUT), get(HIGHEST), op.storeVector()),
  );
})();

const sizes = (() => {
  const [INPUT, END, OUT] = [0, 1, 2] as const;
  const HIGHEST = 3;
  const size = (offset: number) => code(get(INPUT), op.loadVector(offset), op.absFloats);
  const raise = (offset: number) => code(get(HIGHEST), size(offset), op.higherFloats, set(HIGHEST));
  const vectors = (SIZE_STRIDE * FLOAT_BYTES) / VECTOR_BYTES;
  const lane = (index: number) => code(get(HIGHEST), op.floatLane(index));
  return op.loopWhile(
    code(size(0), set(HIGHEST)),
    ...Array.from({ length: vectors - 1 }, (_, i) => raise((i + 1) * VECTOR_BYTES)),
    // Both halves with each other, then the two lanes that are left.
    code(get(HIGHEST), get(HIGHEST), op.shuffleDoubles(1, 0), get(HIGHEST), op.higherFloats, set(HIGHEST)),
    code(get(OUT), lane(0), lane(1), op.maxFloat, op.storeFloat),
    code(advance(OUT, constant(FLOAT_BYTES)), advance(INPUT, constant(SIZE_STRIDE * FLOAT_BYTES))),
    code(get(INPUT), get(END), op.isLess),
  );
})();

const KERNEL_BYTES = assemble([
  {
    name: "filter",
    params: Array<number>(9).fill(I32),
    locals: [I32, I32, I32, V128, V128],
    body: filter,
  },
  { name: "peak", params: [I32, I32, I32, I32], locals: [V128, V128], body: peak },
  { name: "sizes", params: [I32, I32, I32], locals: [V128], body: sizes },
]);

let compiled: WebAssembly.Module | undefined;

/** Returns a kernel whose arrays have at most `floats` float32 values in all. */
export function createFilterKernel(floats: number): FilterKernel {
  compiled ??= new WebAssembly.Module(KERNEL_BYTES);
  const kernel = {} as FilterKernel;
  const { memory, at } = roomFor(kernel, floats * FLOAT_BYTES);
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  let next = at;
  const room = (length: number) => {
    const array = new Float32Array(memory.buffer, next, length);
    next += array.byteLength;
    return array;
  };
  // The compiler cannot know the types of exports; the listings above define them.
  const { filter, peak, sizes } = exports as Pick<FilterKernel, "filter" | "peak" | "sizes">;
  return Object.assign(kernel, { room, filter, peak, sizes });
}
