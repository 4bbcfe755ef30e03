import type { Note, Score } from "../eval-audio/midi-file.ts";

/** A MIDI file as a score, with its declared meter and key. */
export type MidiPiece = Score & {
  /** Beats per bar, and the note value of a beat, as first declared. */
  meter: { beats: number; unit: number } | undefined;
  /** The declared key, if it never changes; "C major" may also mean that none was set. */
  key: string | undefined;
};

type Found = {
  ticksPerBeat: number;
  tempi: { tick: number; bpm: number }[];
  meters: { beats: number; unit: number }[];
  keys: string[];
  programs: Map<number, number>;
  notes: { tick: number; ticks: number; channel: number; pitch: number; velocity: number }[];
};

const MAJOR_BY_FIFTHS = ["B", "F#", "C#", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"];
const MINOR_BY_FIFTHS = ["Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "Ab", "Eb", "Bb"];

/** Reads a Standard MIDI File that counts in beats. @throws Error when the file is not one. */
export function readMidi(bytes: Uint8Array): MidiPiece {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x4d546864) throw new Error("Not a MIDI file");
  const ticksPerBeat = view.getUint16(12);
  if (ticksPerBeat === 0 || ticksPerBeat > 0x7fff) throw new Error("The file counts in frames, not beats");
  const found: Found = { ticksPerBeat, tempi: [], meters: [], keys: [], programs: new Map(), notes: [] };
  for (let at = 8 + view.getUint32(4); at + 8 <= bytes.length; at += 8 + view.getUint32(at + 4))
    if (view.getUint32(at) === 0x4d54726b)
      readTrack(bytes.subarray(at + 8, at + 8 + view.getUint32(at + 4)), found);
  return pieceOf(found);
}

function pieceOf({ ticksPerBeat, tempi, meters, keys, programs, notes }: Found): MidiPiece {
  const first = tempi.some(({ tick }) => tick === 0) ? [] : [{ tick: 0, bpm: 120 }];
  return {
    tempi: [...first, ...tempi]
      .sort((a, b) => a.tick - b.tick)
      .map(({ tick, bpm }) => ({ atBeat: tick / ticksPerBeat, bpm })),
    programs,
    cents: 0,
    notes: notes
      .map(
        ({ tick, ticks, ...note }): Note => ({
          ...note,
          atBeat: tick / ticksPerBeat,
          beats: ticks / ticksPerBeat,
        }),
      )
      .sort((a, b) => a.atBeat - b.atBeat),
    meter: meters[0],
    key: new Set(keys).size === 1 ? keys[0] : undefined,
  };
}

type Cursor = { bytes: Uint8Array; at: number };

const byte = (cursor: Cursor) => cursor.bytes[cursor.at++] ?? 0;

function variableLength(cursor: Cursor): number {
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const next = byte(cursor);
    value = (value << 7) | (next & 127);
    if (next < 128) break;
  }
  return value;
}

function readTrack(bytes: Uint8Array, found: Found): void {
  const cursor: Cursor = { bytes, at: 0 };
  const held = new Map<number, { tick: number; velocity: number }>();
  let tick = 0;
  let status = 0;
  while (cursor.at < bytes.length) {
    tick += variableLength(cursor);
    if ((bytes[cursor.at] ?? 0) >= 128) status = byte(cursor);
    if (status === 0xff) readMeta(cursor, tick, found);
    else if (status >= 0xf0) cursor.at += variableLength(cursor);
    else readChannelEvent(cursor, { status, tick }, held, found);
  }
}

function readMeta(cursor: Cursor, tick: number, found: Found): void {
  const kind = byte(cursor);
  const length = variableLength(cursor);
  const data = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  const [a = 0, b = 0, c = 0] = data;
  if (kind === 0x51) found.tempi.push({ tick, bpm: 60e6 / Math.max(1, (a << 16) | (b << 8) | c) });
  if (kind === 0x58) found.meters.push({ beats: a, unit: 2 ** b });
  if (kind !== 0x59) return;
  const fifths = ((a << 24) >> 24) + 7;
  found.keys.push(b === 1 ? `${MINOR_BY_FIFTHS[fifths]} minor` : `${MAJOR_BY_FIFTHS[fifths]} major`);
}

type Moment = { status: number; tick: number };

function readChannelEvent(
  cursor: Cursor,
  { status, tick }: Moment,
  held: Map<number, { tick: number; velocity: number }>,
  found: Found,
): void {
  const channel = status & 15;
  const kind = status & 0xf0;
  const first = byte(cursor);
  if (kind === 0xc0 || kind === 0xd0) {
    if (kind === 0xc0 && !found.programs.has(channel)) found.programs.set(channel, first);
    return;
  }
  const velocity = byte(cursor);
  if (kind !== 0x80 && kind !== 0x90) return;
  const id = channel * 128 + first;
  const start = held.get(id);
  held.delete(id);
  if (start) found.notes.push({ ...start, ticks: Math.max(1, tick - start.tick), channel, pitch: first });
  if (kind === 0x90 && velocity > 0) held.set(id, { tick, velocity });
}
