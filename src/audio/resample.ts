import { kaiserAt, sinc } from "./window.ts";

/** Receives `count` samples at the start of `samples`; the buffer is reused, so copy what must be kept. */
export type SampleSink = (samples: Float32Array, count: number) => void;

/** A streaming mono sample-rate converter: the same output however the input is cut. */
export type Resampler = {
  push(samples: Float32Array, count: number): void;
  /** Emits what the filter still holds; in all, ceil(input length × output rate / input rate) samples. */
  finish(): void;
};

/** Filter half-length in periods of the lower of the two rates, Kaiser shape, and cutoff below its Nyquist. */
const HALF_PERIODS = 20;
const KAISER_BETA = 6;
/** Past this many phases the nearest lower one is used: at 2048 the timing error stays under -70 dB. */
const MAX_PHASES = 2048;
const OUTPUT_BLOCK = 2048;

/**
 * Builds a polyphase windowed-sinc converter. Passband flat within 0.1 dB to 0.9 of the lower Nyquist
 * frequency, images and aliases 60 dB down from 1.1 of it. Output sample n is aligned with input time n / outputHz.
 *
 * @param inputHz, outputHz Whole numbers of hertz.
 */
export function createResampler(inputHz: number, outputHz: number, sink: SampleSink): Resampler {
  const divisor = greatestCommonDivisor(inputHz, outputHz);
  const up = outputHz / divisor;
  const down = inputHz / divisor;
  const phases = Math.min(up, MAX_PHASES);
  const bank = designBank(inputHz, outputHz, phases);
  const { taps } = bank;
  const isHalfBand = up === 1 && down === 2;
  const output = new Float32Array(OUTPUT_BLOCK);
  let buffer = new Float32Array(8192 + taps);
  let filled = taps / 2 - 1; // zeros before the first sample centre the filter on it
  let start = 0;
  let fraction = 0; // position between two inputs, in units of 1 / up
  let received = 0;
  let emitted = 0;

  const append = (samples: Float32Array | null, count: number) => {
    if (filled + count > buffer.length) buffer = enlarged(buffer, filled + count);
    if (samples) buffer.set(samples.subarray(0, count), filled);
    else buffer.fill(0, filled, filled + count);
    filled += count;
  };
  const drain = (limit: number) => {
    let held = 0;
    while (start + taps <= filled && emitted < limit) {
      output[held++] = isHalfBand
        ? halfBandDot(buffer, start, bank)
        : dot(buffer, start, bank, Math.floor((fraction * phases) / up));
      emitted++;
      fraction += down;
      const whole = Math.floor(fraction / up);
      start += whole;
      fraction -= whole * up;
      if (held === OUTPUT_BLOCK) {
        sink(output, held);
        held = 0;
      }
    }
    if (held > 0) sink(output, held);
    const spent = Math.min(start, filled);
    buffer.copyWithin(0, spent, filled);
    filled -= spent;
    start -= spent;
  };

  return {
    push(samples, count) {
      received += count;
      append(samples, count);
      drain(Number.POSITIVE_INFINITY);
    },
    finish() {
      const total = Math.ceil((received * up) / down);
      append(null, taps + Math.ceil(down / up));
      drain(total);
    },
  };
}

type Bank = { taps: number; coefficients: Float64Array };

function designBank(inputHz: number, outputHz: number, phases: number): Bank {
  const lower = Math.min(1, outputHz / inputHz);
  const taps = 4 * Math.ceil((2 * HALF_PERIODS) / lower / 4);
  const coefficients = new Float64Array(phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    const row = coefficients.subarray(phase * taps, (phase + 1) * taps);
    let sum = 0;
    for (let j = 0; j < taps; j++) {
      const distance = j - (taps / 2 - 1) - phase / phases;
      row[j] = sinc(distance * lower) * kaiserAt(distance / (taps / 2), KAISER_BETA);
      sum += row[j] as number;
    }
    for (let j = 0; j < taps; j++) row[j] = (row[j] as number) / sum;
  }
  return { taps, coefficients };
}

function dot(buffer: Float32Array, start: number, { taps, coefficients }: Bank, phase: number): number {
  const row = phase * taps;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let j = 0; j < taps; j += 4) {
    a += (buffer[start + j] as number) * (coefficients[row + j] as number);
    b += (buffer[start + j + 1] as number) * (coefficients[row + j + 1] as number);
    c += (buffer[start + j + 2] as number) * (coefficients[row + j + 2] as number);
    d += (buffer[start + j + 3] as number) * (coefficients[row + j + 3] as number);
  }
  return a + b + (c + d);
}

/** At half the rate every second tap but the middle one is zero. */
function halfBandDot(buffer: Float32Array, start: number, { taps, coefficients }: Bank): number {
  const middle = taps / 2 - 1;
  let a = (buffer[start + middle] as number) * (coefficients[middle] as number);
  let b = 0;
  for (let j = (middle + 1) % 2; j < taps; j += 4) {
    a += (buffer[start + j] as number) * (coefficients[j] as number);
    b += (buffer[start + j + 2] as number) * (coefficients[j + 2] as number);
  }
  return a + b;
}

function enlarged(buffer: Float32Array, needed: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(Math.max(needed, buffer.length * 2));
  larger.set(buffer);
  return larger;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
