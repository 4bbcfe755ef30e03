import { existsSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { choosePassages, createPassageCollector } from "../../src/ears/passages.ts";
import { labelledMusic } from "../train-tagger/heard-pieces.ts";
import { STEM_HZ } from "./banks.ts";
import { createPassageListener } from "./features.ts";

/** A recording, and what is known of it; it has a row of features for each of its `shares`. */
export type Recording = { file: string; source: string; has: string[]; perhaps: string[]; shares: number[] };

const PASSAGES = 6;
/** Scores, which are played by a soundfont that shares samples with the one that judges. */
const SCORES = ["openttd-openmsx", "planetblupi-music-midi"];

/** Hears what is not yet in the folder: real.jsonl and real.bin. */
export async function hearReal(folder: string): Promise<void> {
  const listen = await createPassageListener();
  const lines = join(folder, "real.jsonl");
  const known = existsSync(lines) ? await Bun.file(lines).text() : "";
  for (const { file, ...labels } of await labelledMusic(join(folder, "train"))) {
    if (SCORES.includes(labels.source) || known.includes(JSON.stringify(file))) continue;
    const collector = createPassageCollector();
    const samples = await decoded(file);
    collector.push(samples, samples.length);
    const chosen = choosePassages(collector.passages(), PASSAGES);
    const features = chosen.map(({ passage }) => new Uint8Array(listen(passage).buffer));
    await appendFile(join(folder, "real.bin"), new Uint8Array(Buffer.concat(features)));
    const shares = chosen.map(({ share }) => share);
    await appendFile(lines, `${JSON.stringify({ file, ...labels, shares } satisfies Recording)}\n`);
  }
}

async function decoded(file: string): Promise<Float32Array> {
  const format = ["-ac", "1", "-ar", String(STEM_HZ), "-f", "f32le", "-"];
  const child = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", "-i", file, "-t", "120", ...format], {
    stdout: "pipe",
  });
  const bytes = await new Response(child.stdout).arrayBuffer();
  return new Float32Array(bytes, 0, Math.floor(bytes.byteLength / 4));
}
