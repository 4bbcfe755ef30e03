import { COLUMNS, createTileKernel, FLOAT_BYTES, ROWS } from "../../src/ears/tile-kernel.ts";

/** Rows of inputs, and for each row and name 1, 0 or NaN where it is unknown. */
export type Rows = { inputs: readonly Float32Array[]; labels: readonly Float32Array[] };
/** A linear regression for each name: `weights` for each input all names'. */
export type Model = { weights: Float32Array; bias: Float32Array };

/** What is added to the variance of each input, in widths: without it, thousands of inputs fit anything. */
const RIDGE = 0.1;
/** Rows that are multiplied at once. */
const BLOCK = 256;

/** The sums of products of inputs, and of inputs with labels, over some rows. */
export type Sums = { rows: number; inputs: Float64Array; products: Float32Array; targets: Float64Array };

/** Returns a function that sums up rows of `size` inputs. Unknown labels count as the mean of `labels`. */
export function createSummer(size: number, means: Float32Array): (rows: Rows) => Sums {
  const width = Math.ceil(size / COLUMNS) * COLUMNS;
  const height = Math.ceil(size / ROWS) * ROWS;
  const { kernel, room } = createTileKernel((height + BLOCK + 1) * width);
  const products = room(height * width);
  const block = room((BLOCK + 1) * width);
  const step = width * FLOAT_BYTES;
  return ({ inputs, labels }) => {
    products.fill(0);
    for (let from = 0; from < inputs.length; from += BLOCK) {
      block.fill(0);
      const rows = inputs.slice(from, from + BLOCK);
      for (const [i, row] of rows.entries()) block.set(row, i * width);
      for (let i = 0; i < height; i += ROWS) {
        const left = block.byteOffset + i * FLOAT_BYTES;
        const out = products.byteOffset + i * step;
        kernel.addProduct(left, step, block.byteOffset, step, rows.length, out, step, width / COLUMNS);
      }
    }
    const square = new Float32Array(size * size);
    for (let i = 0; i < size; i++) square.set(products.subarray(i * width, i * width + size), i * size);
    return { rows: inputs.length, products: square, ...labelSums({ inputs, labels }, means) };
  };
}

function labelSums({ inputs, labels }: Rows, means: Float32Array): Pick<Sums, "inputs" | "targets"> {
  const [size, names] = [inputs[0]?.length ?? 0, means.length];
  const sums = { inputs: new Float64Array(size), targets: new Float64Array(size * names) };
  for (const [row, input] of inputs.entries()) {
    const off = means.map((mean, j) => {
      const label = labels[row]?.[j] ?? Number.NaN;
      return Number.isNaN(label) ? 0 : label - mean;
    });
    for (let i = 0; i < size; i++) {
      const value = input[i] as number;
      sums.inputs[i] = (sums.inputs[i] as number) + value;
      for (let j = 0, at = i * names; j < names; j++, at++)
        sums.targets[at] = (sums.targets[at] as number) + value * (off[j] as number);
    }
  }
  return sums;
}

/** Returns the sums over the rows of one that are not among those of the other. */
export function without(all: Sums, some: Sums): Sums {
  return {
    rows: all.rows - some.rows,
    inputs: all.inputs.map((value, i) => value - (some.inputs[i] as number)),
    products: all.products.map((value, i) => value - (some.products[i] as number)),
    targets: all.targets.map((value, i) => value - (some.targets[i] as number)),
  };
}

/** Fits the regressions with a ridge: the same sums give the same weights. */
export function fitSums({ rows, products, targets }: Sums, means: Float32Array): Model {
  const names = means.length;
  const size = targets.length / names;
  const lower = choleskyOf(products, size, rows);
  const weights = new Float32Array(size * names);
  const column = new Float64Array(size);
  for (let j = 0; j < names; j++) {
    for (let i = 0; i < size; i++) column[i] = (targets[i * names + j] as number) / rows;
    solve(lower, column);
    for (let i = 0; i < size; i++) weights[i * names + j] = column[i] as number;
  }
  return { weights, bias: means };
}

/** Returns the lower triangle of which the product with itself is the mean of the products, and the ridge. */
function choleskyOf(products: Float32Array, size: number, rows: number): Float64Array[] {
  const lower: Float64Array[] = [];
  for (let i = 0; i < size; i++) {
    const row = new Float64Array(i + 1);
    lower.push(row);
    for (let j = 0; j <= i; j++) {
      const other = lower[j] as Float64Array;
      let sum = (products[i * size + j] as number) / rows + (i === j ? RIDGE : 0);
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number);
      row[j] = i === j ? Math.sqrt(sum) : sum / (other[j] as number);
    }
  }
  return lower;
}

/** Solves for a column, in place. */
function solve(lower: readonly Float64Array[], column: Float64Array): void {
  const size = column.length;
  for (let i = 0; i < size; i++) {
    const row = lower[i] as Float64Array;
    let sum = column[i] as number;
    for (let k = 0; k < i; k++) sum -= (row[k] as number) * (column[k] as number);
    column[i] = sum / (row[i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    const row = lower[i] as Float64Array;
    const value = (column[i] as number) / (row[i] as number);
    column[i] = value;
    for (let k = 0; k < i; k++) column[k] = (column[k] as number) - (row[k] as number) * value;
  }
}

/** Returns what a model says of each name. */
export function scoresOf({ weights, bias }: Model, input: Float32Array): Float32Array {
  const sums = Float32Array.from(bias);
  const names = sums.length;
  for (let i = 0; i < input.length; i++) {
    const value = input[i] as number;
    for (let j = 0, at = i * names; j < names; j++, at++)
      sums[j] = (sums[j] as number) + value * (weights[at] as number);
  }
  return sums;
}
