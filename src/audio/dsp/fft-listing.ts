import { type Code, code, op } from "../../wasm/assemble.ts";

/** The instructions that put a complex number on the stack. */
type Complex = { re: Code; im: Code };

const DOUBLE_BYTES = 8;
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
  const input = room(size);
  // One more than the values: the last step reads the first value again after the last.
  const ping = planes(half + 1);
  const pong = planes(half + 1);
  /** First, second and third powers of the roots of unity. */
  const twiddles = [planes(half / 4), planes(half / 4), planes(half / 4)];
  const split = planes(half);
  const out = planes(half + 1);
  const oneHalf = room(2);
  const frame = room(size / 2);
  const window = room(size);
  const power = room(half + 1);
  return { input, ping, pong, twiddles, split, out, oneHalf, frame, window, power, bytes };
}

const [AT, TO, TWIDDLE, END] = [0, 1, 2, 3] as const;
export const POINTERS = 4;
export const PAIRS = 8;
/** Two vector locals: the real parts and the imaginary parts of two complex numbers. */
const pair = (index: number): Planes => ({ re: POINTERS + 2 * index, im: POINTERS + 2 * index + 1 });

const add = (a: Code, b: Code) => code(a, b, op.addDoubles);
const subtract = (a: Code, b: Code) => code(a, b, op.subtractDoubles);
const multiply = (a: Code, b: Code) => code(a, b, op.multiplyDoubles);
const advance = (local: number, bytes: number) => code(get(local), constant(bytes), op.add, set(local));
const at = (local: number, bytes: number) => code(get(local), op.loadVector(bytes));
const read = ({ re, im }: Planes): Complex => ({ re: get(re), im: get(im) });
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

/** Returns a complex transform of half the size by Stockham's method, which needs no reordering, followed by the split. */
export function transformListing(size: number, layout: Layout): number[] {
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
  return code(...stages, separate(half, from, layout));
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

/** Converts interleaved samples to real and imaginary parts: two neighbouring butterflies per turn. */
function firstStage(half: number, { input, ping, twiddles }: Layout): number[] {
  const quarterBytes = (half / 4) * VECTOR_BYTES;
  const loads = [0, 1, 2, 3].map((quarter): Complex => {
    const both = code(
      at(AT, input + quarter * quarterBytes),
      at(AT, input + quarter * quarterBytes + VECTOR_BYTES),
    );
    return { re: code(both, op.shuffleDoubles(0, 2)), im: code(both, op.shuffleDoubles(1, 3)) };
  });
  const roots = twiddles.map(({ re, im }): Complex => ({ re: at(TWIDDLE, re), im: at(TWIDDLE, im) }));
  const store = (part: "re" | "im", lane: 0 | 1) =>
    [0, 2].flatMap((index) =>
      code(
        code(get(TO), get(pair(index)[part]), get(pair(index + 1)[part])),
        op.shuffleDoubles(lane, 2 + lane),
        op.storeVector(ping[part] + (4 * lane + index) * DOUBLE_BYTES),
      ),
    );
  return code(
    code(constant(0), set(AT), constant(0), set(TO), constant(0), set(TWIDDLE)),
    op.loopWhile(
      butterfly(loads, roots),
      code(store("re", 0), store("re", 1), store("im", 0), store("im", 1)),
      code(advance(AT, 2 * VECTOR_BYTES), advance(TO, 4 * VECTOR_BYTES), advance(TWIDDLE, VECTOR_BYTES)),
      code(get(TWIDDLE), constant((half / 4) * DOUBLE_BYTES), op.isLess),
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
      op.loopWhile(
        butterfly(loads, roots),
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
function separate(half: number, from: Planes, layout: Layout): number[] {
  const { split, out } = layout;
  const bytes = half * DOUBLE_BYTES;
  const copyFirst = (part: "re" | "im") =>
    code(constant(0), constant(0), op.loadDouble(from[part]), op.storeDouble(from[part] + bytes));
  const [here, mirror, odd] = [pair(0), pair(1), pair(2)];
  const reversed = (part: "re" | "im") =>
    code(at(TO, from[part]), at(TO, from[part]), op.shuffleDoubles(1, 0));
  const oneHalf = code(constant(0), op.loadDoubleSplat(layout.oneHalf));
  const root: Complex = { re: at(AT, split.re), im: at(AT, split.im) };
  const turned = times(read(odd), root);
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
      code(get(AT), add(multiply(oneHalf, add(get(here.re), get(mirror.re))), turned.re)),
      op.storeVector(out.re),
      code(get(AT), add(multiply(oneHalf, subtract(get(here.im), get(mirror.im))), turned.im)),
      op.storeVector(out.im),
      code(advance(AT, VECTOR_BYTES), advance(TO, -VECTOR_BYTES)),
      code(get(AT), constant(bytes), op.isLess),
    ),
    code(constant(0), constant(0), op.loadDouble(from.re)),
    code(constant(0), op.loadDouble(from.im), op.subtractDouble, op.storeDouble(out.re + bytes)),
  );
}

/** Returns the product of the frame and the window. */
export function windowListing(size: number, { input, frame, window }: Layout): number[] {
  const [SAMPLE, DOUBLE] = [0, 1] as const;
  return code(
    code(constant(0), set(SAMPLE), constant(0), set(DOUBLE)),
    op.loopWhile(
      code(get(DOUBLE), get(SAMPLE), op.loadTwoFloats(frame), op.toDoubles),
      code(at(DOUBLE, window), op.multiplyDoubles, op.storeVector(input)),
      code(advance(SAMPLE, VECTOR_BYTES / 2), advance(DOUBLE, VECTOR_BYTES)),
      code(get(DOUBLE), constant(size * DOUBLE_BYTES), op.isLess),
    ),
  );
}

/** Returns the power of the bins, two at a time: behind the last one, there is room for one more. */
export function powerListing(half: number, { out, power }: Layout): number[] {
  const [BIN, RE, IM] = [0, 1, 2] as const;
  return code(
    code(constant(0), set(BIN)),
    op.loopWhile(
      code(at(BIN, out.re), set(RE), at(BIN, out.im), set(IM)),
      code(get(BIN), add(multiply(get(RE), get(RE)), multiply(get(IM), get(IM))), op.storeVector(power)),
      code(advance(BIN, VECTOR_BYTES), get(BIN), constant((half + 1) * DOUBLE_BYTES), op.isLess),
    ),
  );
}
