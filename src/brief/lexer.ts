import type { Span } from "./text.ts";

/** What a piece is made of. A `blank` stays within a line; a `line` holds a line break. */
export type Kind = "word" | "number" | "blank" | "line" | "sign";

/**
 * The smallest piece of a brief: letters, digits, white space, or one sign. The text of any blank is " ". Japanese and
 * Chinese leave no blanks between words, so each of their characters is a piece.
 */
export type Piece = Span & { text: string; kind: Kind };

const PIECE = /\p{L}[\p{L}\p{M}]*|\d+|\s+|\|+|[\s\S]/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** A character of a script without blanks between words. */
const CHARACTER = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]`;
const OTHER_WORD = String.raw`(?:(?!${CHARACTER})[\p{L}\p{M}])+`;
const PIECE_OF_UNSPACED = new RegExp(String.raw`${CHARACTER}|${OTHER_WORD}|\d+|\s+|\|+|[\s\S]`, "gu");

/** Cuts a text into pieces that cover all of it. A run of read text ("|||") is one sign. */
export function lex(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const piece of text.match(UNSPACED.test(text) ? PIECE_OF_UNSPACED : PIECE) ?? []) {
    const end = start + piece.length;
    const kind = kindOf(piece);
    pieces.push({ start, end, kind, text: kind === "blank" ? " " : piece.startsWith("|") ? "|" : piece });
    start = end;
  }
  return pieces;
}

function kindOf(piece: string): Kind {
  const first = piece.charCodeAt(0);
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) return "word";
  if (first >= 0x30 && first <= 0x39) return "number";
  if (/^\s/.test(piece)) return piece.includes("\n") ? "line" : "blank";
  return first > 0x7f && /^\p{L}/u.test(piece) ? "word" : "sign";
}
