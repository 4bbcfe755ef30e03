import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type DecodeRequest, type DecodeSummary, openDecoder } from "../../src/media/decoder.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { type AudioFormat, sniffFile } from "../../src/media/formats/sniff.ts";
import { PROGRAM } from "../support/program-command.ts";

/** The machine's ffmpeg. Tests that need it are skipped without it. */
export const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH);
if (!FFMPEG) console.warn("No ffmpeg on this machine: the tests that need it are left out.");

/** The ways to decode that this machine has. */
export const DECODERS: [name: string, ffmpegPath: string | undefined][] = [
  ["the built-in decoders", undefined],
  ...(FFMPEG ? [["ffmpeg", FFMPEG.path] as [string, string]] : []),
];

/** The command that starts our program. */
export const SELF = [...PROGRAM];

/** Path of a committed sound. */
export const fixture = (name: string): string => resolve(import.meta.dir, "../fixtures", name);

/** Makes a folder for this run's files, with a function that removes it. */
export function makeFolder(): { path: string; remove: () => void; file: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), "dubplate-test-media-"));
  return { path, remove: () => rmSync(path, { recursive: true }), file: (name) => join(path, name) };
}

/** Returns a request for `path` like the analysis's. @throws Error when the file is not recognised as audio. */
export async function requestFor(
  path: string,
  ffmpegPath: string | undefined,
  more: Partial<DecodeRequest> = {},
): Promise<DecodeRequest> {
  const format = more.format ?? (await sniffFile(path));
  if (!format) throw new Error(`${path} is not taken for audio`);
  return { path, format, ffmpegPath, selfCommand: SELF, signal: new AbortController().signal, ...more };
}

export type Decoded = DecodeSummary & { sampleRateHz: number; channels: number; samples: Float32Array };

/** Decodes a whole file. */
export async function decodeAll(request: DecodeRequest): Promise<Decoded> {
  const stream = await openDecoder(request);
  const blocks: Float32Array[] = [];
  for await (const block of stream.frames) blocks.push(block.slice());
  const samples = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return { ...stream.done(), sampleRateHz: stream.sampleRateHz, channels: stream.channels, samples };
}

/** Runs ffmpeg to make a file. @throws Error with its output when it fails. */
export function makeWithFfmpeg(args: string[]): void {
  if (!FFMPEG) throw new Error("no ffmpeg");
  const run = Bun.spawnSync([FFMPEG.path, "-v", "error", "-y", "-nostdin", ...args]);
  if (!run.success) throw new Error(run.stderr.toString());
}

/** Formats to force on a file, whatever its bytes are. */
export const FORCED: Record<"wav" | "mp3" | "flac" | "mp4" | "vorbis", AudioFormat> = {
  wav: { container: "wav", mediaType: "audio/wav", extension: "wav" },
  mp3: { container: "mp3", codec: "mp3", mediaType: "audio/mpeg", extension: "mp3" },
  flac: { container: "flac", codec: "flac", mediaType: "audio/flac", extension: "flac" },
  mp4: { container: "mp4", mediaType: "audio/mp4", extension: "m4a" },
  vorbis: { container: "ogg", codec: "vorbis", mediaType: "audio/ogg", extension: "ogg" },
};

/** Returns the Pearson correlation of two signals over their common length: 1 for the same shape. */
export function correlation(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const [x = 0, y = 0] = [a[i], b[i]];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

/** Returns the largest difference of two signals over their common length. */
export function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    largest = Math.max(largest, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  }
  return largest;
}
