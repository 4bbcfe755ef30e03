import { atLag, autocorrelation } from "./autocorrelation.ts";
import { aboveLocalMean, type OnsetEnvelopes, onsetRate, totalOnset } from "./onset.ts";

/** One envelope seen for its periods. */
export type Periodicity = {
  /** Normalised autocorrelation, one value a frame of lag, up to MAX_LAG_SECONDS. */
  correlation: Float64Array;
  /** Onsets that stand out, a second. */
  onsetRateHz: number;
};

/** What tempo estimation knows of one recording. */
export type Rhythm = {
  rateHz: number;
  /** Low, body, middle, high (see ONSET_BANDS), then all of them with the low band counted twice. */
  views: readonly Periodicity[];
  /** Mean of the total onset excess: about 0 for a drone or silence, 0.1 and more where things happen. */
  activity: number;
};

/** Index of the combined view. */
export const TOTAL_VIEW = 4;

const LOCAL_MEAN_SECONDS = 0.4;
const MAX_LAG_SECONDS = 16;
const WINDOW_FRAMES = 8192;

/** Returns the periodicities of a recording, from its onset envelopes. */
export function analyseRhythm(envelopes: OnsetEnvelopes): Rhythm {
  const { rateHz, bands } = envelopes;
  const halfWidth = Math.round(LOCAL_MEAN_SECONDS * rateHz);
  const weighted = totalOnset(envelopes);
  const low = bands[0] ?? weighted;
  for (let i = 0; i < weighted.length; i++) weighted[i] = (weighted[i] as number) + (low[i] as number);
  // One buffer for every view: an envelope of a long mix takes megabytes.
  const excess = new Float32Array(weighted.length);
  const view = (envelope: Float32Array) => {
    aboveLocalMean(envelope, halfWidth, excess);
    return periodicity(excess, rateHz);
  };
  const views = bands.map(view);
  aboveLocalMean(weighted, halfWidth, excess);
  const activity = excess.reduce((sum, value) => sum + value, 0) / Math.max(1, excess.length);
  return { rateHz, views: [...views, periodicity(excess, rateHz)], activity };
}

/** Leaves the root of `excess` in its place. */
function periodicity(excess: Float32Array, rateHz: number): Periodicity {
  const maxLag = Math.round(MAX_LAG_SECONDS * rateHz);
  const onsetRateHz = onsetRate(excess, rateHz);
  // The root tames single loud hits, so that the pattern counts and not its accents alone.
  for (let i = 0; i < excess.length; i++) excess[i] = Math.sqrt(excess[i] as number);
  return { correlation: autocorrelation(excess, WINDOW_FRAMES, maxLag), onsetRateHz };
}

/** Returns the highest correlation within 1.5 frames of a lag, never below 0: human timing is not exact. */
export function peakNear(correlation: Float64Array, lag: number): number {
  let highest = 0;
  for (let offset = -1.5; offset <= 1.5; offset += 0.5)
    highest = Math.max(highest, atLag(correlation, lag + offset));
  return highest;
}

const TEMPOGRAM_SECONDS = 8;

/**
 * Returns the strength of one frequency in an envelope, by the Fourier transform of its windowed correlation:
 * a power, so harmonics of the beat show where correlation shows its multiples.
 *
 * @see Grosche & Müller, "Extracting predominant local pulse information", 2011 (Fourier tempogram).
 */
export function tempogramAt(correlation: Float64Array, rateHz: number, hz: number): number {
  const span = Math.min(correlation.length - 1, Math.round(TEMPOGRAM_SECONDS * rateHz));
  const step = (2 * Math.PI * hz) / rateHz;
  let sum = 0.5 * (correlation[0] as number);
  for (let lag = 1; lag < span; lag++)
    sum +=
      (0.5 + 0.5 * Math.cos((Math.PI * lag) / span)) * (correlation[lag] as number) * Math.cos(step * lag);
  return Math.max(0, (sum * 20) / span);
}
