import { createPowerSpectrum } from "../dsp/fft.ts";

/** Centres of the octave bands, Hz. */
export const OCTAVE_CENTRES_HZ = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

/** Measures how the power of a recording is spread over the octaves. */
export type BalanceMeter = {
  push(mono: Float32Array, count: number): void;
  /** Mean power of each band of OCTAVE_CENTRES_HZ, dB of a full-scale square wave; null for an empty band. */
  finish(): (number | null)[];
};

/** Samples per frame up to 48 kHz, which gives bins of about 11 Hz. */
const FRAME = 4096;
const WIDEST_BIN_HZ = 12;
/** Power below which a band counts as empty, -140 dB. */
const NOTHING = 1e-14;

/**
 * Builds a meter for a mono stream. Frames overlap by half under a sine window, whose square and its shifted copy add
 * up to one. So every moment counts the same, and a copy with another start measures the same.
 */
export function createBalanceMeter(sampleRateHz: number): BalanceMeter {
  let size = FRAME;
  while (sampleRateHz / size > WIDEST_BIN_HZ) size *= 2;
  const hop = size / 2;
  const spectrumOf = createPowerSpectrum(
    Float64Array.from({ length: size }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / size)),
  );
  const sums = new Float64Array(hop + 1);
  const frame = new Float32Array(size);
  // The first frame begins half a frame before the sound, so the beginning counts as much as the rest.
  let filled = hop;
  let samples = 0;

  const emit = () => {
    const power = spectrumOf(frame);
    for (let bin = 0; bin <= hop; bin++) sums[bin] = (sums[bin] as number) + (power[bin] as number);
    frame.copyWithin(0, hop);
    filled = hop;
  };
  const push = (mono: Float32Array, count: number) => {
    for (let from = 0; from < count; ) {
      const taken = Math.min(count - from, size - filled);
      frame.set(mono.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled === size) emit();
    }
    samples += count;
  };

  return {
    push,
    finish() {
      const total = samples;
      push(new Float32Array(size), size - (filled - hop));
      const scale = 2 / (size * Math.max(1, total));
      return OCTAVE_CENTRES_HZ.map((centreHz) => {
        const mean = scale * bandSum(sums, centreHz, sampleRateHz / size);
        return mean > NOTHING ? 10 * Math.log10(mean) : null;
      });
    },
  };
}

/** Adds up the bins of an octave; bins at its edges count in part. */
function bandSum(sums: Float64Array, centreHz: number, binHz: number): number {
  const low = centreHz / Math.SQRT2 / binHz;
  const high = (centreHz * Math.SQRT2) / binHz;
  let sum = 0;
  for (let bin = Math.round(low); bin <= Math.min(sums.length - 1, Math.round(high)); bin++) {
    const share = Math.min(bin + 0.5, high) - Math.max(bin - 0.5, low);
    sum += Math.max(0, share) * (sums[bin] as number);
  }
  return sum;
}
