import { createRealFft } from "./fft.ts";

/** Correlations of several sequences, lag 0 to `maxLag`. */
export type Correlations = {
  /** Autocorrelation of each sequence; 1 at lag 0, all zeros when the sequence is constant or empty. */
  own: Float64Array[];
  /** Cross-correlation of each pair, the mean of both directions; -1..1 if both have a similar size. */
  crossed: Float64Array[];
};

/** What to correlate. */
export type CorrelationSpan = {
  /** Power of two, more than `maxLag`. */
  windowLength: number;
  maxLag: number;
  /** Pairs of indices into the sequences. */
  pairs: readonly (readonly [number, number])[];
};

/**
 * Returns correlations averaged over windows that overlap by half, so memory does not grow with length. Each window is
 * weighted by the root of its energy, so quiet passages count too. Each lag is divided by its number of products
 * (unbiased).
 */
export function correlations(
  sequences: readonly Float32Array[],
  { windowLength, maxLag, pairs }: CorrelationSpan,
): Correlations {
  const fft = createRealFft(2 * windowLength);
  const work = new Float64Array(2 * windowLength);
  const zeros = () => new Float64Array(windowLength + 1);
  const spectra = sequences.map(() => ({ re: zeros(), im: zeros(), gain: 0 }));
  const own = sequences.map(zeros);
  const crossed = pairs.map(zeros);
  const counts = new Float64Array(maxLag + 1);
  const length = sequences[0]?.length ?? 0;

  for (let start = 0; start < length; start += windowLength / 2) {
    const count = Math.min(windowLength, length - start);
    if (start > 0 && count < windowLength / 2) break;
    for (const [i, sequence] of sequences.entries()) transform(sequence.subarray(start, start + count), i);
    for (const [pair, [a, b]] of pairs.entries()) addCrossed(spectra[a], spectra[b], crossed[pair]);
    for (let lag = 0; lag <= Math.min(maxLag, count - 1); lag++)
      counts[lag] = (counts[lag] as number) + count - lag;
  }
  const totals = own.map((spectrum) => inverse(spectrum));
  const products = crossed.map((spectrum) => inverse(spectrum));
  return {
    own: totals.map((total) => scaled(total, total[0] as number)),
    crossed: pairs.map(([a, b], pair) =>
      scaled(products[pair] as Float64Array, Math.sqrt((totals[a]?.[0] ?? 0) * (totals[b]?.[0] ?? 0))),
    ),
  };

  function transform(window: Float32Array, i: number): void {
    const spectrum = spectra[i];
    const sum = own[i];
    if (!spectrum || !sum) return;
    loadCentred(window, work);
    fft.forward(work);
    spectrum.re.set(fft.re);
    spectrum.im.set(fft.im);
    let energy = 0;
    for (let k = 0; k < work.length; k++) energy += (work[k] as number) * (work[k] as number);
    spectrum.gain = energy > 0 ? energy ** -0.25 : 0;
    const weight = spectrum.gain ** 2;
    for (let k = 0; k <= windowLength; k++)
      sum[k] = (sum[k] as number) + weight * ((fft.re[k] as number) ** 2 + (fft.im[k] as number) ** 2);
  }

  /** The inverse transform of a real even spectrum is the real part of its forward transform. */
  function inverse(even: Float64Array): Float64Array {
    for (let k = 0; k <= windowLength; k++) work[k] = even[k] as number;
    for (let k = 1; k < windowLength; k++) work[2 * windowLength - k] = even[k] as number;
    fft.forward(work);
    const values = new Float64Array(maxLag + 1);
    for (let lag = 0; lag <= maxLag; lag++) {
      const products = counts[lag] as number;
      values[lag] = products > 0 ? (fft.re[lag] as number) / products : 0;
    }
    return values;
  }
}

type Spectrum = { re: Float64Array; im: Float64Array; gain: number };

/** Adds only the real part, which is that of the mean of both directions. */
function addCrossed(a: Spectrum | undefined, b: Spectrum | undefined, sum: Float64Array | undefined): void {
  if (!a || !b || !sum) return;
  const gain = a.gain * b.gain;
  for (let k = 0; k < sum.length; k++) {
    const product = (a.re[k] as number) * (b.re[k] as number) + (a.im[k] as number) * (b.im[k] as number);
    sum[k] = (sum[k] as number) + gain * product;
  }
}

const scaled = (values: Float64Array, unit: number) => values.map((value) => (unit > 0 ? value / unit : 0));

function loadCentred(window: Float32Array, out: Float64Array): void {
  let mean = 0;
  // Counted: an iterator's objects, one a frame of hours, pile up to fifty megabytes.
  for (let i = 0; i < window.length; i++) mean += window[i] as number;
  mean /= Math.max(1, window.length);
  out.fill(0);
  for (let i = 0; i < window.length; i++) out[i] = (window[i] as number) - mean;
}

/** Returns the correlation at a fractional lag, linearly interpolated; 0 beyond the end. */
export function atLag(correlation: Float64Array, lag: number): number {
  const index = Math.floor(lag);
  if (index < 0 || index + 1 >= correlation.length) return 0;
  const part = lag - index;
  return (correlation[index] as number) * (1 - part) + (correlation[index + 1] as number) * part;
}
