import { createMarker } from "../../src/audio/watermark/embed.ts";
import type { Sound } from "../../src/audio/watermark/levels.ts";
import type { Pattern } from "../../src/audio/watermark/pattern.ts";

/** A sound at any rate. */
export type Recording = Sound & { rateHz: number };

/** Decodes a file to two channels. */
export async function decode(
  path: string,
  rateHz: number,
  options: readonly string[] = [],
): Promise<Recording> {
  const output = ["-vn", "-f", "f32le", "-ac", "2", "-ar", String(rateHz), "-"];
  const both = new Float32Array((await ffmpeg([...options, "-i", path, ...output])).buffer);
  const [left, right] = [new Float32Array(both.length / 2), new Float32Array(both.length / 2)];
  for (let at = 0; at < left.length; at++) {
    left[at] = both[2 * at] as number;
    right[at] = both[2 * at + 1] as number;
  }
  return { left, right, rateHz };
}

/** Encodes two channels to a file. */
export async function encode(
  { left, right, rateHz }: Recording,
  path: string,
  options: readonly string[],
): Promise<void> {
  const both = new Float32Array(2 * left.length);
  for (let at = 0; at < left.length; at++) {
    both[2 * at] = left[at] as number;
    both[2 * at + 1] = right[at] as number;
  }
  const input = ["-f", "f32le", "-ac", "2", "-ar", String(rateHz), "-i", "-"];
  await ffmpeg([...input, ...options, path], new Uint8Array(both.buffer));
}

async function ffmpeg(args: readonly string[], stdin?: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const command = ["ffmpeg", "-v", "error", "-y", ...args];
  const child = Bun.spawn(command, { stdin: stdin ?? "ignore", stdout: "pipe", stderr: "inherit" });
  const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer());
  if ((await child.exited) !== 0) throw new Error(`ffmpeg failed: ${args.join(" ")}`);
  return bytes;
}

/** Returns the sample rate of a file, Hz. */
export async function rateOf(path: string): Promise<number> {
  const entries = ["-show_entries", "stream=sample_rate", "-of", "csv=p=0"];
  const text = await Bun.$`ffprobe -v error -select_streams a:0 ${entries} ${path}`.text();
  return Number.parseInt(text, 10);
}

/** Returns a marked copy. */
export function mark({ left, right, rateHz }: Recording, pattern: Pattern, code: Uint8Array): Recording {
  const copy = { left: new Float32Array(left.length), right: new Float32Array(left.length), rateHz };
  let at = 0;
  const options = { sampleRateHz: rateHz, channels: 2, pattern, code };
  const marker = createMarker(options, ([one, two], count) => {
    copy.left.set((one as Float32Array).subarray(0, count), at);
    copy.right.set((two as Float32Array).subarray(0, count), at);
    at += count;
  });
  marker.push([left, right], left.length);
  marker.finish();
  return copy;
}

/** Returns a part of a sound, or all of it where that is shorter. */
export function cut({ left, right, rateHz }: Recording, fromSec: number, seconds: number): Recording {
  const [from, to] = [Math.round(fromSec * rateHz), Math.round((fromSec + seconds) * rateHz)];
  return { left: left.slice(from, to), right: right.slice(from, to), rateHz };
}

/** Returns what comes out when two copies are mixed, at half the level each. */
export function mix(one: Recording, other: Recording): Recording {
  const half = (a: Float32Array, b: Float32Array) => a.map((sample, at) => (sample + (b[at] as number)) / 2);
  return { left: half(one.left, other.left), right: half(one.right, other.right), rateHz: one.rateHz };
}
