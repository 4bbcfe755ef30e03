import { NETWORKS, POOLED } from "./layout.ts";
import { HEARD_NAMES } from "./tags.ts";
import type { Weights } from "./weights.ts";

/** What a network pools counts as at most this many widths from its usual value. */
export const MOST_WIDTHS = 5;
const NOTHING = new Float32Array(0);

/**
 * Hears HEARD_NAMES, in log-odds, in what each of the networks pooled from a passage, and in what the network of instruments
 * hears in its levels.
 */
export type Instruments = (pooled: readonly Float32Array[], inLevels?: Float32Array) => Float32Array;

/** Builds the layer that lab/tune-instruments.ts has fitted: a calibrated linear regression for each name. */
export function createInstruments(weights: Weights): Instruments {
  const names = HEARD_NAMES.length;
  const [centres, widths] = [weights("centre"), weights("width")];
  const [kernel, bias] = [weights("names.kernel"), weights("names.bias")];
  const inLevelsKernel = weights("network.kernel");
  return (pooled, inLevels = NOTHING) => {
    const sums = Float32Array.from(bias);
    for (let i = 0; i < NETWORKS.length * POOLED; i++) {
      const value = pooled[Math.floor(i / POOLED)]?.[i % POOLED] ?? 0;
      const off = (value - (centres[i] as number)) / (widths[i] as number);
      const input = Math.max(-MOST_WIDTHS, Math.min(MOST_WIDTHS, off));
      for (let j = 0, at = i * names; j < names; j++, at++)
        sums[j] = (sums[j] as number) + input * (kernel[at] as number);
    }
    for (const [i, logOdds] of inLevels.entries())
      for (let j = 0, at = i * names; j < names; j++, at++)
        sums[j] = (sums[j] as number) + logOdds * (inLevelsKernel[at] as number);
    return sums;
  };
}
