import { kaiserAt, sinc } from "./window.ts";

/** A streaming true-peak and sample-peak meter over planar blocks. */
export type PeakMeter = {
  /** Takes the first `count` samples of each channel, linear, full scale 1. */
  push(channels: readonly Float32Array[], count: number): void;
  /** Linear peaks over all channels; 0 for silence. The true peak is never below the sample peak. */
  finish(): { truePeak: number; samplePeak: number };
};

const TAPS = 16;
const KAISER_BETA = 5;
/** Samples looked at together when deciding whether interpolation could raise the peak at all. */
const STRIDE = 32;

/**
 * Builds a true-peak meter: 4x oversampling below 96 kHz, 2x below 192 kHz, none above.
 *
 * Stretches whose samples are too small to exceed the peak found so far, whatever lies between them, are not
 * interpolated: the result is the same, loud music costs about a third.
 *
 * @see ITU-R BS.1770-4, annex 2.
 */
export function createPeakMeter(format: { sampleRateHz: number; channels: number }): PeakMeter {
  const phases = interpolationPhases(oversampling(format.sampleRateHz));
  const reach = Math.max(1, ...phases.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));
  const tails = Array.from({ length: format.channels }, () => new Float32Array(TAPS - 1));
  let work = new Float32Array(0);
  let truePeak = 0;
  let samplePeak = 0;

  const scan = (tail: Float32Array, samples: Float32Array, count: number) => {
    if (work.length < count + TAPS - 1) work = new Float32Array(count + TAPS - 1);
    work.set(tail);
    work.set(samples.subarray(0, count), TAPS - 1);
    for (let from = 0; from < count; from += STRIDE) {
      const to = Math.min(count, from + STRIDE);
      samplePeak = Math.max(samplePeak, largest(work, from + TAPS - 1, to + TAPS - 1));
      truePeak = Math.max(truePeak, samplePeak);
      if (largest(work, from, to + TAPS - 1) * reach <= truePeak) continue;
      for (const phase of phases) truePeak = Math.max(truePeak, largestBetween(work, from, to, phase));
    }
    tail.set(work.subarray(count, count + TAPS - 1));
  };

  return {
    push(channels, count) {
      for (const [index, tail] of tails.entries()) {
        const samples = channels[index];
        if (samples) scan(tail, samples, count);
      }
    },
    finish() {
      const silence = new Float32Array(TAPS);
      for (const tail of tails) scan(tail, silence, TAPS);
      return { truePeak, samplePeak };
    },
  };
}

function oversampling(sampleRateHz: number): number {
  if (sampleRateHz >= 192_000) return 1;
  return sampleRateHz >= 96_000 ? 2 : 4;
}

function interpolationPhases(factor: number): Float64Array[] {
  return Array.from({ length: factor - 1 }, (_, index) => {
    const offset = (index + 1) / factor;
    const taps = Float64Array.from({ length: TAPS }, (_unused, j) => {
      const distance = j - (TAPS / 2 - 1) - offset;
      return sinc(distance) * kaiserAt(distance / (TAPS / 2), KAISER_BETA);
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}

function largest(samples: Float32Array, from: number, to: number): number {
  let highest = 0;
  for (let i = from; i < to; i++) {
    const magnitude = Math.abs(samples[i] as number);
    if (magnitude > highest) highest = magnitude;
  }
  return highest;
}

function largestBetween(samples: Float32Array, from: number, to: number, taps: Float64Array): number {
  let highest = 0;
  for (let i = from; i < to; i++) {
    let a = 0;
    let b = 0;
    for (let j = 0; j < TAPS; j += 2) {
      a += (samples[i + j] as number) * (taps[j] as number);
      b += (samples[i + j + 1] as number) * (taps[j + 1] as number);
    }
    const magnitude = Math.abs(a + b);
    if (magnitude > highest) highest = magnitude;
  }
  return highest;
}
