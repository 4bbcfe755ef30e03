import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The rate of decoded tones, Hz. */
export const TONE_HZ = 32_000;
/** Files that one process reads. */
const BATCH = 100;

/** Decodes files of recorded tones; none of a batch in which one is broken. */
export async function decodeFiles(paths: readonly string[]): Promise<Float32Array[]> {
  const all: Float32Array[] = [];
  for (let from = 0; from < paths.length; from += BATCH)
    all.push(...(await decodeBatch(paths.slice(from, from + BATCH))));
  return all;
}

async function decodeBatch(paths: readonly string[]): Promise<Float32Array[]> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-tones-"));
  try {
    const raw = paths.map((_, i) => join(folder, `${i}.raw`));
    const inputs = paths.flatMap((path) => ["-i", path]);
    const outputs = raw.flatMap((path, i) => [
      "-map",
      `${i}:a`,
      "-ac",
      "1",
      "-ar",
      String(TONE_HZ),
      "-f",
      "f32le",
      path,
    ]);
    const done = await Bun.$`ffmpeg -nostdin -v error -threads 1 ${inputs} ${outputs}`.quiet().nothrow();
    if (done.exitCode !== 0) return paths.map(() => new Float32Array(0));
    return await Promise.all(raw.map(async (path) => new Float32Array(await Bun.file(path).arrayBuffer())));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Cuts off the silence before a recorded tone. */
export function trimmed(samples: Float32Array): Float32Array {
  const most = samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  const start = samples.findIndex((value) => Math.abs(value) > 0.03 * most);
  return samples.subarray(Math.max(0, start - 160));
}
