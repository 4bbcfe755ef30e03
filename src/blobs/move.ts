import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Moves a flushed file to its final path and makes folders as needed. The new name survives a power cut. */
export function moveDurably(from: string, to: string): void {
  const dir = dirname(to);
  const firstMade = mkdirSync(dir, { recursive: true, mode: 0o700 });
  renameSync(from, to);
  // A new name is safe once the folder that holds it is on the disk. This applies to the file and to new folders.
  const top = firstMade === undefined ? dir : dirname(firstMade);
  for (let each = dir; each.length >= top.length; each = dirname(each)) flushDir(each);
}

function flushDir(path: string): void {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const dir = openSync(path, "r");
  try {
    fsyncSync(dir);
  } finally {
    closeSync(dir);
  }
}
