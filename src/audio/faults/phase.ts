import { code, op } from "../../wasm/assemble.ts";
import { pairLoop } from "../dsp/pair-loop.ts";

/** How two channels lie to each other. */
export type Phase = {
  push(left: Float32Array, right: Float32Array, count: number): void;
  /** Null when both channels are silent. */
  finish(): {
    /** Of the whole, and of the three seconds in which it is lowest; -1..1. */
    correlation: number;
    lowestCorrelation: number;
    lowestFrame: number;
    /** Loss of the sum of both against their power, dB: 0 for the same in both, 3 for what has nothing in common. */
    monoLossDb: number;
    /** Positive: the left channel has more power. */
    balanceDb: number;
    isDualMono: boolean;
  } | null;
  /** Returns the share of side energy in mid and side together: 0 for the same in both, 1 for out of phase. */
  width(): number;
};

const WINDOW_SEC = 3;
/** Mean power of both channels, -60 dBFS. Below it, a window says nothing. */
const LEAST_POWER = 1e-6;
/** More is said as so much. */
const MOST_DB = 100;

const { get, set } = op;
/** The place of the last value that the sums keep. */
const DIFFERENCES = 4;

/** Adds up the squares of both channels, and twice their product. The last value counts differences: its bits. */
const createSums = pairLoop({
  kept: 3,
  scratch: 1,
  body({ samples, kept, scratch }) {
    const [squares, products, differences] = kept as [number, number, number];
    const [swapped] = scratch as [number];
    const product = (a: number, b: number) => code(get(a), get(b), op.multiplyDoubles);
    return code(
      code(get(samples), get(samples), op.shuffleDoubles(1, 0), set(swapped)),
      code(get(squares), product(samples, samples), op.addDoubles, set(squares)),
      code(get(products), product(samples, swapped), op.addDoubles, set(products)),
      code(get(differences), get(samples), get(swapped), op.differentDoubles, op.or, set(differences)),
    );
  },
});

/** Builds a meter of correlation and balance over the first two channels. */
export function createPhase(sampleRateHz: number): Phase {
  const windowFrames = Math.round(WINDOW_SEC * sampleRateHz);
  const whole = { ll: 0, rr: 0, lr: 0 };
  const { values, run } = createSums();
  const bits = new Int32Array(values.buffer, values.byteOffset + values.BYTES_PER_ELEMENT * DIFFERENCES, 4);
  const part = () => ({ ll: values[0] as number, rr: values[1] as number, lr: values[2] as number });
  let [frame, filled, lowest, lowestFrame] = [0, 0, 1, 0];

  const endWindow = () => {
    const { ll, rr, lr } = part();
    if (ll + rr > 2 * LEAST_POWER * filled && correlationOf({ ll, rr, lr }) < lowest) {
      lowest = correlationOf({ ll, rr, lr });
      lowestFrame = frame - filled;
    }
    whole.ll += ll;
    whole.rr += rr;
    whole.lr += lr;
    values.fill(0, 0, DIFFERENCES);
    filled = 0;
  };

  return {
    push(left, right, count) {
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + windowFrames - filled);
        run(left, right, from, to);
        filled += to - from;
        frame += to - from;
        if (filled === windowFrames) endWindow();
        from = to;
      }
    },
    finish() {
      if (filled > 0) endWindow();
      const { ll, rr, lr } = whole;
      if (ll + rr === 0) return null;
      const correlation = correlationOf(whole);
      return {
        correlation,
        lowestCorrelation: Math.min(lowest, correlation),
        lowestFrame,
        monoLossDb: ratioDb(2 * (ll + rr), ll + rr + 2 * lr),
        balanceDb: ratioDb(ll, rr),
        isDualMono: bits.every((word) => word === 0),
      };
    },
    width() {
      const last = part();
      const [ll, rr, lr] = [whole.ll + last.ll, whole.rr + last.rr, whole.lr + last.lr];
      return ll + rr > 0 ? Math.max(0, ll + rr - 2 * lr) / (2 * (ll + rr)) : 0;
    },
  };
}

function correlationOf({ ll, rr, lr }: { ll: number; rr: number; lr: number }): number {
  return ll === 0 || rr === 0 ? 0 : lr / Math.sqrt(ll * rr);
}

function ratioDb(power: number, other: number): number {
  const db = 10 * Math.log10(power / other);
  return Math.max(-MOST_DB, Math.min(MOST_DB, db));
}
