import { SAMPLE_RATE_HZ, type Stereo } from "../../src/demo/dsp/audio.ts";

/** Returns the 16-bit stereo samples of a WAV file's data chunk; full scale = 1. */
export function decodeWav(bytes: Uint8Array): Stereo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nameAt = (offset: number) => new TextDecoder().decode(bytes.subarray(offset, offset + 4));
  let offset = 12;
  while (nameAt(offset) !== "data") offset += 8 + Math.ceil(view.getUint32(offset + 4, true) / 2) * 2;
  const frames = view.getUint32(offset + 4, true) / 4;
  const channel = (first: number) =>
    Float32Array.from({ length: frames }, (_, i) => view.getInt16(offset + 8 + 4 * i + first, true) / 32_768);
  return { left: channel(0), right: channel(2) };
}

/** Returns the largest absolute sample. */
export function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** Returns the root mean square. */
export function rmsOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns the strength of one frequency in `samples`, linear, by the Goertzel recurrence under a Hann window. */
export function goertzel(samples: Float32Array, frequencyHz: number, sampleRateHz = SAMPLE_RATE_HZ): number {
  const recent = 2 * Math.cos((2 * Math.PI * frequencyHz) / sampleRateHz);
  let last = 0;
  let beforeLast = 0;
  for (let i = 0; i < samples.length; i++) {
    const windowed = (samples[i] ?? 0) * Math.sin((Math.PI * i) / samples.length) ** 2;
    const value = windowed + recent * last - beforeLast;
    beforeLast = last;
    last = value;
  }
  const power = last * last + beforeLast * beforeLast - recent * last * beforeLast;
  return (4 * Math.sqrt(Math.max(0, power))) / samples.length;
}

/** Returns a mono mix at 11,025 Hz, each sample the mean of four: enough for notes up to a piano's C7. */
export function quarterRate({ left, right }: Stereo): Float32Array {
  return Float32Array.from({ length: Math.floor(left.length / 4) }, (_, i) => {
    let sum = 0;
    for (let tap = 4 * i; tap < 4 * i + 4; tap++) sum += (left[tap] ?? 0) + (right[tap] ?? 0);
    return sum / 8;
  });
}

/** Returns the share of each of the twelve pitch classes from C3 to B5, summing to 1; index 0 is C. */
export function chromaOf(audio: Stereo): number[] {
  const slow = quarterRate(audio);
  const windowLength = 4096;
  const chroma = new Array<number>(12).fill(0);
  for (let start = 0; start + windowLength <= slow.length; start += windowLength) {
    const window = slow.subarray(start, start + windowLength);
    for (let midi = 48; midi < 84; midi++) {
      const strength = goertzel(window, 440 * 2 ** ((midi - 69) / 12), SAMPLE_RATE_HZ / 4);
      chroma[midi % 12] = (chroma[midi % 12] ?? 0) + strength;
    }
  }
  const total = chroma.reduce((sum, value) => sum + value, 0);
  return chroma.map((value) => value / total);
}

/** Onset strengths every 5 ms: how much the level, in decibels, rises from one step to the next. */
export const ONSET_STEP_SECONDS = 0.005;
export function onsetsOf(samples: Float32Array, sampleRateHz = SAMPLE_RATE_HZ): Float64Array {
  const step = ONSET_STEP_SECONDS * sampleRateHz;
  const levels = Float64Array.from({ length: Math.floor(samples.length / step) }, (_, i) => {
    const block = samples.subarray(Math.floor(i * step), Math.floor((i + 1) * step));
    return 10 * Math.log10(rmsOf(block) ** 2 + 1e-6);
  });
  return levels.map((level, i) => (i === 0 ? 0 : Math.max(0, level - (levels[i - 1] ?? 0))));
}

/** Returns the tempo within 4 % of `nearBpm` whose beats, halves and quarters the onsets follow best. */
export function tempoNear(onsets: Float64Array, nearBpm: number): number {
  const alignment = (bpm: number) => {
    const radiansPerStep = (2 * Math.PI * bpm * ONSET_STEP_SECONDS) / 60;
    return [1, 2, 4].reduce((sum, multiple) => {
      let re = 0;
      let im = 0;
      onsets.forEach((onset, i) => {
        re += onset * Math.cos(multiple * radiansPerStep * i);
        im += onset * Math.sin(multiple * radiansPerStep * i);
      });
      return sum + Math.hypot(re, im);
    }, 0);
  };
  const candidates = Array.from({ length: 161 }, (_, i) => nearBpm * (0.96 + i * 0.0005));
  return candidates.reduce((best, bpm) => (alignment(bpm) > alignment(best) ? bpm : best));
}
