import { MediaError } from "../media-error.ts";

/** A range of a file: the first byte and the one after the last. */
export type Range = { start: number; end: number };

/** A part of what a decoder is given to read: a range of the file, or bytes in the place of one. */
export type Piece = Range | Uint8Array;

/** A file has fewer parts that matter; one that is torn into more is made to be a burden. */
const MAX_PIECES = 256;

/**
 * Joins ranges that touch and drops empty ones.
 *
 * @throws MediaError `corrupt` when there is nothing left, or far too much.
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

/** Returns bytes as text of one character each. */
export const latin1 = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
