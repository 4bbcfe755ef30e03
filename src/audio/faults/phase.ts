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

/** Builds a meter of correlation and balance over the first two channels. */
export function createPhase(sampleRateHz: number): Phase {
  const windowFrames = Math.round(WINDOW_SEC * sampleRateHz);
  const whole = { ll: 0, rr: 0, lr: 0 };
  let part = { ll: 0, rr: 0, lr: 0 };
  let [frame, filled, lowest, lowestFrame] = [0, 0, 1, 0];
  let isSame = true;

  const endWindow = () => {
    const { ll, rr, lr } = part;
    if (ll + rr > 2 * LEAST_POWER * filled && correlationOf(part) < lowest) {
      lowest = correlationOf(part);
      lowestFrame = frame - filled;
    }
    whole.ll += ll;
    whole.rr += rr;
    whole.lr += lr;
    part = { ll: 0, rr: 0, lr: 0 };
    filled = 0;
  };
  const add = (left: Float32Array, right: Float32Array, from: number, to: number) => {
    let { ll, rr, lr } = part;
    for (let i = from; i < to; i++) {
      const l = left[i] as number;
      const r = right[i] as number;
      ll += l * l;
      rr += r * r;
      lr += l * r;
      if (l !== r) isSame = false;
    }
    part = { ll, rr, lr };
    filled += to - from;
    frame += to - from;
  };

  return {
    push(left, right, count) {
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + windowFrames - filled);
        add(left, right, from, to);
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
        isDualMono: isSame,
      };
    },
    width() {
      const [ll, rr, lr] = [whole.ll + part.ll, whole.rr + part.rr, whole.lr + part.lr];
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
