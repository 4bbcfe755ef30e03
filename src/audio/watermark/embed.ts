import { createRealFft } from "../dsp/fft.ts";
import { inverseReal } from "../dsp/inverse.ts";
import { BANDS, bandBinsAt, firstTileAt, frameSizeAt } from "./grid.ts";
import { calmness, noisiness } from "./guards.ts";
import { type Pattern, signOf } from "./pattern.ts";
import { addPower } from "./power.ts";

/** Receives `count` marked frames at the start of each channel; the arrays are reused. */
export type MarkedSink = (planes: readonly Float32Array[], count: number) => void;

/** Marks a stream of sound. It holds a tenth of a second, and what comes out does not depend on how the input is cut. */
export type Marker = {
  push(planes: readonly Float32Array[], count: number): void;
  /** Passes on what is left. In total, as many frames come out as went in. */
  finish(): void;
};

export type MarkerOptions = { sampleRateHz: number; channels: number; pattern: Pattern; code: Uint8Array };

/** By how much a tile is raised or lowered, dB. The just noticeable step of a level is 0.5 to 1 dB. */
const DEPTH_DB = 0.25;
const RAISED = 10 ** (DEPTH_DB / 20) - 1;
const LOWERED = 10 ** (-DEPTH_DB / 20) - 1;

/**
 * Builds a marker: spread spectrum in the levels of tiles of time and frequency. Only the difference is synthesised, from frames that
 * half overlap under a sine window, and added: silence keeps its bits, and so does what is below 300 Hz or above 10 kHz.
 *
 * @param sink Samples are linear, full scale = 1; a marked one may exceed full scale by a little.
 * @see Kirovski & Malvar 2003, "Spread-Spectrum Watermarking of Audio Signals", IEEE Transactions on Signal Processing 51(4).
 */
export function createMarker(options: MarkerOptions, sink: MarkedSink): Marker {
  const size = frameSizeAt(options.sampleRateHz);
  const hop = size / 2;
  const channels = Array.from({ length: options.channels }, () => createChannel(size));
  const frames = channels.map(({ frame }) => frame);
  const planes = channels.map(() => new Float32Array(hop));
  const gainsOf = createGains(options, size);
  let filled = 0;
  /** Where the second half of the frame begins, in samples of the recording. */
  let at = 0;

  const mark = () => {
    for (const channel of channels) channel.analyse();
    const gains = gainsOf(channels, at / options.sampleRateHz, calmness(frames, size));
    for (const channel of channels) channel.addDifference(gains);
  };
  /** Marks the frame and passes on `count` frames of its first half, which no later frame reads. */
  const advance = (count: number) => {
    if (!frames.every(isSilent)) mark();
    for (const [index, channel] of channels.entries()) channel.shift(planes[index] as Float32Array);
    // The first half of the first frame is before the recording.
    if (at > 0) sink(planes, count);
    at += hop;
    filled = 0;
  };

  return {
    push(input, count) {
      for (let from = 0; from < count; ) {
        const taken = Math.min(count - from, hop - filled);
        for (const [index, frame] of frames.entries())
          frame.set((input[index] as Float32Array).subarray(from, from + taken), hop + filled);
        filled += taken;
        from += taken;
        if (filled === hop) advance(hop);
      }
    },
    finish() {
      const rest = filled;
      advance(hop);
      if (rest > 0) advance(rest);
    },
  };
}

type Channel = ReturnType<typeof createChannel>;

function createChannel(size: number) {
  const hop = size / 2;
  const window = Float64Array.from({ length: size }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / size));
  const fft = createRealFft(size);
  const [frame, work, difference] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ] as const;
  return {
    /** The samples of the last hop, and the next one. */
    frame,
    fft,
    analyse() {
      for (let i = 0; i < size; i++) work[i] = (frame[i] as number) * (window[i] as number);
      fft.forward(work);
    },
    /** Changes the spectrum by `gains` (one for each bin) and adds what comes of it to the difference. */
    addDifference(gains: Float64Array) {
      for (let bin = 0; bin < gains.length; bin++) {
        fft.re[bin] = (fft.re[bin] as number) * (gains[bin] as number);
        fft.im[bin] = (fft.im[bin] as number) * (gains[bin] as number);
      }
      inverseReal(fft, fft.re, fft.im, work);
      for (let i = 0; i < size; i++)
        difference[i] = (difference[i] as number) + (work[i] as number) * (window[i] as number);
    },
    /** Writes the first half, marked, and makes room for the next hop. */
    shift(marked: Float32Array) {
      for (let i = 0; i < hop; i++) marked[i] = (frame[i] as number) + (difference[i] as number);
      for (const values of [frame, difference]) {
        values.copyWithin(0, hop);
        values.fill(0, hop);
      }
    },
  };
}

const isSilent = (samples: Float64Array) => samples.every((sample) => sample === 0);

/** Returns a function that says by which share each bin of a frame changes, as they are carried by all channels alike. */
function createGains({ sampleRateHz, pattern, code }: MarkerOptions, size: number) {
  const bins = bandBinsAt(sampleRateHz, size);
  const gains = new Float64Array(size / 2 + 1);
  const power = new Float64Array(size / 2 + 1);
  return (channels: readonly Channel[], sec: number, calm: number): Float64Array => {
    power.fill(0);
    for (const { fft } of channels) addPower(fft, power);
    const firstTile = firstTileAt(sec);
    for (let band = 0; band < BANDS; band++) {
      const bit = pattern.bits[firstTile + band] as number;
      const sign = (pattern.signs[firstTile + band] as number) * (bit < 0 ? 1 : signOf(code, bit));
      const [from, to] = [bins[band] as number, bins[band + 1] as number];
      gains.fill((sign > 0 ? RAISED : LOWERED) * calm * noisiness(power, from, to), from, to);
    }
    return gains;
  };
}
