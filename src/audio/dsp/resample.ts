import { createFilterKernel, TAP_MULTIPLE } from "./filter-kernel.ts";
import { kaiserAt, sinc } from "./window.ts";

/** Receives `count` samples at the start of `samples`; the buffer is reused, so copy what must be kept. */
export type SampleSink = (samples: Float32Array, count: number) => void;

/** A streaming mono sample-rate converter; the output does not depend on how the input is cut. */
export type Resampler = {
  push(samples: Float32Array, count: number): void;
  /** Emits what the filter still holds. In total, it emits ceil(input length × output rate / input rate) samples. */
  finish(): void;
};

/** Filter half-length in periods of the lower of the two rates, Kaiser shape, and cutoff below its Nyquist. */
const HALF_PERIODS = 20;
const KAISER_BETA = 6;
/** Above this many phases, the nearest lower one is used: at 2048 the timing error stays below -70 dB. */
const MAX_PHASES = 2048;
const INPUT_BLOCK = 8192;
const OUTPUT_BLOCK = 2048;
const FLOAT_BYTES = 4;
/** Kept for the next recording, at most two megabytes. Banks of odd rates are larger, and are not kept. */
const [MOST_BANKS, MOST_OF_BANK] = [8, 65_536];

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
  const { taps, coefficients } = bankOf(inputHz, outputHz, phases);
  const kernel = createFilterKernel(coefficients.length + up + INPUT_BLOCK + taps + OUTPUT_BLOCK);
  const bank = kernel.room(coefficients.length);
  bank.set(coefficients);
  const rows = kernel.room(up);
  const addresses = new Int32Array(rows.buffer, rows.byteOffset, up);
  for (let fraction = 0; fraction < up; fraction++)
    addresses[fraction] = bank.byteOffset + Math.floor((fraction * phases) / up) * taps * FLOAT_BYTES;
  const buffer = kernel.room(INPUT_BLOCK + taps);
  const output = kernel.room(OUTPUT_BLOCK);
  let filled = taps / 2 - 1; // zeros before the first sample centre the filter on it
  let start = 0;
  let fraction = 0; // position between two inputs, in units of 1 / up
  let received = 0;
  let emitted = 0;

  /** Returns how many outputs the inputs suffice for. */
  const ready = () => Math.ceil(((filled - taps - start + 1) * up - fraction) / down);
  const compute = (count: number) => {
    kernel.filter(
      buffer.byteOffset + start * FLOAT_BYTES,
      Math.floor(down / up) * FLOAT_BYTES,
      fraction,
      down % up,
      up,
      rows.byteOffset,
      taps * FLOAT_BYTES,
      count,
      output.byteOffset,
    );
    const moved = fraction + down * count;
    start += Math.floor(moved / up);
    fraction = moved % up;
  };
  const drain = (limit: number) => {
    for (;;) {
      const count = Math.min(ready(), OUTPUT_BLOCK, limit - emitted);
      if (count <= 0) break;
      compute(count);
      emitted += count;
      sink(output, count);
    }
    const spent = Math.min(start, filled);
    buffer.copyWithin(0, spent, filled);
    filled -= spent;
    start -= spent;
  };
  const push = (samples: Float32Array, count: number, limit: number) => {
    for (let from = 0; from < count; ) {
      const taken = Math.min(count - from, buffer.length - filled);
      buffer.set(samples.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      drain(limit);
    }
  };

  return {
    push(samples, count) {
      received += count;
      push(samples, count, Number.POSITIVE_INFINITY);
    },
    finish() {
      const silence = new Float32Array(taps + Math.ceil(down / up));
      push(silence, silence.length, Math.ceil((received * up) / down));
    },
  };
}

type Bank = { taps: number; coefficients: Float32Array };

/** The banks of a thread: files come in few rates. */
const banks = new Map<string, Bank>();

function bankOf(inputHz: number, outputHz: number, phases: number): Bank {
  const name = `${inputHz} ${outputHz}`;
  const bank = banks.get(name) ?? designBank(inputHz, outputHz, phases);
  if (banks.size < MOST_BANKS && bank.coefficients.length <= MOST_OF_BANK) banks.set(name, bank);
  return bank;
}

function designBank(inputHz: number, outputHz: number, phases: number): Bank {
  const lower = Math.min(1, outputHz / inputHz);
  const taps = TAP_MULTIPLE * Math.ceil((2 * HALF_PERIODS) / lower / TAP_MULTIPLE);
  const coefficients = new Float32Array(phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    const row = Float64Array.from({ length: taps }, (_, j) => {
      const distance = j - (taps / 2 - 1) - phase / phases;
      return sinc(distance * lower) * kaiserAt(distance / (taps / 2), KAISER_BETA);
    });
    const sum = row.reduce((total, tap) => total + tap, 0);
    coefficients.set(
      row.map((tap) => tap / sum),
      phase * taps,
    );
  }
  return { taps, coefficients };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
