import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const WINDOW_BYTES = 256 * 1024;

/**
 * A file, read forwards through one window. Synchronous on purpose: it runs in a child process that does nothing
 * else, and a decoder's inner loop must not wait for a promise per byte.
 */
export type ByteReader = {
  readonly fd: number;
  readonly sizeBytes: number;
  readonly window: Uint8Array;
  /** File offset of the window's first byte. */
  windowStart: number;
  /** The number of bytes in the window that hold data, and how many of them were taken. */
  filled: number;
  taken: number;
};

/** Opens `path`. @throws The system's error when it cannot be opened. */
export function openByteReader(path: string): ByteReader {
  const fd = openSync(path, "r");
  const sizeBytes = fstatSync(fd).size;
  return { fd, sizeBytes, window: new Uint8Array(WINDOW_BYTES), windowStart: 0, filled: 0, taken: 0 };
}

/** Releases the file. */
export function closeByteReader(reader: ByteReader): void {
  closeSync(reader.fd);
}

/** Returns the file offset of the next byte. */
export function tell(reader: ByteReader): number {
  return reader.windowStart + reader.taken;
}

/** Moves to a file offset, forwards or backwards. An offset past the end is allowed and reads nothing. */
export function seek(reader: ByteReader, offset: number): void {
  const inWindow = offset - reader.windowStart;
  if (inWindow >= 0 && inWindow <= reader.filled) {
    reader.taken = inWindow;
    return;
  }
  reader.windowStart = offset;
  reader.filled = 0;
  reader.taken = 0;
}

/**
 * Returns the next `count` bytes without taking them; fewer at the end of the file. The view is valid until the
 * next call. `count` is at most 128 KB.
 */
export function peek(reader: ByteReader, count: number): Uint8Array {
  if (reader.filled - reader.taken < count) refill(reader);
  return reader.window.subarray(reader.taken, Math.min(reader.taken + count, reader.filled));
}

/** Takes the next `count` bytes, as {@link peek} returns them. */
export function take(reader: ByteReader, count: number): Uint8Array {
  const bytes = peek(reader, count);
  reader.taken += bytes.length;
  return bytes;
}

function refill(reader: ByteReader): void {
  reader.window.copyWithin(0, reader.taken, reader.filled);
  reader.windowStart += reader.taken;
  reader.filled -= reader.taken;
  reader.taken = 0;
  while (reader.filled < reader.window.length) {
    const room = reader.window.length - reader.filled;
    const got = readSync(reader.fd, reader.window, reader.filled, room, reader.windowStart + reader.filled);
    if (got === 0) return;
    reader.filled += got;
  }
}
