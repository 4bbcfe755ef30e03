import { createGrowableFloats } from "../dsp/growable.ts";

/** Bins of a pitch histogram: ten cents each, one octave; bin 0 is the pitch class C at A = 440 Hz. */
export const PITCH_BINS = 120;
/** Pitch classes above the bass and in it. */
export const CLASSES = 24;

/** Pitch content of a recording, segment by segment. */
export type PitchHistograms = {
  segments: number;
  /** Row-major, segments × PITCH_BINS: weight of spectral peaks above the bass. */
  upper: Float32Array;
  /** The same for the bass, below BASS_HZ. */
  bass: Float32Array;
  /** Row-major, frames × 24: weight of each semitone's pitch class above the bass, then in it; one row per long frame but the ends. */
  classes: Float32Array;
  /** Share of peak energy that lasts over neighbouring frames, 0..1: 1 for a drone or silence, low for drum strokes. */
  steadiness: number;
};

/** Turns long-window power spectra into pitch histograms. */
export type PitchCollector = {
  /** Takes bins 0..size/2 of one frame. */
  push(power: Float64Array): void;
  finish(): PitchHistograms;
};

const LOWEST_HZ = 55;
const BASS_HZ = 220;
const HIGHEST_HZ = 2500;
const REFERENCE_HZ = 440 / 2 ** (9 / 12); // the C below A = 440 Hz
/** Peaks this far below the frame's strongest are ignored, as are frames whose strongest is below -80 dB. */
const RELATIVE_FLOOR = 1e-4;
const SILENCE_POWER = 1e-8;
/** About a second: chords last at least this long. */
const SEGMENT_FRAMES = 6;
/** The neighbourhood that a peak is compared with, in bins on each side. */
const WHITENING_BINS = 24;

/**
 * Builds a pitch collector over frames whose bins are `binHz` apart.
 *
 * Each bin is replaced by the median of itself and its two neighbours in time, which keeps notes and drops strokes.
 * Peaks are located by parabolic interpolation and weighted by the square root of their amplitude relative to the
 * spectrum around them. It keeps one kilobyte per segment of 6 frames, a little more than a second.
 *
 * @see Fitzgerald, "Harmonic/percussive separation using median filtering", 2010.
 */
export function createPitchCollector(binHz: number): PitchCollector {
  const first = Math.ceil(LOWEST_HZ / binHz);
  const last = Math.floor(HIGHEST_HZ / binHz);
  const width = last + WHITENING_BINS + 2;
  let history: Float64Array[] = [];
  const steady = new Float64Array(width);
  const upper = createGrowableFloats(PITCH_BINS * 16);
  const bass = createGrowableFloats(PITCH_BINS * 16);
  const classes = createGrowableFloats(CLASSES * 128);
  const sums = {
    upper: new Float64Array(PITCH_BINS),
    bass: new Float64Array(PITCH_BINS),
    classes: new Float64Array(CLASSES),
  };
  const energy = { steady: 0, all: 0 };
  let inSegment = 0;
  let segments = 0;

  const closeSegment = () => {
    for (const value of sums.upper) upper.push(value);
    for (const value of sums.bass) bass.push(value);
    sums.upper.fill(0);
    sums.bass.fill(0);
    inSegment = 0;
    segments++;
  };

  return {
    push(power) {
      const recycled = history.length === 3 ? (history.shift() as Float64Array) : new Float64Array(width);
      recycled.set(power.subarray(0, width));
      history = [...history, recycled];
      const [before, middle, after] = history;
      if (!before || !middle || !after) return;
      medianOfThree(before, middle, after, steady);
      tally(steady, middle, first, last, energy);
      sums.classes.fill(0);
      addPeaks(steady, { first, last, binHz }, sums);
      for (let i = 0; i < CLASSES; i++) classes.push(sums.classes[i] as number);
      if (++inSegment === SEGMENT_FRAMES) closeSegment();
    },
    finish() {
      if (inSegment > 0) closeSegment();
      const steadiness = energy.all > 0 ? energy.steady / energy.all : 1;
      return { segments, upper: upper.view(), bass: bass.view(), classes: classes.view(), steadiness };
    },
  };
}

function medianOfThree(a: Float64Array, b: Float64Array, c: Float64Array, out: Float64Array): void {
  for (let k = 0; k < out.length; k++) {
    const x = a[k] as number;
    const y = b[k] as number;
    const z = c[k] as number;
    out[k] = Math.max(Math.min(x, y), Math.min(Math.max(x, y), z));
  }
}

function tally(
  steady: Float64Array,
  whole: Float64Array,
  first: number,
  last: number,
  energy: { steady: number; all: number },
): void {
  for (let k = first; k < last; k++) {
    energy.steady += Math.min(steady[k] as number, whole[k] as number);
    energy.all += whole[k] as number;
  }
}

type Span = { first: number; last: number; binHz: number };
type Sums = { upper: Float64Array; bass: Float64Array; classes: Float64Array };

function addPeaks(power: Float64Array, { first, last, binHz }: Span, sums: Sums): void {
  let strongest = 0;
  for (let k = first; k < last; k++) strongest = Math.max(strongest, power[k] as number);
  if (strongest < SILENCE_POWER) return;
  const floor = strongest * RELATIVE_FLOOR;
  for (let k = first; k < last; k++) {
    const here = power[k] as number;
    const isPeak = here > floor && here > (power[k - 1] as number) && here >= (power[k + 1] as number);
    if (!isPeak) continue;
    const hz = (k + vertex(power, k)) * binHz;
    const semitones = 12 * Math.log2(hz / REFERENCE_HZ);
    const weight = peakWeight(power, k, strongest);
    spread(hz < BASS_HZ ? sums.bass : sums.upper, semitones, weight);
    const pitchClass = (((Math.round(semitones) % 12) + 12) % 12) + (hz < BASS_HZ ? 12 : 0);
    sums.classes[pitchClass] = (sums.classes[pitchClass] as number) + weight;
  }
}

/** Offset of a spectral peak from its bin, -0.5..0.5, by a parabola through the logarithms. */
function vertex(power: Float64Array, k: number): number {
  const before = Math.log((power[k - 1] as number) + 1e-30);
  const here = Math.log((power[k] as number) + 1e-30);
  const after = Math.log((power[k + 1] as number) + 1e-30);
  const curvature = before - 2 * here + after;
  return curvature < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / curvature)) : 0;
}

function peakWeight(power: Float64Array, k: number, strongest: number): number {
  let around = 0;
  const from = Math.max(1, k - WHITENING_BINS);
  const to = Math.min(power.length, k + WHITENING_BINS + 1);
  for (let i = from; i < to; i++) around += power[i] as number;
  const prominence = (power[k] as number) / (around / (to - from) + strongest * 1e-6);
  return Math.min(1, prominence / 6) * ((power[k] as number) / strongest) ** 0.25;
}

function spread(bins: Float64Array, semitones: number, weight: number): void {
  const position = (((semitones * 10) % PITCH_BINS) + PITCH_BINS) % PITCH_BINS;
  const index = Math.floor(position);
  const part = position - index;
  bins[index] = (bins[index] as number) + weight * (1 - part);
  bins[(index + 1) % PITCH_BINS] = (bins[(index + 1) % PITCH_BINS] as number) + weight * part;
}
