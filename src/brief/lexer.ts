import type { Span } from "./text.ts";

/** What a token is made of. `blank` stays in its line, `line` holds a line break. */
export type Kind = "word" | "number" | "blank" | "line" | "sign";

/** The smallest piece of a brief: letters, digits, white space, or one sign. */
export type Piece = Span & { text: string; kind: Kind };

const PIECE = /(?<word>\p{L}[\p{L}\p{M}]*)|(?<number>\d+)|(?<space>\s+)|\|+|[\s\S]/gu;

/** Cuts a text into pieces without leaving anything out. A run of what has been read ("|||") is one sign. */
export function lex(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(PIECE)) {
    const start = match.index;
    const whole = match[0];
    const kind = kindOf(match.groups ?? {}, whole);
    pieces.push({ start, end: start + whole.length, kind, text: whole.startsWith("|") ? "|" : whole });
  }
  return pieces;
}

function kindOf(groups: Record<string, string | undefined>, whole: string): Kind {
  if (groups.word !== undefined) return "word";
  if (groups.number !== undefined) return "number";
  if (groups.space === undefined) return "sign";
  return whole.includes("\n") ? "line" : "blank";
}
