import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Moves a flushed file to its final path and makes folders as needed. The new name survives a power cut. */
export function moveDurably(from: string, to: string): void {
  const dir = dirname(to);
  const firstMade = mkdirSync(dir, { recursive: true, mode: 0o700 });
  renameOrCopy(from, to);
  // A new name is safe once the folder that holds it is on the disk. This applies to the file and to new folders.
  const top = firstMade === undefined ? dir : dirname(firstMade);
  for (let each = dir; each.length >= top.length; each = dirname(each)) flush(each);
}

/**
 * Moves a file and makes folders as needed. Flushes nothing: after a power cut the file is at one of the two paths.
 */
export function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameOrCopy(from, to);
}

/** Writes a file whole or not at all: aside, flushed, then renamed. */
export function replaceFile(path: string, bytes: string | Uint8Array): void {
  const aside = `${path}.${process.pid}.part`;
  writeFileSync(aside, bytes, { mode: 0o600, flush: true });
  renameSync(aside, path);
  flush(dirname(path));
}

/** Renames a file. Between two disks, such as when `audio/` is a mount, it copies and then deletes. */
function renameOrCopy(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    copyAcross(from, to);
  }
}

function copyAcross(from: string, to: string): void {
  const aside = `${to}.${process.pid}.part`;
  try {
    copyFileSync(from, aside);
    flush(aside);
    renameSync(aside, to);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  flush(dirname(to));
  rmSync(from);
}

/** Flushes a file, or the entries of a folder. */
export function flush(path: string): void {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
