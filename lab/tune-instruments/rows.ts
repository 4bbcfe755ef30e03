import { join } from "node:path";
import type { Instruments } from "../../src/ears/instruments.ts";
import { NETWORKS, POOLED } from "../../src/ears/layout.ts";
import { HEARD_NAMES } from "../../src/ears/tags.ts";
import { FEATURES } from "../train-instruments/features.ts";
import { PASSAGES_OF_MIX } from "../train-instruments/mixes.ts";

/** What the layer hears in each passage of a piece, and for each of HEARD_NAMES 1, 0 or NaN where it is unknown. */
export type Heard = { passages: Float32Array[]; shares: readonly number[]; labels: Float32Array };
type Line = { has: readonly string[]; perhaps: readonly string[]; shares?: readonly number[] };

/** Returns what the layer hears in the rows of a folder; mixes have as many passages as each other. */
export async function heardIn(folder: string, instruments: Instruments): Promise<Heard[]> {
  const text = await Bun.file(join(folder, "mixes.jsonl")).text();
  const features = new Float32Array(await Bun.file(join(folder, "mixes.bin")).arrayBuffer());
  let row = 0;
  return text
    .trim()
    .split("\n")
    .map((json) => {
      const {
        has,
        perhaps,
        shares = Array(PASSAGES_OF_MIX).fill(1 / PASSAGES_OF_MIX),
      } = JSON.parse(json) as Line;
      const passages = shares.map(() => {
        const pooled = features.subarray(row * FEATURES, ++row * FEATURES);
        return instruments(NETWORKS.map((_, i) => pooled.subarray(i * POOLED, (i + 1) * POOLED)));
      });
      const labels = Float32Array.from(HEARD_NAMES, (name) =>
        has.includes(name) ? 1 : perhaps.includes(name) ? Number.NaN : 0,
      );
      return { passages, shares, labels };
    })
    .filter(({ passages }) => passages.length > 0);
}

/** Returns the mean over the passages, as the ears take it. */
export function meanOf({ passages, shares }: Heard): Float32Array {
  return Float32Array.from(HEARD_NAMES, (_, j) =>
    passages.reduce((sum, passage, i) => sum + (shares[i] ?? 0) * (passage[j] as number), 0),
  );
}
