import type { FileHandle } from "node:fs/promises";

/** Enough of a file's beginning to recognise its format: an MP3 may have 128 KB in front of its first frames. */
export const HEAD_BYTES = 160 * 1024;

/** Returns the first {@link HEAD_BYTES} of a file, or all of a shorter one. */
export async function readHead(path: string): Promise<Uint8Array> {
  return Bun.file(path).slice(0, HEAD_BYTES).bytes();
}

/**
 * Writes all of `bytes`, at `position` or where the last write ended: a nearly full disk takes only a part at first.
 */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position?: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written;
    written += (await file.write(bytes, written, bytes.length - written, at)).bytesWritten;
  }
}
