import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Instruments } from "../../src/ears/instruments.ts";
import { NETWORKS, POOLED } from "../../src/ears/layout.ts";
import { choosePassages, createPassageCollector } from "../../src/ears/passages.ts";
import { HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import {
  appendRows,
  createNetworkListener,
  createPassageListener,
  FEATURES,
  NETWORK_ROWS,
} from "../train-instruments/features.ts";
import { PASSAGES_OF_MIX } from "../train-instruments/mixes.ts";

/**
 * What the layer hears in each passage of a piece, what the network of instruments hears, and for each of
 * HEARD_NAMES 1, 0 or NaN where it is unknown.
 */
export type Heard = {
  passages: Float32Array[];
  byNetwork: Float32Array[];
  shares: readonly number[];
  labels: Float32Array;
};
/** A piece, with a row of features for each of its shares. */
export type Line = { has: readonly string[]; perhaps: readonly string[]; shares: readonly number[] };
/** Lines, and what the networks pool in each of their passages. */
const [LINES, POOLED_ROWS] = ["mixes.jsonl", "mixes.bin"];

/** Returns how many pieces a folder has, which is made if there is none. */
export async function piecesIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const lines = join(folder, LINES);
  return existsSync(lines) ? (await Bun.file(lines).text()).trim().split("\n").length : 0;
}

/** Returns a function that hears some samples at EARS_HZ, in at most so many passages as the ears choose them, and keeps that. */
export async function createKeeper(
  folder: string,
  most: number,
): Promise<(samples: Float32Array, labels: Omit<Line, "shares">) => Promise<void>> {
  const listen = await createPassageListener();
  const network = await createNetworkListener();
  return async (samples, labels) => {
    const collector = createPassageCollector();
    collector.push(samples, samples.length);
    const chosen = choosePassages(collector.passages(), most);
    const hear = (listener: typeof listen) => chosen.map(({ passage }) => listener(passage));
    await appendRows(join(folder, POOLED_ROWS), hear(listen));
    await appendRows(join(folder, NETWORK_ROWS), hear(network));
    const line: Line = { ...labels, shares: chosen.map(({ share }) => share) };
    await appendFile(join(folder, LINES), `${JSON.stringify(line)}\n`);
  };
}

/** Returns what the layer hears in the rows of a folder; mixes have as many passages as each other. */
export async function heardIn(folder: string, instruments: Instruments): Promise<Heard[]> {
  const text = await Bun.file(join(folder, LINES)).text();
  const features = await floatsIn(join(folder, POOLED_ROWS));
  const networkRows = await floatsIn(join(folder, NETWORK_ROWS));
  const names = HEARD_INSTRUMENTS.length;
  let row = 0;
  return text
    .trim()
    .split("\n")
    .map((json) => {
      const {
        has,
        perhaps,
        shares = Array(PASSAGES_OF_MIX).fill(1 / PASSAGES_OF_MIX),
      } = JSON.parse(json) as Partial<Line> & Omit<Line, "shares">;
      const byNetwork = shares.map((_, i) => networkRows.subarray((row + i) * names, (row + i + 1) * names));
      const passages = shares.map(() => {
        const pooled = features.subarray(row * FEATURES, ++row * FEATURES);
        return instruments(NETWORKS.map((_, i) => pooled.subarray(i * POOLED, (i + 1) * POOLED)));
      });
      const labels = Float32Array.from(HEARD_NAMES, (name) =>
        has.includes(name) ? 1 : perhaps.includes(name) ? Number.NaN : 0,
      );
      return { passages, byNetwork, shares, labels };
    })
    .filter(({ passages }) => passages.length > 0);
}

/** What was heard in a whole piece: the means over its passages, as the ears take them. */
export type Means = { layer: Float32Array; network: Float32Array };

/** Returns what was heard in a whole piece. */
export function meansOf({ passages, byNetwork, shares }: Heard): Means {
  const mean = (rows: readonly Float32Array[]) =>
    Float32Array.from(rows[0] ?? [], (_, j) =>
      rows.reduce((sum, row, i) => sum + (shares[i] ?? 0) * (row[j] as number), 0),
    );
  return { layer: mean(passages), network: mean(byNetwork) };
}

async function floatsIn(path: string): Promise<Float32Array> {
  return new Float32Array(existsSync(path) ? await Bun.file(path).arrayBuffer() : []);
}
