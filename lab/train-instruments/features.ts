import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BANDS, FRAMES, NETWORKS, POOLED } from "../../src/ears/layout.ts";
import { createLevels, HOP_SAMPLES } from "../../src/ears/levels.ts";
import { createNetwork, NETWORK_FLOATS } from "../../src/ears/network.ts";
import { createTileKernel } from "../../src/ears/tile-kernel.ts";
import { readWeights } from "../../src/ears/weights.ts";
import { createRandom } from "../eval-audio/random.ts";
import { renderBank, STEM_HZ, type Stem } from "./banks.ts";
import { MIX_SAMPLES, type Mix, mixOf } from "./mixes.ts";
import type { Bank } from "./sources.ts";

/** Numbers that both networks pool from a passage. */
export const FEATURES = NETWORKS.length * POOLED;
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

/** Returns a function that hears a passage of MIX_SAMPLES samples at STEM_HZ. */
export async function createListener(): Promise<(samples: Float32Array) => Float32Array> {
  const listen = await createPassageListener();
  const writeLevels = createLevels();
  const levels = new Float32Array(FRAMES * BANDS);
  return (samples) => {
    for (let frame = 0; frame < FRAMES; frame++)
      writeLevels(samples, frame * HOP_SAMPLES, levels.subarray(frame * BANDS, (frame + 1) * BANDS));
    return listen(levels);
  };
}

/** Mixes and hears what is not yet in `into`: mixes.jsonl, and mixes.bin with PASSAGES_OF_MIX rows for each line. */
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
    await appendFile(
      features,
      new Uint8Array(Buffer.concat(passages.map((passage) => new Uint8Array(listen(passage).buffer)))),
    );
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
