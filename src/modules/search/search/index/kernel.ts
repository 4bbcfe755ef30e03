import { assemble, code, I32, op, V128 } from "../../../../wasm/assemble.ts";

/** Vectors are padded with zeros to a multiple of this number. */
export const LANES = 16;

/** Multiplies one query by many rows of int8, in its own memory. */
export type Kernel = {
  memory: WebAssembly.Memory;
  /**
   * Writes one float32 per row to `out`: the dot product times the row's scale. All addresses are in bytes.
   *
   * @param query `dimensions` values, int16.
   * @param rows `count` times `dimensions` values, int8.
   * @param scales One float32 per row.
   */
  scan(query: number, rows: number, scales: number, count: number, dimensions: number, out: number): void;
};

const [QUERY, ROWS, SCALES, COUNT, DIMENSIONS, OUT] = [0, 1, 2, 3, 4, 5] as const;
const [ROW_END, AT, SUM, VALUES] = [6, 7, 8, 9] as const;

const { get, set, constant } = op;
const advance = (local: number, bytes: readonly number[]) => code(get(local), bytes, op.add, set(local));

/** Adds the products of half of the sixteen current values to SUM; `offset` is the offset of the query's half. */
const accumulate = (widen: readonly number[], offset: number) =>
  code(get(SUM), get(VALUES), widen, get(AT), op.loadVector(offset), op.dotPairs, op.addVector, set(SUM));

/** Takes sixteen dimensions at a time: the query advances by 32 bytes, the row by 16. */
const dotOfRow = code(
  code(constant(0), op.splat, set(SUM), get(QUERY), set(AT)),
  code(get(ROWS), get(DIMENSIONS), op.add, set(ROW_END)),
  op.loopWhile(
    code(get(ROWS), op.loadVector(), set(VALUES)),
    accumulate(op.widenLow, 0),
    accumulate(op.widenHigh, 16),
    advance(AT, constant(32)),
    advance(ROWS, constant(16)),
    code(get(ROWS), get(ROW_END), op.isLess),
  ),
);

const sumOfLanes = code(
  code(get(SUM), op.lane(0), get(SUM), op.lane(1), op.add),
  code(get(SUM), op.lane(2), get(SUM), op.lane(3), op.add, op.add),
);

const scan = code(
  get(COUNT),
  op.when(
    op.loopWhile(
      dotOfRow,
      code(get(OUT), sumOfLanes, op.toFloat),
      code(get(SCALES), op.loadFloat, op.multiplyFloat, op.storeFloat),
      advance(OUT, constant(4)),
      advance(SCALES, constant(4)),
      code(get(COUNT), constant(1), op.subtract, set(COUNT), get(COUNT)),
    ),
  ),
);

/** The kernel's bytes, about two hundred. They are assembled from the listing above, so there is no binary to trust. */
export const KERNEL_BYTES = assemble([
  {
    name: "scan",
    params: [I32, I32, I32, I32, I32, I32],
    locals: [I32, I32, V128, V128],
    body: scan,
  },
]);

let compiled: WebAssembly.Module | undefined;

/** Returns a kernel with one page of memory. */
export function createKernel(): Kernel {
  compiled ??= new WebAssembly.Module(KERNEL_BYTES);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  // The compiler does not know the type of an export; the listing above defines it.
  return { memory, scan: exports.scan as Kernel["scan"] };
}
