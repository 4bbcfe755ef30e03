import { type FileHandle, open } from "node:fs/promises";

const PIECE_BYTES = 1024 * 1024;

/** Reads files one after another, in pieces. */
export type PieceReader = {
  /**
   * Yields a file from beginning to end and reads one piece ahead. A piece stays valid until two more pieces are
   * requested, of this or another file.
   */
  pieces: (file: FileHandle) => AsyncGenerator<Uint8Array>;
};

/** Makes a reader with three buffers of 1 MiB: one is being read, one is in use, and one is still being written. */
export function createPieceReader(): PieceReader {
  const buffers = Array.from({ length: 3 }, () => Buffer.alloc(PIECE_BYTES));
  let turn = 0;
  const read = (file: FileHandle) =>
    file.read(buffers[turn++ % buffers.length] as Buffer, 0, PIECE_BYTES, null);
  return {
    async *pieces(file) {
      let next = read(file);
      try {
        while (true) {
          const { bytesRead, buffer } = await next;
          if (bytesRead === 0) return;
          next = read(file);
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await next.catch(() => undefined);
      }
    },
  };
}

/** Returns the SHA-256 of a file in lower-case hex. `onBytes` receives the number of bytes in each piece. */
export async function hashFile(
  path: string,
  { pieces }: PieceReader,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const file = await open(path, "r");
  try {
    for await (const piece of pieces(file)) {
      hash.update(piece);
      onBytes(piece.length);
    }
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
