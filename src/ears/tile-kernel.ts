import { assemble, code, I32, op, V128 } from "../wasm/assemble.ts";

/** Rows of a product that are computed together. */
export const ROWS = 5;
/** Columns that are computed together. */
export const COLUMNS = 8;
/** Bytes of a float32, and of a pair of int16. */
export const FLOAT_BYTES = 4;

/**
 * Writes `ROWS` rows of the product of two matrices as float32. All addresses and steps are in bytes. The rows of the left
 * matrix start FLOAT_BYTES apart, an output row is one moment after the one before; a row's values are `leftStep` apart.
 * The right matrix has rows `rightStep` apart. `columns` counts groups of COLUMNS columns; rows of the output are `outStep`
 * apart.
 */
type Product = (
  left: number,
  leftStep: number,
  right: number,
  rightStep: number,
  count: number,
  out: number,
  outStep: number,
  columns: number,
) => void;

/** Products of matrices in WebAssembly with 128-bit vectors. */
export type TileKernel = {
  memory: WebAssembly.Memory;
  /** Of float32. */
  product: Product;
  /** Of float32, added to the output. */
  addProduct: Product;
  /**
   * Of pairs of int16, whose two products are added: twice as fast. The caller rounds to numbers whose sums fit int32.
   */
  pairProduct: Product;
  /** Raises `count` vectors at `most` to the largest of a + |b|, over ROWS rows of `count` vectors each. */
  raise(a: number, b: number, most: number, count: number): void;
  /**
   * Of pairs of int16, too. Of each row, only the largest number is written, as an int32: the largest of four candidates, which lie
   * `outStep` from those of the row before.
   */
  pairPeaks: Product;
};

const VECTOR_BYTES = 16;
const LOWEST_INT = -(2 ** 31);
const { get, set, constant } = op;
const advance = (local: number, bytes: readonly number[]) => code(get(local), bytes, op.add, set(local));
const rows = Array.from({ length: ROWS }, (_, row) => row);
/** Runs the body as often as a local says, at least once; the local is 0 afterwards. */
const times = (local: number, ...body: number[][]) =>
  op.loopWhile(...body, code(get(local), constant(1), op.subtract, set(local), get(local)));

const PRODUCT_PARAMS = Array<number>(8).fill(I32);
const SUMS = 2 * ROWS;
const PRODUCT_LOCALS = [...Array<number>(4).fill(I32), ...Array<number>(SUMS + 3).fill(V128)];

type Arithmetic = { multiply: number[]; add: number[]; result: number[] };
const FLOATS: Arithmetic = { multiply: op.multiplyFloats, add: op.addFloats, result: [] };
const PAIRS: Arithmetic = { multiply: op.dotPairs, add: op.addVector, result: op.toFloats };

/** What becomes of the sums of a group of columns. */
type Use = "write" | "add" | "raise";

function product({ multiply, add, result }: Arithmetic, use: Use = "write"): number[] {
  const [LEFT, LEFT_STEP, RIGHT, RIGHT_STEP, COUNT, OUT, OUT_STEP, GROUPS] = [
    0, 1, 2, 3, 4, 5, 6, 7,
  ] as const;
  const [AT_LEFT, AT_RIGHT, LEFT_OVER, AT_OUT] = [8, 9, 10, 11] as const;
  const sum = (row: number, half: number) => 12 + 2 * row + half;
  const [FIRST, SECOND, VALUE] = [12 + SUMS, 13 + SUMS, 14 + SUMS] as const;
  const alongOut = (body: (row: number) => number[]) =>
    code(code(get(OUT), set(AT_OUT)), ...rows.map((row) => code(body(row), advance(AT_OUT, get(OUT_STEP)))));
  const load = (row: number) =>
    code(
      code(get(AT_OUT), op.loadVector(0), set(sum(row, 0))),
      code(get(AT_OUT), op.loadVector(VECTOR_BYTES), set(sum(row, 1))),
    );
  const clear = (row: number) => [0, 1].flatMap((half) => code(constant(0), op.splat, set(sum(row, half))));
  const store = (row: number) =>
    code(
      code(get(AT_OUT), get(sum(row, 0)), result, op.storeVector(0)),
      code(get(AT_OUT), get(sum(row, 1)), result, op.storeVector(VECTOR_BYTES)),
    );
  const raise = (row: number) =>
    code(
      code(get(AT_OUT), get(AT_OUT), op.loadVector(), get(sum(row, 0)), op.higherInts),
      code(get(sum(row, 1)), op.higherInts, op.storeVector()),
    );
  const accumulate = (row: number, half: number, right: number) =>
    code(get(sum(row, half)), get(VALUE), get(right), multiply, add, set(sum(row, half)));
  const step = (row: number) =>
    code(
      code(get(AT_LEFT), op.loadSplat(row * FLOAT_BYTES), set(VALUE)),
      accumulate(row, 0, FIRST),
      accumulate(row, 1, SECOND),
    );
  const lowest = (_: number) => code(get(AT_OUT), constant(LOWEST_INT), op.splat, op.storeVector());
  const groups = times(
    GROUPS,
    use === "add" ? alongOut(load) : code(...rows.map(clear)),
    code(get(LEFT), set(AT_LEFT), get(RIGHT), set(AT_RIGHT), get(COUNT), set(LEFT_OVER)),
    times(
      LEFT_OVER,
      code(get(AT_RIGHT), op.loadVector(0), set(FIRST)),
      code(get(AT_RIGHT), op.loadVector(VECTOR_BYTES), set(SECOND)),
      code(...rows.map(step)),
      code(advance(AT_LEFT, get(LEFT_STEP)), advance(AT_RIGHT, get(RIGHT_STEP))),
    ),
    alongOut(use === "raise" ? raise : store),
    advance(RIGHT, constant(2 * VECTOR_BYTES)),
    use === "raise" ? [] : advance(OUT, constant(2 * VECTOR_BYTES)),
  );
  return use === "raise" ? code(alongOut(lowest), groups) : groups;
}

