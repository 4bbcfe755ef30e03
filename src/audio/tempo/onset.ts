import { createGrowableFloats } from "../dsp/growable.ts";

/** Onset strength of one recording, at one value a short frame, in bands and together. */
export type OnsetEnvelopes = {
  /** Values a second. */
  rateHz: number;
  /** One envelope a band of ONSET_BANDS; zero or more, arbitrary unit. */
  bands: readonly Float32Array[];
};

/** Upper edge of each onset band, Hz: kick and bass, body, snare and melody, hats and noise. */
export const ONSET_BANDS = { low: 160, body: 600, middle: 4000, high: 11_025 } as const;

const EDGES_HZ = Object.values(ONSET_BANDS);
/** Turns amplitude into a compressed level: the knee sits 80 dB below full scale. */
const COMPRESSION_GAIN = 1e4;

/** Turns mel powers, frame by frame, into onset strength. */
export type OnsetDetector = {
  push(melPower: Float64Array): void;
  finish(): OnsetEnvelopes;
};

/**
 * Builds a spectral-flux onset detector: rises of the compressed mel spectrum, summed within each band.
 * It keeps 16 bytes a frame.
 *
 * @param centresHz Centre of each mel band. @param rateHz Frames a second.
 * @see Böck & Widmer, "Maximum filter vibrato suppression for onset detection" (DAFx 2013), for the flux.
 */
export function createOnsetDetector(centresHz: Float64Array, rateHz: number): OnsetDetector {
  const bandOf = Uint8Array.from(centresHz, (hz) => EDGES_HZ.findIndex((edge) => hz <= edge));
  const envelopes = EDGES_HZ.map(() => createGrowableFloats(4096));
  const previous = new Float64Array(centresHz.length);
  const rises = new Float64Array(EDGES_HZ.length);
  let started = false;

  return {
    push(melPower) {
      // Not with fill, whose call takes as long as all else here.
      for (let band = 0; band < rises.length; band++) rises[band] = 0;
      for (let i = 0; i < melPower.length; i++) {
        const level = Math.log10(1 + COMPRESSION_GAIN * Math.sqrt(melPower[i] as number));
        const rise = level - (previous[i] as number);
        const band = bandOf[i] as number;
        if (started && rise > 0) rises[band] = (rises[band] as number) + rise;
        previous[i] = level;
      }
      started = true;
      for (let band = 0; band < envelopes.length; band++) envelopes[band]?.push(rises[band] as number);
    },
    finish: () => ({ rateHz, bands: envelopes.map((envelope) => envelope.view()) }),
  };
}

/** Returns the sum of all bands. */
export function totalOnset({ bands }: OnsetEnvelopes): Float32Array {
  const total = new Float32Array(bands[0]?.length ?? 0);
  for (const band of bands)
    for (let i = 0; i < total.length; i++) total[i] = (total[i] as number) + (band[i] as number);
  return total;
}

/**
 * Takes the local mean away from an envelope, in place, and sets what falls below it to zero.
 *
 * @param halfWidth Frames each side that make the mean.
 */
export function keepAboveLocalMean(envelope: Float32Array, halfWidth: number): void {
  // What the mean still needs of the frames that were written over.
  const behind = new Float32Array(halfWidth + 1);
  let sum = 0;
  let from = 0;
  let to = 0;
  for (let i = 0; i < envelope.length; i++) {
    while (to < Math.min(envelope.length, i + halfWidth + 1)) sum += envelope[to++] as number;
    while (from < i - halfWidth) sum -= behind[from++ % behind.length] as number;
    behind[i % behind.length] = envelope[i] as number;
    envelope[i] = Math.max(0, (envelope[i] as number) - sum / (to - from));
  }
}

/** Returns the sum of an envelope. */
export function sumOf(envelope: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < envelope.length; i++) sum += envelope[i] as number;
  return sum;
}

/** Onsets closer together than this are one, seconds. */
const MIN_GAP_SECONDS = 0.05;
/** A peak counts when it stands this many mean excesses above its surroundings. */
const PEAK_RATIO = 1.5;
/** A loud onset hides what rings on after it, less and less: time constant, seconds. */
const MASKING_SECONDS = 0.06;

/** Returns how many onsets a second stand out of an envelope already above its local mean; 0 when none do. */
export function onsetRate(excess: Float32Array, rateHz: number): number {
  if (excess.length === 0) return 0;
  const threshold = (PEAK_RATIO * sumOf(excess)) / excess.length;
  const fading = Math.exp(-1 / (MASKING_SECONDS * rateHz));
  const gap = Math.max(1, Math.round(MIN_GAP_SECONDS * rateHz));
  let count = 0;
  let last = -gap;
  let mask = 0;
  for (let i = 1; i < excess.length - 1; i++) {
    const value = excess[i] as number;
    mask *= fading;
    const isPeak = value >= (excess[i - 1] as number) && value > (excess[i + 1] as number);
    if (!isPeak || value <= threshold + mask) continue;
    if (i - last >= gap) count++;
    last = i;
    mask = value;
  }
  return (count * rateHz) / excess.length;
}
