import { type Kind, lex, type Piece } from "./lexer.ts";
import {
  advance,
  candidates,
  isEnd,
  isStart,
  offsetOf,
  type Reading,
  type State,
  typeEnds,
} from "./match.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import { markedText, READ, type Span } from "./text.ts";

/** A match of a rule, with the texts of the names in its pattern. */
export type Match = Span & {
  text: string;
  named: Readonly<Record<string, string | undefined>>;
  /** Where those texts are. */
  places: Readonly<Record<string, Span | undefined>>;
};

/** Prepares a text for {@link spansOf} and similar functions. Each type is searched once, at its first call. */
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
  // The other places may stay: no phrase begins at a piece that is now a mark.
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

/** Returns the phrases of a type in order, the longest at each place; none is inside a word or number. */
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

/** Returns the end of the longest phrase of the type that begins at an offset; undefined when no phrase does. */
export function endOf(reading: Reading, type: string, offset: number): number | undefined {
  const from = reading.indexAt[offset] ?? reading.pieces.length;
  const ends = typeEnds(reading, phrasesOf(type), from);
  let last = -1;
  for (const end of ends) if (end > last && isEnd(reading, end)) last = end;
  return last === -1 ? undefined : offsetOf(reading, last);
}

/** Returns true when a phrase of the type begins at the offset. */
export function begins(reading: Reading, type: string, offset: number): boolean {
  return endOf(reading, type, offset) !== undefined;
}

/**
 * Returns the start of the next phrase of the type at or after an offset; the end of the text when no phrase follows.
 */
export function nextOf(reading: Reading, type: string, offset: number): number {
  const phrases = phrasesOf(type);
  for (let at = reading.indexAt[offset] ?? reading.pieces.length; at < reading.pieces.length; at++) {
    if (candidates(reading, phrases, at).length === 0 || !isStart(reading, at)) continue;
    if (typeEnds(reading, phrases, at).some((end) => isEnd(reading, end))) return offsetOf(reading, at);
  }
  return reading.text.length;
}

/** Returns true when a phrase of the type ends exactly at the offset. */
export function endsAt(reading: Reading, type: string, offset: number): boolean {
  return startOf(reading, type, offset) !== undefined;
}

/** Returns the start of the longest phrase of the type that ends exactly at the offset; undefined when none does. */
export function startOf(reading: Reading, type: string, offset: number): number | undefined {
  let stops = reading.stops.get(type);
  if (!stops) {
    const phrases = phrasesOf(type);
    const found = new Map<number, number>();
    for (const from of startsOf(reading, phrases))
      if (isStart(reading, from))
        for (const end of typeEnds(reading, phrases, from)) {
          const [start, stop] = [offsetOf(reading, from), offsetOf(reading, end)];
          found.set(stop, Math.min(start, found.get(stop) ?? start));
        }
    stops = found;
    reading.stops.set(type, stops);
  }
  return stops.get(offset);
}

/** Returns true when a span holds a phrase of the type. */
export function holds(reading: Reading, type: string, { start, end }: Span): boolean {
  return spansOf(reading, type).some((span) => span.start >= start && span.end <= end);
}

/** Returns the matches of compiled patterns with the texts of their names, in order and without overlaps. */
export function matchesOf(reading: Reading, phrases: Phrases): Match[] {
  return runsOf(reading, phrases).map(([from, state]) => matchOf(reading, from, state));
}

/** Returns the matches with their beginnings, in pieces. */
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

/** Returns the places where a phrase may begin, in order. */
function startsOf(reading: Reading, { byFirst, byKind, anyFirst }: Phrases): readonly number[] {
  if (anyFirst.length > 0) return reading.pieces.map((_, index) => index);
  const found = placesOf(reading.places, byFirst);
  if (byKind) found.push(...placesOf(reading.kinds, byKind));
  return found.length > 1 ? [...new Set(found)].sort((a, b) => a - b) : found;
}

/** Returns the places of the keys that both maps have. */
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
