// Typed-array reads are asserted `as number` in this folder: every index is in range by construction.

/** A real-input Fourier transform of one fixed size; it owns its buffers, so one transform at a time. */
export type RealFft = {
  /** Input length, samples. */
  size: number;
  /** Real and imaginary parts of bins 0..size/2, overwritten by each `forward`. */
  re: Float64Array;
  im: Float64Array;
  /** Transforms `input` (at least `size` samples, linear). Unnormalised: a DC of 1 gives `size` in bin 0. */
  forward(input: Float64Array): void;
  /** Writes |X|² of bins 0..size/2 of the last `forward` into `out` (size/2 + 1 values). */
  power(out: Float64Array): void;
};

/**
 * Builds a real FFT: a complex radix-2 transform of half the size (its first two stages merged into one
 * radix-4 pass), then the split into even and odd parts.
 *
 * @throws RangeError when `size` is not a power of two of at least 16.
 * @see Press et al., Numerical Recipes, section 12.3 (FFT of a single real function).
 */
export function createRealFft(size: number): RealFft {
  if (size < 16 || (size & (size - 1)) !== 0)
    throw new RangeError(`FFT size ${size} is not a power of two >= 16`);
  const half = size >> 1;
  const zr = new Float64Array(half);
  const zi = new Float64Array(half);
  const re = new Float64Array(half + 1);
  const im = new Float64Array(half + 1);
  const order = bitReversal(half);
  const stages = unitCircle(half);
  const split = splitTwiddles(size);

  return {
    size,
    re,
    im,
    forward(input) {
      load(input, order, zr, zi);
      firstTwoStages(zr, zi);
      for (let span = 4; span < half; span <<= 1) butterflies(zr, zi, span, stages);
      separate(zr, zi, split, re, im);
    },
    power(out) {
      for (let k = 0; k <= half; k++) {
        const a = re[k] as number;
        const b = im[k] as number;
        out[k] = a * a + b * b;
      }
    },
  };
}

type Twiddles = { cos: Float64Array; sin: Float64Array };

function bitReversal(length: number): Uint32Array {
  const order = new Uint32Array(length);
  for (let i = 1; i < length; i++) order[i] = ((order[i >> 1] as number) >> 1) | (i & 1 ? length >> 1 : 0);
  return order;
}

/** Twiddles of every stage back to back: span s starts at s - 1, so each stage reads memory in order. */
function unitCircle(half: number): Twiddles {
  const cos = new Float64Array(half);
  const sin = new Float64Array(half);
  for (let span = 1; span < half; span <<= 1)
    for (let k = 0; k < span; k++) {
      cos[span - 1 + k] = Math.cos((-Math.PI * k) / span);
      sin[span - 1 + k] = Math.sin((-Math.PI * k) / span);
    }
  return { cos, sin };
}

function splitTwiddles(size: number): Twiddles {
  const length = size >> 1;
  return {
    cos: Float64Array.from({ length }, (_, k) => Math.cos((-2 * Math.PI * k) / size)),
    sin: Float64Array.from({ length }, (_, k) => Math.sin((-2 * Math.PI * k) / size)),
  };
}

function load(input: Float64Array, order: Uint32Array, zr: Float64Array, zi: Float64Array): void {
  for (let i = 0; i < order.length; i++) {
    const from = 2 * (order[i] as number);
    zr[i] = input[from] as number;
    zi[i] = input[from + 1] as number;
  }
}

function firstTwoStages(zr: Float64Array, zi: Float64Array): void {
  for (let i = 0; i < zr.length; i += 4) {
    const r0 = (zr[i] as number) + (zr[i + 1] as number);
    const r1 = (zr[i] as number) - (zr[i + 1] as number);
    const r2 = (zr[i + 2] as number) + (zr[i + 3] as number);
    const r3 = (zr[i + 2] as number) - (zr[i + 3] as number);
    const i0 = (zi[i] as number) + (zi[i + 1] as number);
    const i1 = (zi[i] as number) - (zi[i + 1] as number);
    const i2 = (zi[i + 2] as number) + (zi[i + 3] as number);
    const i3 = (zi[i + 2] as number) - (zi[i + 3] as number);
    zr[i] = r0 + r2;
    zi[i] = i0 + i2;
    zr[i + 1] = r1 + i3;
    zi[i + 1] = i1 - r3;
    zr[i + 2] = r0 - r2;
    zi[i + 2] = i0 - i2;
    zr[i + 3] = r1 - i3;
    zi[i + 3] = i1 + r3;
  }
}

function butterflies(zr: Float64Array, zi: Float64Array, span: number, { cos, sin }: Twiddles): void {
  for (let block = 0; block < zr.length; block += span << 1)
    for (let k = 0; k < span; k++) {
      const wr = cos[span - 1 + k] as number;
      const wi = sin[span - 1 + k] as number;
      const a = block + k;
      const b = a + span;
      const br = zr[b] as number;
      const bi = zi[b] as number;
      const tr = br * wr - bi * wi;
      const ti = br * wi + bi * wr;
      const ar = zr[a] as number;
      const ai = zi[a] as number;
      zr[b] = ar - tr;
      zi[b] = ai - ti;
      zr[a] = ar + tr;
      zi[a] = ai + ti;
    }
}

function separate(
  zr: Float64Array,
  zi: Float64Array,
  { cos, sin }: Twiddles,
  re: Float64Array,
  im: Float64Array,
): void {
  const half = zr.length;
  re[0] = (zr[0] as number) + (zi[0] as number);
  re[half] = (zr[0] as number) - (zi[0] as number);
  im[0] = 0;
  im[half] = 0;
  for (let k = 1; k < half; k++) {
    const a = zr[k] as number;
    const b = zi[k] as number;
    const c = zr[half - k] as number;
    const d = zi[half - k] as number;
    const oddRe = (b + d) / 2;
    const oddIm = (c - a) / 2;
    const wr = cos[k] as number;
    const wi = sin[k] as number;
    re[k] = (a + c) / 2 + oddRe * wr - oddIm * wi;
    im[k] = (b - d) / 2 + oddRe * wi + oddIm * wr;
  }
}
