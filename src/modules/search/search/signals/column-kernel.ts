import { assemble, code, I32, op, V128 } from "../../../../wasm/assemble.ts";
import { roomFor } from "../../../../wasm/shared-memory.ts";
import type { Ramp } from "./ranges.ts";

/** Number of slots handled together, so that their sums stay in the processor's cache. */
export const BLOCK = 8192;

/**
 * Adds scores of a block of tracks to their sums, two at a time, rounded as plain code would. Callers fill and read the
 * arrays, one value per track; `count` is how many tracks there are, BLOCK at most.
 */
export type ColumnKernel = {
  values: Float64Array;
  scores: Float64Array;
  /** How much the score of each track counts. */
  parts: Float64Array;
  /** Sums of parts times scores. */
  totals: Float32Array;
  /** The share of a score that remains. */
  factors: Float32Array;
  /** Raises `scores` to those of ramps at `values` where these are higher, which they are not at NaN. */
  raise(ramps: readonly Ramp[], count: number): void;
  /** Adds `scores` to `totals`, and multiplies `factors` by `missFactor` where a score is 0. */
  add(count: number, missFactor?: number): void;
};

const { get, set, constant } = op;
const advance = (local: number, bytes: number) => code(get(local), constant(bytes), op.add, set(local));

const [DOUBLE, FLOAT] = [8, 4] as const;
/** Values in a vector. */
const LANES = 2;
/** Numbers of a ramp: where it begins, the length of its rise, where it ends, the length of its fall, its height. */
const NUMBERS = 5;
const MOST_RAMPS = 16;

const raise = (() => {
  const [VALUES, END, RAMPS, RAMPS_END, SCORES] = [0, 1, 2, 3, 4] as const;
  const [AT, VALUE, BEST, HEIGHT] = [5, 6, 7, 8] as const;
  const number = (index: number) => code(get(AT), op.loadDoubleSplat(index * DOUBLE));
  /** Lowers what is on the stack to the height at this distance from an end. At an end without a slope that is NaN. */
  const lowerTo = (distance: readonly number[], length: number) =>
    code(distance, number(length), op.divideDoubles, get(HEIGHT), op.multiplyDoubles, op.lowerDoubles);
  return op.loopWhile(
    code(get(VALUES), op.loadVector(), set(VALUE)),
    code(constant(0), op.splat, set(BEST), get(RAMPS), set(AT)),
    op.loopWhile(
      code(number(4), set(HEIGHT), get(BEST), get(HEIGHT)),
      lowerTo(code(get(VALUE), number(0), op.subtractDoubles), 1),
      lowerTo(code(number(2), get(VALUE), op.subtractDoubles), 3),
      code(op.higherDoubles, set(BEST)),
      code(advance(AT, NUMBERS * DOUBLE), get(AT), get(RAMPS_END), op.isLess),
    ),
    code(get(SCORES), get(SCORES), op.loadVector()),
    // Only NaN differs from itself.
    code(get(BEST), get(VALUE), get(VALUE), op.equalDoubles, op.and),
    code(op.higherDoubles, op.storeVector()),
    code(advance(VALUES, LANES * DOUBLE), advance(SCORES, LANES * DOUBLE)),
    code(get(VALUES), get(END), op.isLess),
  );
})();

const add = (() => {
  const [SCORES, END, PARTS, TOTALS] = [0, 1, 2, 3] as const;
  return op.loopWhile(
    code(get(TOTALS), get(TOTALS), op.loadTwoFloats(), op.toDoubles),
    code(get(PARTS), op.loadVector(), get(SCORES), op.loadVector(), op.multiplyDoubles),
    code(op.addDoubles, op.fromDoubles, op.storeHalf()),
    code(advance(SCORES, LANES * DOUBLE), advance(PARTS, LANES * DOUBLE), advance(TOTALS, LANES * FLOAT)),
    code(get(SCORES), get(END), op.isLess),
  );
})();

const lower = (() => {
  const [SCORES, END, FACTORS, SHARES] = [0, 1, 2, 3] as const;
  return op.loopWhile(
    code(get(FACTORS), get(FACTORS), op.loadTwoFloats(), op.toDoubles),
    code(get(SHARES), op.loadDoubleSplat(), get(SHARES), op.loadDoubleSplat(DOUBLE)),
    code(get(SCORES), op.loadVector(), constant(0), op.splat, op.equalDoubles, op.select),
    code(op.multiplyDoubles, op.fromDoubles, op.storeHalf()),
    code(advance(SCORES, LANES * DOUBLE), advance(FACTORS, LANES * FLOAT)),
    code(get(SCORES), get(END), op.isLess),
  );
})();

let kernel: ColumnKernel | undefined;

/** Returns the kernel of this thread, whose arrays hold whatever was in them last. */
export function columnKernel(): ColumnKernel {
  kernel ??= createColumnKernel();
  return kernel;
}

function createColumnKernel(): ColumnKernel {
  const made = {} as ColumnKernel;
  const numbers = MOST_RAMPS * NUMBERS + LANES;
  const { memory, at: start } = roomFor(made, (3 * BLOCK + numbers) * DOUBLE + 2 * BLOCK * FLOAT);
  const bytes = assemble([
    { name: "raise", params: Array<number>(5).fill(I32), locals: [I32, V128, V128, V128], body: raise },
    { name: "add", params: Array<number>(4).fill(I32), locals: [], body: add },
    { name: "lower", params: Array<number>(4).fill(I32), locals: [], body: lower },
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  // The compiler cannot know the types of exports; the listings above define them.
  const run = exports as Record<"raise" | "add" | "lower", (...addresses: number[]) => void>;
  const doubles = (at: number, length: number) => new Float64Array(memory.buffer, at, length);
  const floats = (at: number) => new Float32Array(memory.buffer, at, BLOCK);
  const [values, scores, parts, shares] = [0, 1, 2, 3].map((part) => start + part * BLOCK * DOUBLE) as [
    ...[number, number, number, number],
  ];
  const ramps = shares + LANES * DOUBLE;
  const totals = ramps + MOST_RAMPS * NUMBERS * DOUBLE;
  const factors = totals + BLOCK * FLOAT;
  const written = doubles(ramps, MOST_RAMPS * NUMBERS);
  const factorOf = doubles(shares, LANES);
  return Object.assign(made, {
    values: doubles(values, BLOCK),
    scores: doubles(scores, BLOCK),
    parts: doubles(parts, BLOCK),
    totals: floats(totals),
    factors: floats(factors),
    raise(some: readonly Ramp[], count: number) {
      const flat = some.flatMap(({ from, low, high, to, height }) => [
        from,
        low - from,
        to,
        to - high,
        height,
      ]);
      written.set(flat);
      run.raise(values, values + count * DOUBLE, ramps, ramps + flat.length * DOUBLE, scores);
    },
    add(count: number, missFactor?: number) {
      run.add(scores, scores + count * DOUBLE, parts, totals);
      if (missFactor === undefined) return;
      factorOf.set([missFactor, 1]);
      run.lower(scores, scores + count * DOUBLE, factors, shares);
    },
  });
}
