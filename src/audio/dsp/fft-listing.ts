import { type Code, code, op } from "../../wasm/assemble.ts";

/** The instructions that put a complex number on the stack. */
type Complex = { re: Code; im: Code };

const DOUBLE_BYTES = 8;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const { get, set, constant } = op;

type Planes = { re: number; im: number };
type Layout = ReturnType<typeof layoutOf>;

/** Returns where everything lies that begins at `from`, in bytes from the start of the memory. */
export function layoutOf(size: number, from: number) {
  const half = size / 2;
  let bytes = 0;
  const room = (doubles: number) => {
    const at = from + bytes;
    bytes += Math.ceil(doubles / 2) * VECTOR_BYTES;
    return at;
  };
  const planes = (doubles: number): Planes => ({ re: room(doubles), im: room(doubles) });
  /** The even samples, and the odd ones. */
  const input = planes(half);
  // One more than the values: the last step reads the first value again after the last.
  const ping = planes(half + 1);
  const pong = planes(half + 1);
  /** First, second and third powers of the roots of unity. */
  const twiddles = [planes(half / 4), planes(half / 4), planes(half / 4)];
  const split = planes(half);
  const out = planes(half + 1);
  const oneHalf = room(2);
  const frame = room(size / 2);
  const window = planes(half);
  const power = room(half + 1);
  return { input, ping, pong, twiddles, split, out, oneHalf, frame, window, power, bytes };
}

const [AT, TO, TWIDDLE, END] = [0, 1, 2, 3] as const;
export const POINTERS = 4;
export const PAIRS = 11;
/** Two vector locals: the real parts and the imaginary parts of two complex numbers. */
const pair = (index: number): Planes => ({ re: POINTERS + 2 * index, im: POINTERS + 2 * index + 1 });

const add = (a: Code, b: Code) => code(a, b, op.addDoubles);
const subtract = (a: Code, b: Code) => code(a, b, op.subtractDoubles);
const multiply = (a: Code, b: Code) => code(a, b, op.multiplyDoubles);
const advance = (local: number, bytes: number) => code(get(local), constant(bytes), op.add, set(local));
const at = (local: number, bytes: number) => code(get(local), op.loadVector(bytes));
const read = ({ re, im }: Planes): Complex => ({ re: get(re), im: get(im) });
/** The locals of the twiddles, behind those of a butterfly. */
const ROOTS = [8, 9, 10].map(pair);
const keep = ({ re, im }: Planes, value: Complex) => code(value.re, set(re), value.im, set(im));
const plus = (a: Complex, b: Complex): Complex => ({ re: add(a.re, b.re), im: add(a.im, b.im) });
const minus = (a: Complex, b: Complex): Complex => ({ re: subtract(a.re, b.re), im: subtract(a.im, b.im) });
const times = (a: Complex, b: Complex): Complex => ({
  re: subtract(multiply(a.re, b.re), multiply(a.im, b.im)),
  im: add(multiply(a.re, b.im), multiply(a.im, b.re)),
});
/** a + ib; `minusTurned` is a - ib. */
const plusTurned = (a: Complex, b: Complex): Complex => ({ re: subtract(a.re, b.im), im: add(a.im, b.re) });
const minusTurned = (a: Complex, b: Complex): Complex => ({ re: add(a.re, b.im), im: subtract(a.im, b.re) });

/**
 * Returns a complex transform of half the size by Stockham's method, which needs no reordering, followed by the split: into the bins,
 * or into their power.
 */
export function transformListing(size: number, layout: Layout, result: "bins" | "power"): number[] {
  const half = size / 2;
  let [from, to] = [layout.ping, layout.pong];
  const stages = [firstStage(half, layout)];
  let stride = 4;
  for (; half / stride >= 4; stride *= 4) {
    stages.push(stage(half, stride, { from, to, twiddles: layout.twiddles }));
    [from, to] = [to, from];
  }
  if (stride < half) {
    stages.push(lastStage(half, { from, to }));
    [from, to] = [to, from];
  }
  return code(...stages, separate(half, from, layout, result));
}

