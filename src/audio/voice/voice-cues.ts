import { createRealFft } from "../dsp/fft.ts";
import { hannWindow } from "../dsp/window.ts";

/** Frames per block: 2.6 s at 100 frames per second, about ten syllables. */
const BLOCK = 256;
/** The regions of the bass, of formants (below and above 1 kHz), and of cymbals and sibilants, Hz. */
const REGIONS_HZ = [
  [0, 250],
  [300, 1000],
  [1000, 3400],
  [5000, 11_000],
] as const;
/** Bins of a block's transform, 0.39 Hz each: phrases, syllables (2.3 to 7.4 Hz), rolls, roughness. */
const RATES = [
  [2, 5],
  [6, 18],
  [19, 40],
  [41, 127],
] as const;
const FLOOR = 1e-9;
/** A block below -60 dB full scale is ignored. */
const SILENCE = 1e-6;

/** Names of a block's cues, in order; all without a unit. */
export const VOICE_CUES: readonly string[] = [
  ...REGIONS_HZ.flatMap((_, region) => RATES.map((_, rate) => `region ${region} moves at rate ${rate}`)),
  ...RATES.map((_, rate) => `formants move at rate ${rate}`),
  "formants stand out",
  "formants stand out now and then",
  ...REGIONS_HZ.map((_, region) => `level of region ${region}`),
  "bass moves with lower formants",
  "lower formants move with upper",
  "upper formants move with sibilants",
];

/** Receives VOICE_CUES.length values; the array is reused. */
export type VoiceCueSink = (cues: Float64Array) => void;

/**
 * Builds a detector of syllables. From mel levels at 100 frames per second, it reports every 2.6 s how fast the bass,
 * the formants and the highs move, whether they move together as with drums, and how much the shape of the spectrum
 * between 300 Hz and 3.4 kHz changes, as it does when a mouth moves. Silent blocks are left out.
 *
 * @param centresHz The centres of the mel bands.
 * @see Scheirer & Slaney, "Construction and evaluation of a robust multifeature speech/music discriminator", 1997
 *   (4 Hz modulation energy).
 */
export function createVoiceCues(
  centresHz: Float64Array,
  sink: VoiceCueSink,
): (melPower: Float64Array) => void {
  const fft = createRealFft(BLOCK);
  const window = hannWindow(BLOCK);
  const regions = REGIONS_HZ.map(([low, high]) => bandsWithin(centresHz, low, high));
  const formants = bandsWithin(centresHz, 300, 3400);
  const levels = regions.map(() => new Float64Array(BLOCK));
  const shape = new Float64Array(formants.length);
  const shapes = Array.from(formants, () => new Float64Array(BLOCK));
  const relief = new Float64Array(BLOCK);
  const work = new Float64Array(BLOCK);
  const power = new Float64Array(BLOCK / 2 + 1);
  const cues = new Float64Array(VOICE_CUES.length);
  let frame = 0;
  let loudest = 0;

  const movement = (track: Float64Array): number[] => {
    const centre = meanOf(track);
    for (let i = 0; i < BLOCK; i++) work[i] = ((track[i] as number) - centre) * (window[i] as number);
    fft.forward(work);
    fft.power(power);
    return RATES.map(([from, to]) => {
      let sum = 0;
      for (let k = from; k <= to; k++) sum += power[k] as number;
      return sum / BLOCK;
    });
  };

  const finishBlock = () => {
    const moving = levels.map((level) => movement(level));
    const shapeMoving = shapes.map((shape) => movement(shape));
    const [bass, lower, upper, highs] = levels as [Float64Array, Float64Array, Float64Array, Float64Array];
    cues.set([
      ...moving.flat().map((value) => Math.log10(value + FLOOR)),
      ...RATES.map((_, rate) =>
        Math.log10(meanOf(shapeMoving.map((rates) => rates[rate] as number)) + FLOOR),
      ),
      meanOf(relief),
      spreadOf(relief),
      ...levels.map((level) => meanOf(level) - meanOf(lower)),
      correlation(bass, lower),
      correlation(lower, upper),
      correlation(upper, highs),
    ]);
    sink(cues);
  };

  const takeFrame = (melPower: Float64Array) => {
    for (let region = 0; region < regions.length; region++) {
      const bands = regions[region] as Int32Array;
      let sum = 0;
      for (let i = 0; i < bands.length; i++) sum += melPower[bands[i] as number] as number;
      loudest = Math.max(loudest, sum);
      (levels[region] as Float64Array)[frame] = Math.log10(sum + FLOOR);
    }
    let sum = 0;
    for (let i = 0; i < shape.length; i++) {
      const level = Math.log10((melPower[formants[i] as number] as number) + FLOOR);
      shape[i] = level;
      sum += level;
    }
    const middle = sum / shape.length;
    for (let i = 0; i < shape.length; i++) (shapes[i] as Float64Array)[frame] = (shape[i] as number) - middle;
    relief[frame] = spreadOf(shape);
  };

  return (melPower) => {
    takeFrame(melPower);
    if (++frame < BLOCK) return;
    if (loudest > SILENCE) finishBlock();
    frame = 0;
    loudest = 0;
  };
}

function bandsWithin(centresHz: Float64Array, low: number, high: number): Int32Array {
  return Int32Array.from(centresHz.keys()).filter((band) => {
    const centre = centresHz[band] as number;
    return centre >= low && centre < high;
  });
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / Math.max(1, values.length);
}

function spreadOf(values: ArrayLike<number>): number {
  return Math.sqrt(covariance(values, values));
}

function covariance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - meanA) * ((b[i] as number) - meanB);
  return sum / Math.max(1, a.length);
}

function correlation(a: Float64Array, b: Float64Array): number {
  const scale = spreadOf(a) * spreadOf(b);
  return scale > 0 ? covariance(a, b) / scale : 0;
}
