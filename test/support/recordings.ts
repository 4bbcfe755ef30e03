import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where music begins for certain, after an introduction. */
const FROM_SEC = 20;

/**
 * Recordings that stand in for the synthesised songs of the console's tests: `SONGS=FOLDER bun test ./test/console`. They
 * need ffmpeg and must be longer than a minute.
 */
const paths = findRecordings(process.env.SONGS);

function findRecordings(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}`);
  const glob = new Bun.Glob("**/*.{flac,m4a,mp3,ogg,opus,wav}");
  return [...glob.scanSync({ cwd: folder })].sort().map((path) => join(folder, path));
}

/** Returns a part of a recording, mono, from -1 to 1; undefined when tests use synthesised songs. */
export function excerptOf(
  number: number,
  rateHz: number,
  seconds: number,
): Float32Array<ArrayBuffer> | undefined {
  const path = paths[number % paths.length];
  if (path === undefined) return undefined;
  const input = ["-ss", String(FROM_SEC), "-t", String(seconds), "-i", path];
  const output = ["-ac", "1", "-ar", String(rateHz), "-f", "f32le", "-"];
  const { stdout } = Bun.spawnSync(["ffmpeg", "-v", "error", ...input, ...output]);
  const samples = new Float32Array(Uint8Array.from(stdout).buffer);
  if (samples.length < rateHz * seconds * 0.99) throw new Error(`${path} is too short, or cannot be read`);
  return samples;
}
