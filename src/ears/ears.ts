import { createResampler } from "../audio/dsp/resample.ts";
import { NETWORKS, TAGS_PER_NETWORK } from "./layout.ts";
import { EARS_HZ } from "./levels.ts";
import { createNetwork, NETWORK_FLOATS, type Network } from "./network.ts";
import { type ChosenPassage, choosePassages, createPassageCollector, PASSAGE_SAMPLES } from "./passages.ts";
import { createTileKernel } from "./tile-kernel.ts";
import { readWeights } from "./weights.ts";

/** Shorter recordings are sounds, stings and loops. */
const LEAST_SECONDS = 12;
/** Passages of 3 seconds that are listened to. Each takes both networks about a tenth of a second. */
const PASSAGES = 6;

/** Listens to one recording as it streams by. */
export type Ears = {
  push(mono: Float32Array, count: number): void;
  /** Returns the log-odds of each of HEARD_TAGS in the whole recording; null for silence and short sounds. Call once. */
  finish(): Promise<Float32Array<ArrayBuffer> | null>;
};

let networks: Promise<Network[]> | undefined;

/**
 * Builds the ears for a mono stream.
 *
 * @param lengthSec How long it will be, if that is known: then less of it must be converted.
 */
export function createEars(inputHz: number, lengthSec?: number | null): Ears {
  const collector = createPassageCollector((lengthSec ?? 0) * EARS_HZ);
  const resampler = createResampler(inputHz, EARS_HZ, collector.push);
  const passageSamples = (PASSAGE_SAMPLES * inputHz) / EARS_HZ;
  let samples = 0;
  return {
    push(mono, count) {
      const passage = Math.floor(samples / passageSamples);
      samples += count;
      // What is not kept need not be converted. Passages are joined to within a block of samples.
      if (passage % collector.spacing() === 0) resampler.push(mono, count);
    },
    async finish() {
      if (samples < LEAST_SECONDS * inputHz) return null;
      resampler.finish();
      const chosen = choosePassages(collector.passages(), PASSAGES);
      if (chosen.length === 0) return null;
      networks ??= openNetworks();
      const heard = (await networks).map((network) => meanOf(network, chosen));
      return Float32Array.from(heard.flatMap((logOdds) => [...logOdds]));
    },
  };
}

function meanOf(network: Network, chosen: readonly ChosenPassage[]): Float32Array {
  const mean = new Float32Array(TAGS_PER_NETWORK);
  for (const { passage, share } of chosen)
    for (const [tag, logOdds] of network(passage).entries())
      mean[tag] = (mean[tag] as number) + share * logOdds;
  return mean;
}

/** Built once a thread: it takes a quarter of a second and twelve megabytes. */
async function openNetworks(): Promise<Network[]> {
  const { kernel, room } = createTileKernel(NETWORKS.length * NETWORK_FLOATS);
  return (await readWeights()).map((weights) => createNetwork(kernel, room, weights));
}
