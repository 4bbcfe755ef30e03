/** Finds how many bits the samples of a recording use. */
export type BitMeter = {
  push(samples: Float32Array, count: number): void;
  /** At most 24; null for silence, and for samples that are no whole steps of 24 bits. */
  finish(): number | null;
};

const BITS = 24;
const STEPS = 2 ** (BITS - 1);

/** Builds a meter of the bits in use. Samples that came from whole numbers have exact values. */
export function createBitMeter(): BitMeter {
  let used = 0;
  let isWhole = true;
  return {
    push(samples, count) {
      if (!isWhole) return;
      for (let i = 0; i < count; i++) {
        const steps = (samples[i] as number) * STEPS;
        const whole = steps | 0;
        if (whole !== steps) {
          isWhole = false;
          return;
        }
        used |= whole;
      }
    },
    finish: () => (isWhole && used !== 0 ? BITS - (31 - Math.clz32(used & -used)) : null),
  };
}
