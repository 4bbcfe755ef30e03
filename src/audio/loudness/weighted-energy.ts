import { type Code, code, op } from "../../wasm/assemble.ts";
import { type PairLoop, pairLoop } from "../dsp/pair-loop.ts";
import { kWeighting } from "./k-weighting.ts";

/** Returns the sum of the squares of all channels after the K-weighting, each channel times its weight. Takes one part after the other. */
export type WeightedEnergy = (channels: readonly Float32Array[], from: number, to: number) => number;

const { get, set } = op;
const plus = (a: Code, b: Code) => code(a, b, op.addDoubles);
const minus = (a: Code, b: Code) => code(a, b, op.subtractDoubles);
const times = (a: Code, b: Code) => code(a, b, op.multiplyDoubles);

/** Values of a filter that are kept: four of its state, and the sum of squares. */
const KEPT = 5;
/** The place of that sum. */
const ENERGY = 2 * (KEPT - 1);

/** Both filters in transposed direct form II. The gains of the high-pass that are missing are 1, -2 and 1. */
const createFilter = pairLoop({
  kept: KEPT,
  constants: 7,
  scratch: 2,
  body({ samples, kept, scratch }, constants) {
    const [s1, s2, h1, h2, energy] = kept as [number, number, number, number, number];
    const [b0, b1, b2, a1, a2, c1, c2] = constants as [Code, Code, Code, Code, Code, Code, Code];
    const [shelved, passed] = scratch as [number, number];
    const [x, y, z] = [get(samples), get(shelved), get(passed)];
    return code(
      code(plus(times(b0, x), get(s1)), set(shelved)),
      code(plus(minus(times(b1, x), times(a1, y)), get(s2)), set(s1)),
      code(minus(times(b2, x), times(a2, y)), set(s2)),
      code(plus(y, get(h1)), set(passed)),
      code(minus(minus(get(h2), plus(y, y)), times(c1, z)), set(h1)),
      code(minus(y, times(c2, z)), set(h2)),
      code(plus(get(energy), times(z, z)), set(energy)),
    );
  },
});

/** Builds a filter over as many channels as there are weights. */
export function createWeightedEnergy(sampleRateHz: number, weights: readonly number[]): WeightedEnergy {
  const pairs = Array.from({ length: Math.ceil(weights.length / 2) }, () => createPair(sampleRateHz));
  return (channels, from, to) => {
    let sum = 0;
    for (const [index, energies] of pairs.entries()) {
      const [first, second] = [channels[2 * index], channels[2 * index + 1]];
      if (!first) break;
      const [one, other] = energies(first, second ?? first, from, to);
      sum += (weights[2 * index] as number) * one;
      if (second) sum += (weights[2 * index + 1] as number) * other;
    }
    return sum;
  };
}

/** Returns the sums of squares of two channels. */
type PairEnergies = (...part: Parameters<PairLoop["run"]>) => [number, number];

function createPair(sampleRateHz: number): PairEnergies {
  const { shelf, highPass } = kWeighting(sampleRateHz);
  const gains = [shelf.b0, shelf.b1, shelf.b2, shelf.a1, shelf.a2, highPass.a1, highPass.a2];
  const { values, run } = createFilter();
  for (const [index, gain] of gains.entries()) values.fill(gain, 2 * (KEPT + index), 2 * (KEPT + index + 1));
  return (...part) => {
    values.fill(0, ENERGY, ENERGY + 2);
    run(...part);
    // In digital silence, decaying filter state would turn into denormal numbers, which are a hundred times slower.
    for (let i = 0; i < ENERGY; i++) if (Math.abs(values[i] as number) < 1e-30) values[i] = 0;
    return [values[ENERGY] as number, values[ENERGY + 1] as number];
  };
}
