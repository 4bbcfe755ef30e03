import { createResampler } from "../audio/dsp/resample.ts";
import { createInstrumentNetwork, INSTRUMENT_NETWORK_FLOATS } from "./instrument-network.ts";
import { createInstruments } from "./instruments.ts";
import { NETWORKS } from "./layout.ts";
import { EARS_HZ } from "./levels.ts";
import { createNetwork, NETWORK_FLOATS } from "./network.ts";
import {
  type ChosenPassage,
  choosePassages,
  createPassageCollector,
  PASSAGE_SAMPLES,
  type Passage,
} from "./passages.ts";
import { HEARD_NUMBERS } from "./tags.ts";
import { createTileKernel } from "./tile-kernel.ts";
import { readInstrumentNetworkWeights, readInstrumentWeights, readWeights } from "./weights.ts";

/** Shorter recordings are sounds, stings and loops. */
export const LEAST_SECONDS = 12;
/** Passages of 3 seconds that are listened to. Each takes both networks about a twentieth of a second. */
const PASSAGES = 6;

/** Listens to one recording as it streams by. */
export type Ears = {
  push(mono: Float32Array, count: number): void;
  /**
   * Returns the log-odds of each of HEARD_TAGS and HEARD_NAMES in the whole recording; null for silence and short
   * sounds. Call once.
   */
  finish(): Promise<Float32Array<ArrayBuffer> | null>;
};

let listener: Promise<Listener> | undefined;

/** Returns what listens to passages, one for each thread. */
export function getListener(): Promise<Listener> {
  listener ??= openListener();
  return listener;
}

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
      return meanOf(await getListener(), chosen);
    },
  };
}

/** Returns the HEARD_NUMBERS log-odds of a passage. */
export type Listener = (passage: Passage) => Float32Array;

function meanOf(listen: Listener, chosen: readonly ChosenPassage[]): Float32Array<ArrayBuffer> {
  const mean = new Float32Array(HEARD_NUMBERS);
  for (const { passage, share } of chosen)
    for (const [i, logOdds] of listen(passage).entries()) mean[i] = (mean[i] as number) + share * logOdds;
  return mean;
}

/** Built once a thread: it takes a quarter of a second and fifteen megabytes. */
async function openListener(): Promise<Listener> {
  const { kernel, room } = createTileKernel(NETWORKS.length * NETWORK_FLOATS + INSTRUMENT_NETWORK_FLOATS);
  const networks = (await readWeights()).map((weights) => createNetwork(kernel, room, weights));
  const inLevels = createInstrumentNetwork(kernel, room, await readInstrumentNetworkWeights());
  const instruments = createInstruments(await readInstrumentWeights());
  return (passage) => {
    const heard = networks.map((network) => network(passage));
    const pooled = heard.map((each) => each.pooled);
    const own = instruments(pooled, inLevels(passage));
    return Float32Array.from([...heard.flatMap(({ tags }) => [...tags]), ...own]);
  };
}
