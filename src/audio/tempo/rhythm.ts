import { atLag, correlations } from "../dsp/correlation.ts";
import { keepAboveLocalMean, type OnsetEnvelopes, onsetRate, sumOf, totalOnset } from "./onset.ts";

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
  seconds: number;
  /** Low, body, middle, high (see ONSET_BANDS), then all of them with the low band counted twice. */
  views: readonly Periodicity[];
  /** Correlation of two bands with each other, in the order of CROSSINGS: kick with snare, kick with hats, snare with hats. */
  crossings: readonly Float64Array[];
  /** What the views were correlated from, one envelope a view: onsets above their surroundings, to the powers of POWERS. */
  excesses: readonly Float32Array[];
  /** Mean of the total onset excess: about 0 for a drone or silence, 0.1 and more where things happen. */
  activity: number;
};

/** Index of the combined view. */
export const TOTAL_VIEW = 4;
/** Pairs of views that are correlated with each other. */
export const CROSSINGS = [
  [0, 2],
  [0, 3],
  [2, 3],
] as const;

/**
 * Power of each view. Roots tame single loud hits, so that the pattern counts and not its accents alone; the low band
 * is sharpened instead, to keep a kick apart from what leaks into it.
 */
const POWERS = [1.5, 0.75, 0.75, 0.75, 0.5];
const LOCAL_MEAN_SECONDS = 0.4;
const MAX_LAG_SECONDS = 16;
const WINDOW_FRAMES = 4096;

/** Returns the periodicities of a recording, from its onset envelopes, which are used up: of hours they are large. */
export function analyseRhythm(envelopes: OnsetEnvelopes): Rhythm {
  const { rateHz, bands } = envelopes;
  const halfWidth = Math.round(LOCAL_MEAN_SECONDS * rateHz);
  const weighted = totalOnset(envelopes);
  const low = bands[0] ?? weighted;
  for (let i = 0; i < weighted.length; i++) weighted[i] = (weighted[i] as number) + (low[i] as number);
  const excesses = [...bands, weighted];
  for (const envelope of excesses) keepAboveLocalMean(envelope, halfWidth);
  const total = excesses[TOTAL_VIEW] ?? new Float32Array(0);
  const activity = sumOf(total) / Math.max(1, total.length);
  const rates = excesses.map((excess) => onsetRate(excess, rateHz));
  for (const [view, excess] of excesses.entries()) {
    const power = POWERS[view] ?? 1;
    for (let i = 0; i < excess.length; i++) excess[i] = (excess[i] as number) ** power;
  }
  const { own, crossed } = correlations(excesses, {
    windowLength: WINDOW_FRAMES,
    maxLag: Math.round(MAX_LAG_SECONDS * rateHz),
    pairs: CROSSINGS,
  });
  const views = own.map((correlation, i) => ({ correlation, onsetRateHz: rates[i] ?? 0 }));
  return { rateHz, seconds: weighted.length / rateHz, views, crossings: crossed, excesses, activity };
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
