import { createFilterKernel, PEAK_OUTPUTS, PEAK_TAPS, SIZE_STRIDE } from "../dsp/filter-kernel.ts";
import { kaiserAt, sinc } from "../dsp/window.ts";

/** A streaming true-peak and sample-peak meter over planar blocks. */
export type PeakMeter = {
  /** Takes the first `count` samples of each channel, linear, full scale 1. */
  push(channels: readonly Float32Array[], count: number): void;
  /** Linear peaks over all channels; 0 for silence. The true peak is never below the sample peak. */
  finish(): { truePeak: number; samplePeak: number };
  /** The first frame of the block, as pushed, in which the true peak was reached. */
  peakFrame(): number;
};

const TAPS = PEAK_TAPS;
const KAISER_BETA = 5;
/** Samples checked together to decide whether interpolation could raise the peak at all. */
const STRIDE = SIZE_STRIDE;
/** Strides of a channel that are processed in one go. */
const STRIDES = 128;
const BLOCK = STRIDES * STRIDE;
const FLOAT_BYTES = 4;

/**
 * Builds a true-peak meter: 4x oversampling below 96 kHz, 2x below 192 kHz, none above.
 *
 * Stretches whose samples are so small that nothing between them can exceed the peak so far are not interpolated; the
 * result is the same.
 *
 * @see ITU-R BS.1770-4, annex 2.
 */
export function createPeakMeter(format: { sampleRateHz: number; channels: number }): PeakMeter {
  const phases = interpolationPhases(oversampling(format.sampleRateHz));
  const reach = Math.max(1, ...phases.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));
  const kernel = createFilterKernel(BLOCK + TAPS + phases.length * TAPS + PEAK_OUTPUTS + STRIDES);
  const work = kernel.room(BLOCK + TAPS);
  const phaseBytes = phases.map((taps) => {
    const room = kernel.room(TAPS);
    room.set(taps);
    return room.byteOffset;
  });
  const highest = kernel.room(PEAK_OUTPUTS);
  const sizes = kernel.room(STRIDES);
  /** The preceding samples of each channel: TAPS - 1 already processed, and fewer than STRIDE that are not. */
  const tails = Array.from({ length: format.channels }, () => new Float32Array(TAPS - 1));
  /** Sample peak of the previous stride, per channel. */
  const peaks = new Float64Array(format.channels);
  let truePeak = 0;
  let samplePeak = 0;
  let frame = 0;
  let atFrame = 0;

  /** Raises the true peak to what lies between the samples of the stride at an address. */
  const interpolate = (at: number) => {
    for (const taps of phaseBytes) {
      kernel.peak(at, at + STRIDE * FLOAT_BYTES, taps, highest.byteOffset);
      for (let i = 0; i < PEAK_OUTPUTS; i++) truePeak = Math.max(truePeak, highest[i] as number);
    }
  };
  /** Processes the whole strides of `work`, and returns the rest. */
  const scan = (channel: number, filled: number): Float32Array<ArrayBuffer> => {
    const strides = Math.floor((filled - TAPS + 1) / STRIDE);
    const first = work.byteOffset + (TAPS - 1) * FLOAT_BYTES;
    if (strides > 0) kernel.sizes(first, first + strides * STRIDE * FLOAT_BYTES, sizes.byteOffset);
    for (let stride = 0; stride < strides; stride++) {
      const peak = sizes[stride] as number;
      const peakAround = Math.max(peak, peaks[channel] as number);
      peaks[channel] = peak;
      samplePeak = Math.max(samplePeak, peak);
      truePeak = Math.max(truePeak, peak);
      if (peakAround * reach <= truePeak) continue;
      interpolate(work.byteOffset + stride * STRIDE * FLOAT_BYTES);
    }
    return work.slice(strides * STRIDE, filled);
  };
  const push = (channel: number, samples: Float32Array, count: number) => {
    for (let from = 0; from < count; ) {
      const tail = tails[channel] as Float32Array;
      const taken = Math.min(count - from, work.length - tail.length);
      work.set(tail);
      work.set(samples.subarray(from, from + taken), tail.length);
      tails[channel] = scan(channel, tail.length + taken);
      from += taken;
    }
  };

  return {
    push(channels, count) {
      const before = truePeak;
      for (const [channel, samples] of channels.slice(0, tails.length).entries())
        push(channel, samples, count);
      if (truePeak > before) atFrame = frame;
      frame += count;
    },
    finish() {
      const silence = new Float32Array(TAPS + STRIDE);
      const before = truePeak;
      for (let channel = 0; channel < tails.length; channel++) push(channel, silence, silence.length);
      if (truePeak > before) atFrame = Math.max(0, frame - 1);
      return { truePeak, samplePeak };
    },
    peakFrame: () => atFrame,
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
