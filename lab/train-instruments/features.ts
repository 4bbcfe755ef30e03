import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInstrumentNetwork, INSTRUMENT_NETWORK_FLOATS } from "../../src/ears/instrument-network.ts";
import { BANDS, FRAMES, NETWORKS, POOLED } from "../../src/ears/layout.ts";
import { createLevels, HOP_SAMPLES } from "../../src/ears/levels.ts";
import { createNetwork, NETWORK_FLOATS } from "../../src/ears/network.ts";
import { createTileKernel } from "../../src/ears/tile-kernel.ts";
import { readInstrumentNetworkWeights, readWeights } from "../../src/ears/weights.ts";
import { createRandom } from "../eval-audio/random.ts";
import { renderBank, STEM_HZ, type Stem } from "./banks.ts";
import { MIX_SAMPLES, type Mix, mixOf } from "./mixes.ts";
import type { Bank } from "./sources.ts";

/** Numbers that both networks pool from a passage. */
export const FEATURES = NETWORKS.length * POOLED;
/** The file of what the network of instruments hears. */
export const NETWORK_ROWS = "network.bin";
/** Mixes that are coded together. */
const BATCH = 20;
const CODINGS = [
  [],
  ["-c:a", "libmp3lame", "-b:a", "64k", "-f", "mp3"],
  ["-c:a", "libmp3lame", "-b:a", "96k", "-f", "mp3"],
  ["-c:a", "libopus", "-b:a", "48k", "-f", "ogg"],
];

/** Returns a function that hears the levels of a passage. */
export async function createPassageListener(): Promise<(passage: Float32Array) => Float32Array> {
  const { kernel, room } = createTileKernel(NETWORKS.length * NETWORK_FLOATS);
  const networks = (await readWeights()).map((weights) => createNetwork(kernel, room, weights));
  return (passage) => {
    const features = new Float32Array(FEATURES);
    for (const [i, network] of networks.entries()) features.set(network(passage).pooled, i * POOLED);
    return features;
  };
}

/** What both networks pool from a passage, and what the network of instruments hears. */
export type HeardPassage = { pooled: Float32Array; inLevels: Float32Array };

/** Returns a function that hears a passage of MIX_SAMPLES samples at STEM_HZ. */
export async function createListener(): Promise<(samples: Float32Array) => HeardPassage> {
  const [listen, network] = [await createPassageListener(), await createNetworkListener()];
  const writeLevels = createLevels();
  const levels = new Float32Array(FRAMES * BANDS);
  return (samples) => {
    for (let frame = 0; frame < FRAMES; frame++)
      writeLevels(samples, frame * HOP_SAMPLES, levels.subarray(frame * BANDS, (frame + 1) * BANDS));
    return { pooled: listen(levels), inLevels: network(levels) };
  };
}

/** Returns a function that hears instruments in the levels of a passage. */
export async function createNetworkListener(): Promise<(passage: Float32Array) => Float32Array> {
  const { kernel, room } = createTileKernel(INSTRUMENT_NETWORK_FLOATS);
  return createInstrumentNetwork(kernel, room, await readInstrumentNetworkWeights());
}

/** Writes rows of numbers behind those of a file. */
export const appendRows = (path: string, rows: readonly Float32Array[]): Promise<void> =>
  appendFile(path, new Uint8Array(Buffer.concat(rows.map((row) => new Uint8Array(row.buffer)))));

/** Mixes and hears what is not yet in `into`: mixes.jsonl, and mixes.bin and NETWORK_ROWS with PASSAGES_OF_MIX rows for each line. */
export async function hearMixes(
  folder: string,
  banks: readonly Bank[],
  { count, isVaried = false, into = folder }: { count: number; isVaried?: boolean; into?: string },
): Promise<void> {
  await mkdir(into, { recursive: true });
  const [lines, features] = [join(into, "mixes.jsonl"), join(into, "mixes.bin")];
  const done = existsSync(lines) ? (await Bun.file(lines).text()).trim().split("\n").length : 0;
  if (done >= count) return;
  const stems = new Map<string, Stem[]>();
  for (const bank of banks)
    stems.set(bank.group, [...(stems.get(bank.group) ?? []), ...(await renderBank(folder, bank))]);
  const listen = await createListener();
  for (let from = done; from < count; from += BATCH) {
    const mixes = Array.from({ length: BATCH }, (_, i) => mixOf(from + i, stems, isVaried));
    const passages = await coded(
      mixes.flatMap((each) => each.passages),
      from,
    );
    const heard = passages.map((passage) => listen(passage));
    const rowsOf = (of: keyof HeardPassage) => heard.map((each) => each[of]);
    await appendRows(features, rowsOf("pooled"));
    await appendRows(join(into, NETWORK_ROWS), rowsOf("inLevels"));
    await appendFile(lines, mixes.map(({ mix }: { mix: Mix }) => `${JSON.stringify(mix)}\n`).join(""));
  }
}

/** Returns passages after an encoder and its decoder, or as they are. */
async function coded(passages: readonly Float32Array[], seed: number): Promise<Float32Array[]> {
  const coding = createRandom(seed).pick(CODINGS);
  if (coding.length === 0) return [...passages];
  const raw = new Uint8Array(Buffer.concat(passages.map((each) => new Uint8Array(each.buffer))));
  const format = ["-f", "f32le", "-ar", String(STEM_HZ), "-ac", "1"];
  const encoded = await piped([...format, "-i", "-", ...coding, "-"], raw);
  const decoded = await piped(["-i", "-", ...format, "-"], encoded);
  const all = new Float32Array(passages.length * MIX_SAMPLES);
  all.set(new Float32Array(decoded.buffer, 0, Math.min(all.length, Math.floor(decoded.length / 4))));
  return passages.map((_, i) => all.subarray(i * MIX_SAMPLES, (i + 1) * MIX_SAMPLES));
}

async function piped(
  args: readonly string[],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const child = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", ...args], {
    stdin: new Blob([bytes]),
    stdout: "pipe",
    stderr: "ignore",
  });
  return new Uint8Array(await new Response(child.stdout).arrayBuffer());
}
