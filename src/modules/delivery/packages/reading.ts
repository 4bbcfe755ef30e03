import { bytesOf, type FileSource } from "../../../kernel/file-source.ts";
import { copyBytes } from "../../../media/retag/copy.ts";
import type { Piece } from "../../../media/retag/retagged.ts";

/** What bytes add up to. */
type Read = { crc: number; sha256: string };

/** Reads bytes to their end. */
export async function readThrough(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Read> {
  const sum = createSum();
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    sum.add(chunk);
  }
  return sum.result();
}

/**
 * Reads an original to its end, and the copy that its pieces make. Usually the pieces are in the order of the original, which is
 * then read only once.
 */
export async function readThroughCopy(
  source: FileSource,
  pieces: readonly Piece[],
  { signal, block }: { signal: AbortSignal; block: Buffer },
): Promise<Read & { originalSha256: string }> {
  const original = new Bun.CryptoHasher("sha256");
  const inOrder = piecesInOrder(pieces);
  const copy = createSum();
  const feed = inOrder && feeder(inOrder, copy.add);
  for await (const chunk of bytesOf(source, undefined, block)) {
    signal.throwIfAborted();
    original.update(chunk);
    feed?.(chunk);
  }
  feed?.(new Uint8Array());
  const read = inOrder
    ? copy.result()
    : await readThrough(copyBytes(source, pieces, undefined, block), signal);
  return { ...read, originalSha256: original.digest("hex") };
}

function createSum(): { add: (chunk: Uint8Array) => void; result: () => Read } {
  const hash = new Bun.CryptoHasher("sha256");
  let crc = 0;
  return {
    add: (chunk) => {
      crc = Bun.hash.crc32(chunk, crc);
      hash.update(chunk);
    },
    result: () => ({ crc, sha256: hash.digest("hex") }),
  };
}

type Plain = Exclude<Piece, { pages: unknown }>;

/** Returns pieces that follow each other in the original; undefined when they do not, or change bytes on their way. */
function piecesInOrder(pieces: readonly Piece[]): readonly Plain[] | undefined {
  let at = 0;
  const plain: Plain[] = [];
  for (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) {
      if ("pages" in piece || piece.start < at) return undefined;
      at = piece.end;
    }
    plain.push(piece);
  }
  return plain;
}

/** Returns a function that takes an original chunk by chunk, an empty one last, and hands on the copy. */
function feeder(pieces: readonly Plain[], add: (chunk: Uint8Array) => void): (chunk: Uint8Array) => void {
  let [at, next] = [0, 0];
  /** Hands on what a chunk has of a piece. Returns false when the piece goes on behind it. */
  const isOver = (piece: Plain, chunk: Uint8Array): boolean => {
    if (piece instanceof Uint8Array) {
      add(piece);
      return true;
    }
    const [from, to] = [Math.max(piece.start, at) - at, Math.min(piece.end - at, chunk.length)];
    if (from < to) add(chunk.subarray(from, to));
    return piece.end <= at + chunk.length;
  };
  return (chunk) => {
    for (let piece = pieces[next]; piece && isOver(piece, chunk); piece = pieces[next]) next++;
    at += chunk.length;
  };
}