const raise = (() => {
  const [A, B, MOST, COUNT] = [0, 1, 2, 3] as const;
  const [AT_A, AT_B, STEP, LEFT_OVER, HIGHEST] = [4, 5, 6, 7, 8] as const;
  const higher = code(
    code(get(AT_A), op.loadVector(), get(AT_B), op.loadVector(), op.absFloats, op.addFloats),
    code(get(HIGHEST), op.higherFloats, set(HIGHEST)),
    code(advance(AT_A, get(STEP)), advance(AT_B, get(STEP))),
  );
  return code(
    code(get(COUNT), constant(VECTOR_BYTES), op.multiply, set(STEP), get(COUNT), set(LEFT_OVER)),
    times(
      LEFT_OVER,
      code(get(A), set(AT_A), get(B), set(AT_B), get(MOST), op.loadVector(), set(HIGHEST)),
      ...rows.map(() => higher),
      code(get(MOST), get(HIGHEST), op.storeVector()),
      code(...[A, B, MOST].map((local) => advance(local, constant(VECTOR_BYTES)))),
    ),
  );
})();

const KERNEL_BYTES = assemble([
  { name: "product", params: PRODUCT_PARAMS, locals: PRODUCT_LOCALS, body: product(FLOATS) },
  { name: "addProduct", params: PRODUCT_PARAMS, locals: PRODUCT_LOCALS, body: product(FLOATS, "add") },
  { name: "pairProduct", params: PRODUCT_PARAMS, locals: PRODUCT_LOCALS, body: product(PAIRS) },
  { name: "pairPeaks", params: PRODUCT_PARAMS, locals: PRODUCT_LOCALS, body: product(PAIRS, "raise") },
  { name: "raise", params: [I32, I32, I32, I32], locals: [I32, I32, I32, I32, V128], body: raise },
]);

/** Gives out arrays in the memory of a kernel; nothing is ever given back. */
export type Room = (floats: number) => Float32Array;

export const INT16_MOST = 32_767;

/** Returns the largest magnitude, and never 0: what is rounded is divided by it. */
export function mostOf(values: Iterable<number>): number {
  let most = Number.EPSILON;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** Returns the int16 numbers in an array of `room`, two in each place. */
export function pairsIn(array: Float32Array): Int16Array {
  return new Int16Array(array.buffer, array.byteOffset, 2 * array.length);
}

/** Returns a kernel, and room for `floats` float32 values in its memory. */
export function createTileKernel(floats: number): { kernel: TileKernel; room: Room } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((floats * FLOAT_BYTES) / 65_536) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(KERNEL_BYTES), { env: { memory } });
  let used = 0;
  const room = (length: number) => {
    const array = new Float32Array(memory.buffer, used * FLOAT_BYTES, length);
    used += COLUMNS * Math.ceil(length / COLUMNS);
    return array;
  };
  // The compiler cannot know the types of exports; the listings above define them.
  return { kernel: { memory, ...(exports as Omit<TileKernel, "memory">) }, room };
}
