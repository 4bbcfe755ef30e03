import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Renames a flushed file to where it stays, folders made as needed. The new name outlives a power cut. */
export function moveDurably(from: string, to: string): void {
  const dir = dirname(to);
  const firstMade = mkdirSync(dir, { recursive: true, mode: 0o700 });
  renameSync(from, to);
  // A new name is safe once the folder that holds it is on the disk: the file's, and new folders'.
  const top = firstMade === undefined ? dir : dirname(firstMade);
  for (let each = dir; each.length >= top.length; each = dirname(each)) flushDir(each);
}

function flushDir(path: string): void {
  // There, folders cannot be opened.
  if (process.platform === "win32") return;
  const dir = openSync(path, "r");
  try {
    fsyncSync(dir);
  } finally {
    closeSync(dir);
  }
}
