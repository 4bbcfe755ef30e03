import { type Kind, lex, type Piece } from "./lexer.ts";
import type { Pattern } from "./pattern.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import { markedText, READ, type Span } from "./text.ts";

/** A text cut into pieces, with what has been found in it. Offsets are the text's. */
export type Reading = {
  text: string;
  pieces: readonly Piece[];
  /** Piece that begins at an offset, or the next one. */
  indexAt: Int32Array;
  /** Where each text stands, and each kind of piece, for the types that begin with it. */
  places: ReadonlyMap<string, readonly number[]>;
  kinds: ReadonlyMap<Kind, readonly number[]>;
  /** Ends of the phrases of a type by where they begin. */
  ends: Map<Phrases, Map<number, readonly number[]>>;
  /** Offsets at which a phrase of a type ends. */
  stops: Map<string, ReadonlySet<number>>;
  /** Phrases of a type, none overlapping. */
  spans: Map<string, readonly Span[]>;
};

/** A match of a pattern: where it ends, in pieces, and what its names stand for. */
type State = { at: number; caught: Caught | undefined };
type Caught = { name: string; from: number; to: number; others: Caught | undefined };

/** A match of a rule, with the texts that its pattern's names stand for. */
export type Match = Span & {
  text: string;
  named: Readonly<Record<string, string | undefined>>;
  /** Where those texts stand. */
  places: Readonly<Record<string, Span | undefined>>;
};

/** Prepares a text for {@link spansOf} and the like. Work is done once a type, when it is first asked for. */
export function readingOf(text: string): Reading {
  return prepared(text, lex(text));
}

/** Returns the text with spans marked as read. Offsets stay as they are. */
export function markRead(reading: Reading, spans: readonly Span[]): Reading {
  if (spans.length === 0) return reading;
  const text = markedText(reading.text, spans);
  const isCut = spans.some(({ start, end }) => isWithinPiece(reading, start) || isWithinPiece(reading, end));
  if (isCut) return prepared(text, lex(text));
  const pieces = [...reading.pieces];
  const marks = [...(reading.places.get(READ) ?? [])];
  for (const { start, end } of spans)
    for (let at = reading.indexAt[start] ?? 0; (pieces[at]?.start ?? end) < end; at++) {
      const piece = pieces[at];
      if (piece) pieces[at] = { start: piece.start, end: piece.end, kind: "sign", text: READ };
      marks.push(at);
    }
  const places = new Map(reading.places).set(READ, marks);
  // The other places stay: no phrase begins at a piece that has become a mark.
  return { ...reading, text, pieces, places, ends: new Map(), stops: new Map(), spans: new Map() };
}

function isWithinPiece({ pieces, indexAt }: Reading, offset: number): boolean {
  const index = indexAt[offset] ?? pieces.length;
  return offset < (pieces[index]?.start ?? offset);
}

function prepared(text: string, pieces: readonly Piece[]): Reading {
  const indexAt = new Int32Array(text.length + 1).fill(pieces.length);
  const places = new Map<string, number[]>();
  const kinds = new Map<Kind, number[]>();
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index];
    if (!piece) continue;
    indexAt[piece.start] = index;
    for (let at = piece.start + 1; at < piece.end; at++) indexAt[at] = index + 1;
    addTo(places, piece.text, index);
    addTo(kinds, piece.kind, index);
  }
  return { text, pieces, indexAt, places, kinds, ends: new Map(), stops: new Map(), spans: new Map() };
}

function addTo<Key>(map: Map<Key, number[]>, key: Key, index: number): void {
  const known = map.get(key);
  if (known) known.push(index);
  else map.set(key, [index]);
}

/** Returns the phrases of a type, the first and longest first; none stands within a word or number. */
export function spansOf(reading: Reading, type: string): readonly Span[] {
  const known = reading.spans.get(type);
  if (known) return known;
  const spans = runsOf(reading, phrasesOf(type)).map(([from, { at }]) => ({
    start: offsetOf(reading, from),
    end: offsetOf(reading, at),
  }));
  reading.spans.set(type, spans);
  return spans;
}

/** Returns where a phrase of the type that begins at an offset ends, the longest; undefined when there is none. */
export function endOf(reading: Reading, type: string, offset: number): number | undefined {
  const from = reading.indexAt[offset] ?? reading.pieces.length;
  const ends = typeEnds(reading, phrasesOf(type), from);
  let last = -1;
  for (const end of ends) if (end > last && isEnd(reading, end)) last = end;
  return last === -1 ? undefined : offsetOf(reading, last);
}

/** True when a phrase of the type begins at the offset. */
export function begins(reading: Reading, type: string, offset: number): boolean {
  return endOf(reading, type, offset) !== undefined;
}

