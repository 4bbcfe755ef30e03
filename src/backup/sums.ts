import type { Db } from "../../db/client.ts";
import { listOriginals } from "../blobs/kept.ts";

/** A line of `SHA256SUMS`. */
export type Sum = { path: string; sha256: string };

const LINES_PER_PIECE = 512;

/** Returns a line in the format of `sha256sum`. */
export function formatSum({ path, sha256 }: Sum): string {
  return `${sha256}  ${path}\n`;
}

/** Reads a line without its newline. Returns undefined for any other text. */
export function parseSum(line: string): Sum | undefined {
  const [, sha256, path] = /^([0-9a-f]{64}) {2}([\x20-\x7e]+)$/.exec(line) ?? [];
  return sha256 !== undefined && path !== undefined ? { sha256, path } : undefined;
}

/** Yields the sums of a backup: the given ones, then those of all originals, which are their names. */
export function* allSums(given: readonly Sum[], db: Db): Generator<Sum> {
  yield* given;
  yield* listOriginals(db);
}

/** Returns the size of `SHA256SUMS` and its text in pieces. Reads the sums twice instead of keeping them in memory. */
export function sumsFile(sums: () => Iterable<Sum>): { sizeBytes: number; pieces: () => Generator<Buffer> } {
  let sizeBytes = 0;
  for (const sum of sums()) sizeBytes += formatSum(sum).length;
  const pieces = function* () {
    let lines: string[] = [];
    for (const sum of sums()) {
      lines.push(formatSum(sum));
      if (lines.length < LINES_PER_PIECE) continue;
      yield Buffer.from(lines.join(""));
      lines = [];
    }
    yield Buffer.from(lines.join(""));
  };
  return { sizeBytes, pieces };
}