/** Turns four values into their sums and differences, times the twiddles. Leaves them in the first four pairs. */
function butterfly(loads: readonly Complex[], twiddles: readonly Complex[]): number[] {
  const [a, b, c, d] = loads as [Complex, Complex, Complex, Complex];
  const [first, second, third] = twiddles as [Complex, Complex, Complex];
  const [evenSum, evenDifference, oddSum, oddDifference] = [pair(4), pair(5), pair(6), pair(7)];
  return code(
    code(keep(pair(0), a), keep(pair(1), b), keep(pair(2), c), keep(pair(3), d)),
    keep(evenSum, plus(read(pair(0)), read(pair(2)))),
    keep(evenDifference, minus(read(pair(0)), read(pair(2)))),
    keep(oddSum, plus(read(pair(1)), read(pair(3)))),
    keep(oddDifference, minus(read(pair(1)), read(pair(3)))),
    keep(pair(0), plus(read(evenSum), read(oddSum))),
    keep(pair(2), minus(read(evenSum), read(oddSum))),
    keep(pair(1), minusTurned(read(evenDifference), read(oddDifference))),
    keep(pair(3), plusTurned(read(evenDifference), read(oddDifference))),
    keep(evenSum, times(read(pair(1)), first)),
    keep(oddSum, times(read(pair(2)), second)),
    keep(oddDifference, times(read(pair(3)), third)),
    code(keep(pair(1), read(evenSum)), keep(pair(2), read(oddSum))),
    keep(pair(3), read(oddDifference)),
  );
}

/** The first stage: two neighbouring butterflies per turn, each with its own twiddles. */
function firstStage(half: number, { input, ping, twiddles }: Layout): number[] {
  const quarterBytes = (half / 4) * DOUBLE_BYTES;
  const loads = [0, 1, 2, 3].map(
    (quarter): Complex => ({
      re: at(AT, input.re + quarter * quarterBytes),
      im: at(AT, input.im + quarter * quarterBytes),
    }),
  );
  const roots = twiddles.map(({ re, im }): Complex => ({ re: at(AT, re), im: at(AT, im) }));
  const store = (part: "re" | "im") =>
    [0, 2].flatMap((index) => {
      const [one, next] = [get(pair(index)[part]), get(pair(index + 1)[part])];
      const to = ping[part] + index * DOUBLE_BYTES;
      return code(
        code(get(TO), one, next, op.firstDoubles, op.storeVector(to)),
        code(get(TO), next, one, op.secondDoublesReversed, op.storeVector(to + 2 * VECTOR_BYTES)),
      );
    });
  return code(
    code(constant(0), set(AT), constant(0), set(TO)),
    op.loopWhile(
      butterfly(loads, roots),
      code(store("re"), store("im")),
      code(advance(AT, VECTOR_BYTES), advance(TO, 4 * VECTOR_BYTES)),
      code(get(AT), constant(quarterBytes), op.isLess),
    ),
  );
}

type Passage = { from: Planes; to: Planes };

/** One stage: runs of `stride` values share their twiddles. */
function stage(
  half: number,
  stride: number,
  { from, to, twiddles }: Passage & { twiddles: Planes[] },
): number[] {
  const strideBytes = stride * DOUBLE_BYTES;
  const quarterBytes = (half / 4) * DOUBLE_BYTES;
  const loads = [0, 1, 2, 3].map(
    (quarter): Complex => ({
      re: at(AT, from.re + quarter * quarterBytes),
      im: at(AT, from.im + quarter * quarterBytes),
    }),
  );
  const roots = twiddles.map(
    ({ re, im }): Complex => ({
      re: code(get(TWIDDLE), op.loadDoubleSplat(re)),
      im: code(get(TWIDDLE), op.loadDoubleSplat(im)),
    }),
  );
  const store = (index: number) =>
    (["re", "im"] as const).flatMap((part) =>
      code(get(TO), get(pair(index)[part]), op.storeVector(to[part] + index * strideBytes)),
    );
  return code(
    code(constant(0), set(AT), constant(0), set(TO), constant(0), set(TWIDDLE)),
    op.loopWhile(
      code(get(AT), constant(strideBytes), op.add, set(END)),
      code(...roots.map((root, power) => keep(ROOTS[power] as Planes, root))),
      op.loopWhile(
        butterfly(loads, ROOTS.map(read)),
        code(store(0), store(1), store(2), store(3)),
        code(advance(AT, VECTOR_BYTES), advance(TO, VECTOR_BYTES)),
        code(get(AT), get(END), op.isLess),
      ),
      code(advance(TO, 3 * strideBytes), advance(TWIDDLE, strideBytes)),
      code(get(AT), constant(quarterBytes), op.isLess),
    ),
  );
}