/** Returns where the next phrase of the type begins, from an offset on; the end of the text when there is none. */
export function nextOf(reading: Reading, type: string, offset: number): number {
  const phrases = phrasesOf(type);
  for (let at = reading.indexAt[offset] ?? reading.pieces.length; at < reading.pieces.length; at++) {
    if (candidates(reading, phrases, at).length === 0 || !isStart(reading, at)) continue;
    if (typeEnds(reading, phrases, at).some((end) => isEnd(reading, end))) return offsetOf(reading, at);
  }
  return reading.text.length;
}

/** True when a phrase of the type ends right at the offset. */
export function endsAt(reading: Reading, type: string, offset: number): boolean {
  let stops = reading.stops.get(type);
  if (!stops) {
    const phrases = phrasesOf(type);
    const found = new Set<number>();
    for (const from of startsOf(reading, phrases))
      if (isStart(reading, from))
        for (const end of typeEnds(reading, phrases, from)) found.add(offsetOf(reading, end));
    stops = found;
    reading.stops.set(type, stops);
  }
  return stops.has(offset);
}

/** Returns the matches of compiled patterns with what their names stand for, none overlapping, in order. */
export function matchesOf(reading: Reading, phrases: Phrases): Match[] {
  return runsOf(reading, phrases).map(([from, state]) => matchOf(reading, from, state));
}

/** Matches by where they begin, in pieces. */
function runsOf(reading: Reading, phrases: Phrases): [from: number, state: State][] {
  const runs: [number, State][] = [];
  let done = 0;
  for (const from of startsOf(reading, phrases)) {
    if (from < done || !isStart(reading, from)) continue;
    const best = longest(reading, phrases, from);
    if (!best) continue;
    runs.push([from, best]);
    done = best.at;
  }
  return runs;
}

/** Returns the longest match that begins at a piece. */
export function matchFrom(reading: Reading, phrases: Phrases, from: number): Match | undefined {
  const best = longest(reading, phrases, from);
  return best && matchOf(reading, from, best);
}

function longest(reading: Reading, phrases: Phrases, from: number): State | undefined {
  let best: State | undefined;
  for (const pattern of candidates(reading, phrases, from))
    for (const state of advance(reading, pattern, { at: from, caught: undefined }))
      if (state.at > (best?.at ?? from) && isEnd(reading, state.at)) best = state;
  return best;
}

function matchOf(reading: Reading, from: number, { at, caught }: State): Match {
  const [start, end] = [offsetOf(reading, from), offsetOf(reading, at)];
  const named: Record<string, string> = {};
  const places: Record<string, Span> = {};
  for (let one = caught; one; one = one.others) {
    const place = { start: offsetOf(reading, one.from), end: offsetOf(reading, one.to) };
    places[one.name] ??= place;
    named[one.name] ??= reading.text.slice(place.start, place.end);
  }
  return { start, end, text: reading.text.slice(start, end), named, places };
}

/** Places where a phrase may begin, in order. */
function startsOf(reading: Reading, { byFirst, byKind, anyFirst }: Phrases): readonly number[] {
  if (anyFirst.length > 0) return reading.pieces.map((_, index) => index);
  const found = placesOf(reading.places, byFirst);
  if (byKind) found.push(...placesOf(reading.kinds, byKind));
  return found.length > 1 ? [...new Set(found)].sort((a, b) => a - b) : found;
}

/** Places of whatever both maps have. */
function placesOf<Key>(
  places: ReadonlyMap<Key, readonly number[]>,
  wanted: ReadonlyMap<Key, unknown>,
): number[] {
  const found: number[] = [];
  if (wanted.size < places.size) {
    for (const key of wanted.keys()) found.push(...(places.get(key) ?? []));
  } else for (const [key, at] of places) if (wanted.has(key)) found.push(...at);
  return found;
}

function candidates(
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

function typeEnds(reading: Reading, phrases: Phrases, from: number): readonly number[] {
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

/** Returns every way in which a pattern goes on from a place. */
function advance(reading: Reading, pattern: Pattern, state: State): readonly State[] {
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

/** Of two ways to the same place the first goes on. */
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

/** A phrase's first word does not follow right on a digit; a number's pattern says for itself what may stand before. */
function isStart({ pieces }: Reading, at: number): boolean {
  return !(pieces[at]?.kind === "word" && pieces[at - 1]?.kind === "number");
}

/** A phrase's last word does not go on with a digit; a number may: "124ish". */
function isEnd({ pieces }: Reading, at: number): boolean {
  return !(pieces[at - 1]?.kind === "word" && pieces[at]?.kind === "number");
}

function offsetOf({ pieces, text }: Reading, index: number): number {
  return pieces[index]?.start ?? text.length;
}
