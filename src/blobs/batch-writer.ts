import type { FileHandle } from "node:fs/promises";
import { createFlusher } from "./staging.ts";

/**
 * A request's body comes in pieces of some 60 KB. One write each would take longer than the writing itself, because every
 * write visits another thread.
 */
const BATCH_BYTES = 1024 * 1024;

/** Writes pieces to a file, many at once. */
export type BatchWriter = {
  /** Takes a piece, which must not change from now on. Its memory is given back once it is written. */
  write(piece: Uint8Array): Promise<void>;
  /** Writes what is left. */
  end(): Promise<void>;
};

/** Returns a writer that begins at a position. One batch is being written while the next is gathered. */
export function createBatchWriter(file: FileHandle, from: number): BatchWriter {
  const flusher = createFlusher(file);
  let position = from;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let writing: Promise<void> = Promise.resolve();

  const writeGathered = () => {
    writing = writeBatch(file, gathered, position);
    writing.catch(() => undefined); // reported where it is awaited; until then it must not crash the process
    flusher.wrote(gatheredBytes);
    position += gatheredBytes;
    gathered = [];
    gatheredBytes = 0;
  };
  return {
    async write(piece) {
      gathered.push(piece);
      gatheredBytes += piece.length;
      if (gatheredBytes < BATCH_BYTES) return;
      await writing;
      writeGathered();
    },
    async end() {
      try {
        await writing;
        if (gatheredBytes > 0) writeGathered();
        await writing;
      } finally {
        await flusher.settled();
      }
    },
  };
}

/** Writes all of the pieces: a nearly full disk takes only a part at first. */
async function writeBatch(file: FileHandle, pieces: readonly Uint8Array[], position: number): Promise<void> {
  let left: readonly Uint8Array[] = pieces;
  let at = position;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    left = after(left, bytesWritten);
  }
  for (const piece of pieces) free(piece);
}

/** Gives a piece's memory back now; the garbage collector would let it pile up. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Returns what is left of pieces after their first bytes. */
function after(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = bytes;
  return pieces.flatMap((piece) => {
    const taken = Math.min(skipped, piece.length);
    skipped -= taken;
    return taken < piece.length ? [piece.subarray(taken)] : [];
  });
}
