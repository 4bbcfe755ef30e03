/** Returns a periodic Hann window of `length` values, 0..1. */
export function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
}

/**
 * Returns the Kaiser window at `position` in -1..1 (0 outside), 1 at the centre.
 *
 * @param beta Shape: 6 gives about 63 dB of stopband, 8 about 80 dB.
 */
export function kaiserAt(position: number, beta: number): number {
  if (Math.abs(position) > 1) return 0;
  return besselI0(beta * Math.sqrt(1 - position * position)) / besselI0(beta);
}

/** Modified Bessel function of the first kind, order zero, by its power series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** Returns sin(πx) / (πx), 1 at 0. */
export function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
