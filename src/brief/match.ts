import type { Kind, Piece } from "./lexer.ts";
import type { Pattern } from "./pattern.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import type { Span } from "./text.ts";

/** A text cut into pieces, with the phrases found in it so far. Offsets count in the text. */
export type Reading = {
  text: string;
  pieces: readonly Piece[];
  /** The piece that begins at each offset, or the next piece. */
  indexAt: Int32Array;
  /** Where each text and each kind of piece occurs, to find the types that begin with it. */
  places: ReadonlyMap<string, readonly number[]>;
  kinds: ReadonlyMap<Kind, readonly number[]>;
  /** The ends of the phrases of a type, by their beginnings. */
  ends: Map<Phrases, Map<number, readonly number[]>>;
  /** The offsets at which phrases of a type end, with the earliest start of each. */
  stops: Map<string, ReadonlyMap<number, number>>;
  /** The phrases of a type, without overlaps. */
  spans: Map<string, readonly Span[]>;
};

/** A match of a pattern: its end, in pieces, and the text of its names. */
export type State = { at: number; caught: Caught | undefined };
type Caught = { name: string; from: number; to: number; others: Caught | undefined };

/** Returns the patterns that may fit at a piece. */
export function candidates(
  { pieces }: Reading,
  { byFirst, byKind, anyFirst }: Phrases,
  at: number,
): readonly Pattern[] {
  const piece = pieces[at];
  if (!piece) return anyFirst;
  const byText = byFirst.get(piece.text);
  const kind = byKind?.get(piece.kind);
  if (kind === undefined && anyFirst.length === 0) return byText ?? NO_PATTERNS;
  return [...(byText ?? NO_PATTERNS), ...(kind ?? NO_PATTERNS), ...anyFirst];
}

const NO_ENDS: readonly number[] = [];
const NO_PATTERNS: readonly Pattern[] = [];

/** Returns where the phrases of a type that begin at a piece end, the longest first. */
export function typeEnds(reading: Reading, phrases: Phrases, from: number): readonly number[] {
  if (candidates(reading, phrases, from).length === 0) return NO_ENDS;
  let ofType = reading.ends.get(phrases);
  if (!ofType) {
    ofType = new Map();
    reading.ends.set(phrases, ofType);
  }
  const known = ofType.get(from);
  if (known) return known;
  const ends: number[] = [];
  for (const pattern of candidates(reading, phrases, from))
    for (const { at } of advance(reading, pattern, { at: from, caught: undefined }))
      if (!ends.includes(at)) ends.push(at);
  if (ends.length > 1) ends.sort((a, b) => b - a);
  ofType.set(from, ends);
  return ends;
}

/** Returns every way in which a pattern continues from a place. */
export function advance(reading: Reading, pattern: Pattern, state: State): readonly State[] {
  switch (pattern.is) {
    case "type":
      return advanceType(reading, pattern, state);
    case "sequence":
      return advanceSequence(reading, pattern.parts, state);
    case "choice":
      return advanceChoice(reading, pattern.options, state);
    case "repeat":
      return advanceRepeat(reading, pattern.part, state);
    case "look":
      return advance(reading, pattern.part, state).length > 0 === pattern.negated ? NONE : [state];
    case "edge":
      return isEdge(reading, pattern, state.at) ? [state] : NONE;
    case "texts":
      return hasTexts(reading.pieces, pattern.texts, state.at)
        ? [{ at: state.at + pattern.texts.length, caught: state.caught }]
        : NONE;
    default:
      return advancePiece(reading.pieces[state.at], pattern, state);
  }
}

function hasTexts(pieces: readonly Piece[], texts: readonly string[], from: number): boolean {
  for (let index = 0; index < texts.length; index++)
    if (pieces[from + index]?.text !== texts[index]) return false;
  return true;
}

function advancePiece(
  piece: Piece | undefined,
  pattern: Pattern & { is: "shape" | "gap" },
  state: State,
): readonly State[] {
  const next = { at: state.at + 1, caught: state.caught };
  if (pattern.is === "shape") return piece && pattern.fits(piece) ? [next] : NONE;
  return piece?.kind === "blank" || piece?.kind === "line" ? [next, state] : [state];
}

const NONE: readonly State[] = [];

function advanceType(
  reading: Reading,
  { type, name }: Pattern & { is: "type" },
  state: State,
): readonly State[] {
  const ends = typeEnds(reading, phrasesOf(type), state.at);
  return ends.length === 0
    ? NONE
    : ends.map((at) => ({
        at,
        caught: name === undefined ? state.caught : { name, from: state.at, to: at, others: state.caught },
      }));
}

function advanceChoice(reading: Reading, options: readonly Pattern[], state: State): readonly State[] {
  let found: readonly State[] = NONE;
  for (const option of options) {
    const states = advance(reading, option, state);
    if (states.length > 0) found = found.length === 0 ? states : [...found, ...states];
  }
  return found;
}

function advanceSequence(reading: Reading, parts: readonly Pattern[], state: State): readonly State[] {
  let states: readonly State[] = [state];
  for (const part of parts) {
    const [only] = states;
    if (only === undefined) return NONE;
    states = states.length === 1 ? advance(reading, part, only) : advanceAll(reading, part, states);
  }
  return states;
}

/** Advances all states; if two reach the same place, the first one continues. */
function advanceAll(reading: Reading, part: Pattern, states: readonly State[]): readonly State[] {
  const found: State[] = [];
  for (const state of states)
    for (const next of advance(reading, part, state))
      if (!found.some(({ at }) => at === next.at)) found.push(next);
  return found;
}

function advanceRepeat(reading: Reading, part: Pattern, state: State): readonly State[] {
  const found = [state];
  const seen = new Set([state.at]);
  for (const one of found)
    for (const next of advance(reading, part, one)) {
      if (seen.has(next.at)) continue;
      seen.add(next.at);
      found.push(next);
    }
  return found.reverse();
}

function isEdge(reading: Reading, { side, signs, negated }: Pattern & { is: "edge" }, at: number): boolean {
  const offset = offsetOf(reading, at);
  const neighbour = reading.text[side === "before" ? offset : offset - 1];
  return isAmong(neighbour, signs) !== negated;
}

function isAmong(sign: string | undefined, signs: string): boolean {
  if (sign === undefined) return signs.includes("^");
  if (/\p{L}/u.test(sign)) return signs.includes("a");
  if (/\d/.test(sign)) return signs.includes("9");
  return /\s/.test(sign) ? signs.includes("_") : signs.includes(sign);
}

/** A phrase's first word must not follow a digit directly; the pattern of a number says itself what may precede it. */
export function isStart({ pieces }: Reading, at: number): boolean {
  return !(pieces[at]?.kind === "word" && pieces[at - 1]?.kind === "number");
}

/** A phrase's last word must not continue with a digit; a number may continue with letters: "124ish". */
export function isEnd({ pieces }: Reading, at: number): boolean {
  return !(pieces[at - 1]?.kind === "word" && pieces[at]?.kind === "number");
}

/** Returns the offset at which a piece begins. */
export function offsetOf({ pieces, text }: Reading, index: number): number {
  return pieces[index]?.start ?? text.length;
}