/** The last stage when the length is not a power of four: two halves are left. */
function lastStage(half: number, { from, to }: Passage): number[] {
  const middle = (half / 2) * DOUBLE_BYTES;
  const both = (part: "re" | "im") =>
    code(
      code(get(AT), add(at(AT, from[part]), at(AT, from[part] + middle)), op.storeVector(to[part])),
      code(get(AT), subtract(at(AT, from[part]), at(AT, from[part] + middle))),
      op.storeVector(to[part] + middle),
    );
  return code(
    code(constant(0), set(AT)),
    op.loopWhile(
      code(both("re"), both("im"), advance(AT, VECTOR_BYTES)),
      code(get(AT), constant(middle), op.isLess),
    ),
  );
}

/**
 * Combines the transforms of the even and the odd samples into the transform of all samples.
 *
 * @see Press et al., Numerical Recipes, section 12.3.
 */
function separate(half: number, from: Planes, layout: Layout, result: "bins" | "power"): number[] {
  const { split, out, power } = layout;
  const bytes = half * DOUBLE_BYTES;
  const copyFirst = (part: "re" | "im") =>
    code(constant(0), constant(0), op.loadDouble(from[part]), op.storeDouble(from[part] + bytes));
  const [here, mirror, odd] = [pair(0), pair(1), pair(2)];
  const reversed = (part: "re" | "im") =>
    code(at(TO, from[part]), at(TO, from[part]), op.shuffleDoubles(1, 0));
  const oneHalf = code(constant(0), op.loadDoubleSplat(layout.oneHalf));
  const root: Complex = { re: at(AT, split.re), im: at(AT, split.im) };
  const turned = times(read(odd), root);
  const [bin, last] = [pair(3), pair(4)];
  const squared = (number: Code) => code(number, number, op.multiplyDoubles);
  const write =
    result === "bins"
      ? code(
          code(get(AT), get(bin.re), op.storeVector(out.re)),
          code(get(AT), get(bin.im), op.storeVector(out.im)),
        )
      : code(get(AT), add(squared(get(bin.re)), squared(get(bin.im))), op.storeVector(power));
  return code(
    code(copyFirst("re"), copyFirst("im")),
    code(constant(0), set(AT), constant(bytes - DOUBLE_BYTES), set(TO)),
    op.loopWhile(
      keep(here, { re: at(AT, from.re), im: at(AT, from.im) }),
      keep(mirror, { re: reversed("re"), im: reversed("im") }),
      keep(odd, {
        re: multiply(oneHalf, add(get(here.im), get(mirror.im))),
        im: multiply(oneHalf, subtract(get(mirror.re), get(here.re))),
      }),
      keep(bin, {
        re: add(multiply(oneHalf, add(get(here.re), get(mirror.re))), turned.re),
        im: add(multiply(oneHalf, subtract(get(here.im), get(mirror.im))), turned.im),
      }),
      write,
      code(advance(AT, VECTOR_BYTES), advance(TO, -VECTOR_BYTES)),
      code(get(AT), constant(bytes), op.isLess),
    ),
    code(code(constant(0), op.loadDoubleSplat(from.re)), code(constant(0), op.loadDoubleSplat(from.im))),
    code(op.subtractDoubles, set(last.re), constant(0)),
    result === "bins"
      ? code(get(last.re), op.firstDouble, op.storeDouble(out.re + bytes))
      : code(squared(get(last.re)), op.firstDouble, op.storeDouble(power + bytes)),
  );
}

/** Returns the product of the frame and the window, the even samples in one plane and the odd ones in the other. */
export function windowListing(size: number, { input, frame, window }: Layout): number[] {
  const samples = pair(0).re;
  const windowed = (part: "re" | "im", lane: 0 | 1) =>
    code(
      code(
        get(AT),
        get(samples),
        get(samples),
        op.shuffleFloats(lane, 2 + lane, lane, 2 + lane),
        op.toDoubles,
      ),
      code(at(AT, window[part]), op.multiplyDoubles, op.storeVector(input[part])),
    );
  return code(
    code(constant(0), set(AT)),
    op.loopWhile(
      code(at(AT, frame), set(samples)),
      code(windowed("re", 0), windowed("im", 1)),
      code(advance(AT, VECTOR_BYTES), get(AT), constant(size * FLOAT_BYTES), op.isLess),
    ),
  );
}
