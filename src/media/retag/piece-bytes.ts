import type { Piece } from "./retagged.ts";

/** Returns the length of a piece. */
export const pieceBytes = (piece: Piece): number =>
  piece instanceof Uint8Array ? piece.length : piece.end - piece.start;

/** Returns the length of pieces together. */
export const piecesBytes = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);

/** Bytes up to this length are joined with their neighbours. A cover is not: it is the same bytes in many copies. */
const SMALL_BYTES = 64 * 1024;

/** Joins small bytes that follow each other, and drops what is empty. */
export function joinSmall(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let small: Uint8Array[] = [];
  const flush = () => {
    if (small.length > 0) joined.push(Buffer.concat(small));
    small = [];
  };
  for (const piece of pieces) {
    if (pieceBytes(piece) === 0) continue;
    if (piece instanceof Uint8Array && piece.length <= SMALL_BYTES) {
      small.push(piece);
      continue;
    }
    flush();
    joined.push(piece);
  }
  flush();
  return joined;
}
