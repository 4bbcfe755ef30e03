import { createRealFft } from "../dsp/fft.ts";
import { inverseReal } from "../dsp/inverse.ts";
import { halfWhitened } from "./half-whitened.ts";

/** The stretch that is looked for, and the stretches in which it is. */
const WINDOW_SEC = 6;
const FFT_SIZE = 2 ** 18;
/** A peak that is not as many times the mean is chance. */
const MIN_PEAK = 9;

/**
 * Looks for the loudest stretch of a recording in the whole of another, by their samples.
 *
 * @param x, y Mono, at `rateHz`.
 * @returns How much later it is in `y`, seconds, to a sample; undefined when it is not in it.
 */
export function searchOffset(x: Float32Array, y: Float32Array, rateHz: number): number | undefined {
  const window = Math.min(x.length, Math.round(WINDOW_SEC * rateHz));
  const start = loudestStart(x, window);
  const fft = createRealFft(FFT_SIZE);
  const work = new Float64Array(FFT_SIZE);
  work.set(x.subarray(start, start + window));
  fft.forward(work);
  const own = { re: fft.re.slice(), im: fft.im.slice() };
  const hop = FFT_SIZE - window;
  let best = { height: MIN_PEAK, at: Number.NaN };
  for (let from = 0; from < y.length; from += hop) {
    const piece = y.subarray(from, from + FFT_SIZE);
    work.fill(0);
    work.set(piece);
    fft.forward(work);
    halfWhitened(own, fft, fft);
    inverseReal(fft, fft.re, fft.im, work);
    const peak = peakOf(work.subarray(0, hop));
    if (peak.height > best.height) best = { height: peak.height, at: from + peak.at };
  }
  return Number.isNaN(best.at) ? undefined : (best.at - start) / rateHz;
}

function loudestStart(samples: Float32Array, window: number): number {
  const step = Math.max(1, window >> 1);
  let [best, start] = [-1, 0];
  for (let from = 0; from + window <= samples.length; from += step) {
    let energy = 0;
    for (let at = from; at < from + window; at += 4) energy += (samples[at] as number) ** 2;
    if (energy > best) [best, start] = [energy, from];
  }
  return start;
}

/** Returns the highest value as a multiple of their root mean square, and its place. */
function peakOf(values: Float64Array): { height: number; at: number } {
  let at = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    squares += (values[i] as number) ** 2;
    if ((values[i] as number) > (values[at] as number)) at = i;
  }
  const mean = Math.sqrt(squares / values.length);
  return { height: mean > 0 ? (values[at] as number) / mean : 0, at };
}
