import { createGrowableFloats } from "../dsp/growable.ts";
import { integratedLoudness, loudnessRange, toLufs } from "./gating.ts";
import { channelWeights } from "./k-weighting.ts";
import { createWeightedEnergy } from "./weighted-energy.ts";

/** Loudness of a programme; null for silence, or if it is too short for the window (0.4 s, 3 s). */
export type Loudness = {
  integratedLufs: number | null;
  rangeLu: number | null;
  momentaryMaxLufs: number | null;
  shortTermMaxLufs: number | null;
};

/** A streaming loudness meter over planar blocks. */
export type LoudnessMeter = {
  /** Takes the first `count` samples of each channel, linear, full scale 1. */
  push(channels: readonly Float32Array[], count: number): void;
  finish(): Loudness;
};

/** Powers are stored per 100 ms: 4 make a gating block, 30 a short-term window. */
const STEPS_PER_SECOND = 10;
const BLOCK_STEPS = 4;
const SHORT_TERM_STEPS = 30;
/** The momentary window slides by 10 ms: with 100 ms it would underrate a short burst by half a decibel. */
const SLIDES_PER_STEP = 10;
const MOMENTARY_SLIDES = BLOCK_STEPS * SLIDES_PER_STEP;
/** A maximum below this is reported as silence. */
const SILENCE_LUFS = -120;

/**
 * Builds an EBU-mode loudness meter. It keeps 40 bytes per second of programme.
 *
 * @see ITU-R BS.1770-4 annex 1, EBU Tech 3341, EBU Tech 3342.
 */
export function createLoudnessMeter(format: { sampleRateHz: number; channels: number }): LoudnessMeter {
  const energy = createWeightedEnergy(format.sampleRateHz, channelWeights(format.channels));
  const steps = createGrowableFloats();
  const slides = new Float64Array(MOMENTARY_SLIDES);
  const boundary = (slide: number) =>
    Math.round((slide * format.sampleRateHz) / (STEPS_PER_SECOND * SLIDES_PER_STEP));
  let slide = 0;
  let position = 0;
  let slideEnergy = 0;
  let stepEnergy = 0;
  let momentaryMax = 0;

  const endSlide = () => {
    slides[slide % MOMENTARY_SLIDES] = slideEnergy;
    stepEnergy += slideEnergy;
    slideEnergy = 0;
    slide++;
    const meanSince = (first: number, sum: number) => sum / (boundary(slide) - boundary(first));
    if (slide >= MOMENTARY_SLIDES)
      momentaryMax = Math.max(momentaryMax, meanSince(slide - MOMENTARY_SLIDES, sumOf(slides)));
    if (slide % SLIDES_PER_STEP === 0) {
      steps.push(meanSince(slide - SLIDES_PER_STEP, stepEnergy));
      stepEnergy = 0;
    }
  };

  return {
    push(channels, count) {
      let from = 0;
      while (from < count) {
        const end = boundary(slide + 1);
        const to = Math.min(count, from + end - position);
        slideEnergy += energy(channels, from, to);
        position += to - from;
        from = to;
        if (position === end) endSlide();
      }
    },
    finish: () => summarise(steps.view(), momentaryMax),
  };
}

function summarise(steps: Float32Array, momentaryMax: number): Loudness {
  const shortTerm = slidingMeans(steps, SHORT_TERM_STEPS);
  return {
    integratedLufs: integratedLoudness(slidingMeans(steps, BLOCK_STEPS)),
    rangeLu: loudnessRange(shortTerm),
    momentaryMaxLufs: audible(momentaryMax),
    shortTermMaxLufs: audible(largest(shortTerm)),
  };
}

function slidingMeans(steps: Float32Array, width: number): Float32Array {
  const means = new Float32Array(Math.max(0, steps.length - width + 1));
  for (let i = 0; i < means.length; i++) {
    let sum = 0;
    for (let j = i; j < i + width; j++) sum += steps[j] as number;
    means[i] = sum / width;
  }
  return means;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}

function largest(powers: Float32Array): number {
  let highest = 0;
  for (let i = 0; i < powers.length; i++) highest = Math.max(highest, powers[i] as number);
  return highest;
}

function audible(power: number): number | null {
  const lufs = toLufs(power);
  return lufs > SILENCE_LUFS ? lufs : null;
}
