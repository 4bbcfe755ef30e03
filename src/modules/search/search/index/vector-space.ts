import { createKernel, type Kernel, LANES } from "./kernel.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Vectors of one model version, quantised to int8, each with its own scale. Rows are only added, never removed. */
export type VectorSpace = {
  readonly version: string;
  readonly dimensions: number;
  /** Number of rows, including dead ones. */
  count: number;
  /**
   * The largest distance of a row from its original vector: the error of a dot product with a unit vector is at most
   * this.
   */
  worstError: number;
  readonly kernel: Kernel;
  readonly blocks: Block[];
};

/** Addresses in the kernel's memory. */
type Block = { rows: number; scales: number; out: number };

const BLOCK_ROWS = 8192;
const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;
const INT16_BYTES = 2;
const INT8_MAX = 127;
const INT32_MAX = 2 ** 31 - 1;
const INT16_MAX = 2 ** 15 - 1;

/** Returns an empty space. */
export function createSpace(version: string, dimensions: number): VectorSpace {
  const kernel = createKernel();
  const space = { version, dimensions, count: 0, worstError: 0, kernel, blocks: [] };
  // The query is at address 0.
  allocate(kernel, paddedOf(dimensions) * INT16_BYTES - kernel.memory.buffer.byteLength);
  return space;
}

/** Returns a space with `count` rows, which the caller fills at the places from {@link extentsOf}. */
export function reserveSpace(version: string, dimensions: number, count: number): VectorSpace {
  const space = createSpace(version, dimensions);
  while (space.blocks.length * BLOCK_ROWS < count) addBlock(space);
  space.count = count;
  return space;
}

/** Returns the places of the rows and their scales in the kernel's memory, block by block, in bytes. */
export function extentsOf({ blocks, count, dimensions }: VectorSpace): { at: number; length: number }[] {
  return blocks.flatMap((block, index) => {
    const rows = Math.min(BLOCK_ROWS, count - index * BLOCK_ROWS);
    if (rows <= 0) return [];
    return [
      { at: block.rows, length: rows * paddedOf(dimensions) },
      { at: block.scales, length: rows * FLOAT_BYTES },
    ];
  });
}

/** Adds a vector and returns its row. The vector must have length 1 (L2). */
export function addVector(space: VectorSpace, unit: Float32Array): number {
  const row = space.count++;
  const block = space.blocks[Math.floor(row / BLOCK_ROWS)] ?? addBlock(space);
  const { buffer } = space.kernel.memory;
  const at = row % BLOCK_ROWS;
  const width = paddedOf(space.dimensions);
  const values = new Int8Array(buffer, block.rows + at * width, width);
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  const scale = Math.fround(largest / INT8_MAX);
  let squares = 0;
  for (let i = 0; i < unit.length; i++) {
    const value = unit[i] as number;
    const rounded = Math.round(value / scale);
    values[i] = rounded;
    squares += (value - rounded * scale) ** 2;
  }
  new Float32Array(buffer, block.scales, BLOCK_ROWS)[at] = scale;
  space.worstError = Math.max(space.worstError, Math.sqrt(squares));
  return row;
}

/** Adds the vectors of rows to `sum`. */
export function addRowsTo(sum: Float64Array, space: VectorSpace, rows: readonly number[]): void {
  const { bytes, floats } = viewsOf(space);
  const width = paddedOf(space.dimensions);
  for (const row of rows) {
    const block = space.blocks[Math.floor(row / BLOCK_ROWS)];
    if (!block) continue;
    const at = row % BLOCK_ROWS;
    const first = block.rows + at * width;
    const scale = floats[block.scales / FLOAT_BYTES + at] as number;
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (bytes[first + i] as number);
  }
}

/** The kernel's memory as numbers. */
type Views = { bytes: Int8Array; floats: Float32Array };
const views = new WeakMap<ArrayBufferLike, Views>();

/** Returns views that are made once: making one, or finding it, costs as much as a row that is read through it. */
function viewsOf({ kernel }: VectorSpace): Views {
  const { buffer } = kernel.memory;
  const known = views.get(buffer);
  if (known) return known;
  const made = { bytes: new Int8Array(buffer), floats: new Float32Array(buffer) };
  views.set(buffer, made);
  return made;
}

/** Calls `visit` with the dot products of `unit` (length 1) and the rows, one block at a time. */
export function scanSpace(
  space: VectorSpace,
  unit: Float32Array,
  visit: (products: Float32Array, firstRow: number) => void,
): void {
  const { kernel, blocks, count } = space;
  const width = paddedOf(space.dimensions);
  const scale = writeQuery(kernel, unit, width);
  for (const [index, block] of blocks.entries()) {
    const rows = Math.min(BLOCK_ROWS, count - index * BLOCK_ROWS);
    kernel.scan(0, block.rows, block.scales, rows, width, block.out);
    const products = new Float32Array(kernel.memory.buffer, block.out, rows);
    for (let i = 0; i < rows; i++) products[i] = (products[i] as number) * scale;
    visit(products, index * BLOCK_ROWS);
  }
}

/** Writes the query as int16, as finely as sums of int32 allow. Returns its scale. */
function writeQuery(kernel: Kernel, unit: Float32Array, width: number): number {
  let [largest, total] = [0, 0];
  for (const value of unit) {
    largest = Math.max(largest, Math.abs(value));
    total += Math.abs(value);
  }
  const factor = Math.min(INT16_MAX / largest, (INT32_MAX - width * INT8_MAX) / (total * INT8_MAX));
  const query = new Int16Array(kernel.memory.buffer, 0, width).fill(0);
  for (let i = 0; i < unit.length; i++) query[i] = Math.round((unit[i] as number) * factor);
  return 1 / factor;
}

function addBlock(space: VectorSpace): Block {
  const rowsBytes = BLOCK_ROWS * paddedOf(space.dimensions);
  const rows = allocate(space.kernel, rowsBytes + 2 * BLOCK_ROWS * FLOAT_BYTES);
  const scales = rows + rowsBytes;
  const block = { rows, scales, out: scales + BLOCK_ROWS * FLOAT_BYTES };
  space.blocks.push(block);
  return block;
}

/** Adds memory and returns its address. */
function allocate({ memory }: Kernel, bytes: number): number {
  const end = memory.buffer.byteLength;
  if (bytes > 0) memory.grow(Math.ceil(bytes / PAGE_BYTES));
  return end;
}

const paddedOf = (dimensions: number) => Math.ceil(dimensions / LANES) * LANES;
