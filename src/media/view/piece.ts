import { MediaError } from "../media-error.ts";

/** A range of a file: the first byte and the byte after the last. */
export type Range = { start: number; end: number };

/** A part of a decoder's input: a range of the file, or bytes that replace one. */
export type Piece = Range | Uint8Array;

/** Ordinary files have fewer parts. A file with more was made to cause load. */
const MAX_PIECES = 256;

/**
 * Joins ranges that touch and drops empty ones.
 *
 * @throws MediaError `corrupt` when no piece is left, or far too many.
 */
export function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece instanceof Uint8Array) joined.push(piece);
    else if (last && !(last instanceof Uint8Array) && last.end === piece.start)
      joined[joined.length - 1] = { start: last.start, end: piece.end };
    else if (piece.end > piece.start) joined.push(piece);
  }
  if (joined.length === 0 || joined.length > MAX_PIECES)
    throw new MediaError("corrupt", `${joined.length} pieces of audio`);
  return joined;
}

/** Returns bytes as text, one character per byte. */
export const latin1 = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
