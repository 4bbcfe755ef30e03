import { bodyOf } from "../../kernel/byte-stream.ts";
import { type ByteRange, bytesOf, type FileSource, type RemoteFile } from "../../kernel/file-source.ts";
import { renumbered } from "./ogg-pages.ts";
import { pieceBytes } from "./piece-bytes.ts";
import type { Piece } from "./retagged.ts";

/**
 * Returns a copy with tags as a file that can be read as often as needed, wherever its original is. Nothing of it is on disk.
 *
 * @param pieces As `retag` returns them for this original.
 */
export function copyOf(source: FileSource, pieces: readonly Piece[]): RemoteFile {
  return {
    open: async (range) => bodyOf(copyBytes(source, pieces, range)),
    isThere: async () => (typeof source === "string" ? Bun.file(source).exists() : source.isThere()),
    link: () => undefined,
  };
}

/** Yields the bytes of a copy, or of a part of it. @throws As `RemoteFile.open` does, and when the original became shorter. */
export async function* copyBytes(
  source: FileSource,
  pieces: readonly Piece[],
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
  block?: Buffer,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const piece of pieces) {
    const from = Math.max(0, start - at);
    const length = pieceBytes(piece);
    const to = Math.min(length, end - at);
    at += length;
    if (from < to) yield* partOf(source, piece, { start: from, end: to }, block);
  }
}

/** Yields a part of a piece. Positions in `part` count from the beginning of the piece. */
async function* partOf(
  source: FileSource,
  piece: Piece,
  part: ByteRange,
  block?: Buffer,
): AsyncGenerator<Uint8Array> {
  if (piece instanceof Uint8Array) {
    yield piece.subarray(part.start, part.end);
    return;
  }
  if ("pages" in piece) {
    yield* cut(renumbered(bytesOf(source, { start: piece.start, end: piece.end }, block), piece.pages), part);
    return;
  }
  let left = part.end - part.start;
  const range = { start: piece.start + part.start, end: piece.start + part.end };
  for await (const bytes of bytesOf(source, range, block)) {
    left -= bytes.length;
    yield bytes;
  }
  if (left !== 0) throw new Error("The original became shorter while it was read");
}

/** Yields a part of what comes. */
async function* cut(all: AsyncIterable<Uint8Array>, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const bytes of all) {
    const [from, to] = [Math.max(0, start - at), Math.min(bytes.length, end - at)];
    at += bytes.length;
    if (from < to) yield bytes.subarray(from, to);
    if (at >= end) return;
  }
}
