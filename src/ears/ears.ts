import { createResampler } from "../audio/dsp/resample.ts";
import { NETWORKS, TAGS_PER_NETWORK } from "./layout.ts";
import { EARS_HZ } from "./levels.ts";
import { createNetwork, NETWORK_FLOATS, type Network } from "./network.ts";
import { choosePassages, createPassageCollector } from "./passages.ts";
import { createTileKernel } from "./tile-kernel.ts";
import { readWeights } from "./weights.ts";

/** What the networks heard; change it whenever the numbers change their meaning. */
export const EARS_VERSION = "musicnn-1";
/** Numbers in what was heard: the log-odds of each of HEARD_TAGS. */
export const HEARD_DIMENSIONS = NETWORKS.length * TAGS_PER_NETWORK;

/** Passages of 3 seconds that are listened to. Each takes both networks about a tenth of a second. */
const PASSAGES = 6;

/** Listens to one recording as it streams by. */
export type Ears = {
  push(mono: Float32Array, count: number): void;
  /** Returns the log-odds of each of HEARD_TAGS in the whole recording; null for silence. Call once. */
  finish(): Promise<Float32Array<ArrayBuffer> | null>;
};

let networks: Promise<Network[]> | undefined;

/** Builds the ears for a mono stream. */
export function createEars(inputHz: number): Ears {
  const collector = createPassageCollector();
  const resampler = createResampler(inputHz, EARS_HZ, collector.push);
  return {
    push: resampler.push,
    async finish() {
      resampler.finish();
      const chosen = choosePassages(collector.finish(), PASSAGES);
      if (chosen.length === 0) return null;
      networks ??= openNetworks();
      const heard = new Float32Array(HEARD_DIMENSIONS);
      for (const [index, network] of (await networks).entries())
        for (const { passage, share } of chosen)
          for (const [tag, logOdds] of network(passage).entries())
            heard[index * TAGS_PER_NETWORK + tag] =
              (heard[index * TAGS_PER_NETWORK + tag] ?? 0) + share * logOdds;
      return heard;
    },
  };
}

/** Built once a thread: it takes a quarter of a second and twelve megabytes. */
async function openNetworks(): Promise<Network[]> {
  const { kernel, room } = createTileKernel(NETWORKS.length * NETWORK_FLOATS);
  return (await readWeights()).map((weights) => createNetwork(kernel, room, weights));
}
