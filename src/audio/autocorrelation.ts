import { createRealFft } from "./fft.ts";

/**
 * Returns the normalised autocorrelation of a sequence, averaged over windows, lag 0 to `maxLag`; lag 0 is 1,
 * all zeros when the sequence is constant or empty. Windows overlap by half, so memory does not grow with length.
 *
 * @param windowLength Power of two, more than `maxLag`. Each lag is divided by the products it sums (unbiased).
 */
export function autocorrelation(values: Float32Array, windowLength: number, maxLag: number): Float64Array {
  const fft = createRealFft(2 * windowLength);
  const sequence = new Float64Array(2 * windowLength);
  const power = new Float64Array(windowLength + 1);
  const spectrum = new Float64Array(windowLength + 1);
  const products = new Float64Array(maxLag + 1);

  for (let start = 0; start < values.length; start += windowLength / 2) {
    const window = values.subarray(start, start + windowLength);
    if (start > 0 && window.length < windowLength / 2) break;
    loadCentred(window, sequence);
    fft.forward(sequence);
    fft.power(power);
    for (let k = 0; k <= windowLength; k++) spectrum[k] = (spectrum[k] as number) + (power[k] as number);
    for (let lag = 0; lag <= Math.min(maxLag, window.length - 1); lag++)
      products[lag] = (products[lag] as number) + window.length - lag;
  }
  return inverse(spectrum, sequence, products);

  /** The inverse transform of a real even spectrum is the real part of its forward transform. */
  function inverse(even: Float64Array, work: Float64Array, counts: Float64Array): Float64Array {
    for (let k = 0; k <= windowLength; k++) work[k] = even[k] as number;
    for (let k = 1; k < windowLength; k++) work[2 * windowLength - k] = even[k] as number;
    fft.forward(work);
    const origin = (fft.re[0] as number) / Math.max(1, counts[0] as number);
    return Float64Array.from({ length: maxLag + 1 }, (_, lag) => {
      const count = counts[lag] as number;
      return origin > 0 && count > 0 ? (fft.re[lag] as number) / count / origin : 0;
    });
  }
}

function loadCentred(window: Float32Array, out: Float64Array): void {
  let mean = 0;
  for (const value of window) mean += value;
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
