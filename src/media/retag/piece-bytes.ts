import type { Piece } from "./retagged.ts";

/** Returns the length of a piece. */
export const pieceBytes = (piece: Piece): number =>
  piece instanceof Uint8Array ? piece.length : piece.end - piece.start;

/** Returns the length of pieces together. */
export const piecesBytes = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
