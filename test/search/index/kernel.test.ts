import { describe, expect, test } from "bun:test";
import { randomFrom } from "../../../src/demo/dsp/random.ts";
import { createKernel } from "../../../src/modules/search/search/index/kernel.ts";
import {
  addRowsTo,
  addVector,
  createSpace,
  scanSpace,
} from "../../../src/modules/search/search/index/vector-space.ts";

const random = randomFrom("kernel test");

function unit(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe("the kernel", () => {
  test.each([16, 96, 384, 1024])("multiplies whole numbers exactly, %d dimensions", (dimensions) => {
    const { memory, scan } = createKernel();
    const rows = 7;
    memory.grow(1);
    const [queryAt, rowsAt] = [0, dimensions * 2];
    const scalesAt = rowsAt + rows * dimensions;
    const outAt = scalesAt + rows * 4;
    const query = new Int16Array(memory.buffer, queryAt, dimensions).map(() =>
      Math.round(random() * 400 - 200),
    );
    new Int16Array(memory.buffer, queryAt, dimensions).set(query);
    const values = Int8Array.from({ length: rows * dimensions }, () => Math.round(random() * 254 - 127));
    new Int8Array(memory.buffer, rowsAt).set(values);
    new Float32Array(memory.buffer, scalesAt, rows).fill(0.5);

    scan(queryAt, rowsAt, scalesAt, rows, dimensions, outAt);

    const expected = Array.from({ length: rows }, (_, row) =>
      query.reduce((sum, value, i) => sum + value * (values[row * dimensions + i] ?? 0), 0),
    );
    expect([...new Float32Array(memory.buffer, outAt, rows)]).toEqual(expected.map((sum) => sum / 2));
  });

  test("accepts an empty list of rows", () => {
    const { memory, scan } = createKernel();

    scan(0, 64, 128, 0, 16, 256);

    expect(new Float32Array(memory.buffer, 256, 1)[0]).toBe(0);
  });
});

describe("a space of vectors", () => {
  test.each([2, 17, 96])("has no larger error than it states, %d dimensions", (dimensions) => {
    const space = createSpace("1", dimensions);
    // More than a block.
    const vectors = Array.from({ length: 9000 }, () => unit(dimensions));
    for (const vector of vectors) addVector(space, vector);
    const query = unit(dimensions);
    const products = new Float32Array(vectors.length);

    scanSpace(space, query, (some, first) => products.set(some, first));

    const worst = Math.max(
      ...vectors.map((vector, row) => Math.abs(dot(vector, query) - (products[row] ?? 0))),
    );
    expect(space.count).toBe(9000);
    expect(worst).toBeLessThan(space.worstError + 0.001);
    expect(space.worstError).toBeLessThan(0.02);
  });

  test("returns its vectors as stored", () => {
    const space = createSpace("1", 3);
    addVector(space, Float32Array.of(1, 0, 0));
    addVector(space, Float32Array.of(0, -0.6, 0.8));
    const sum = new Float64Array(3);

    addRowsTo(sum, space, [1, 1]);

    expect(sum[0]).toBe(0);
    expect(sum[1]).toBeCloseTo(-1.2, 2);
    expect(sum[2]).toBeCloseTo(1.6, 2);
  });
});
