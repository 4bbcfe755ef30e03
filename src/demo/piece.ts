import type { Echo, Room } from "./dsp/space.ts";
import type { Phrase } from "./score.ts";
import type { Voice } from "./voices/voice.ts";

/** A tag that can be embedded in the file. */
export type TagName = "title" | "artist" | "genre" | "bpm" | "key" | "year";

/** One instrument of a piece, as a strip on a mixing desk. */
export type Part = {
  voice: Voice;
  phrase: Phrase;
  /** Bars it plays in, one character per bar: "..xx" enters in the third; repeats; default: every bar. */
  bars?: string;
  levelDb: number;
  /** -1 is left, 1 is right. */
  pan?: number;
  /** Plays every note twice, once per channel, with slight differences. */
  isWide?: boolean;
  /** Overdrive before the filter, decibels of push. */
  driveDb?: number;
  /** A low-pass that moves over the piece, Hz at its start and at its end. */
  lowPassHz?: readonly [start: number, end: number];
  /** How far it dips at every beat, 0 to 1. */
  pump?: number;
  /** How much goes to the room and to the echo, 0 to 1. */
  room?: number;
  echo?: number;
};

/** A short piece that the demo synthesises: its metadata and its score. */
export type DemoPiece = {
  filename: string;
  title: string;
  artist: string;
  /** Quarter notes per minute. */
  bpm: number;
  /** Tonic and mode, as in "F minor" or "Bb major". */
  key: string;
  style: string;
  year: number;
  /** The tags written to the file; empty for a file without tags. `style` is the genre. */
  tags: readonly TagName[];
  score: Score;
};

/** The music of a piece. */
export type Score = {
  bars: number;
  beatsPerBar: number;
  /** Roman numerals in the piece's key, bars separated by "|"; repeats. */
  harmony: string;
  /** How late every second sixteenth comes, as a share of a sixteenth; 0 is straight. */
  swing?: number;
  /** Level of the loud parts, dBFS RMS; the limiter holds the peaks under -1 dBFS. */
  levelDbfs: number;
  room: Room;
  echo?: Echo;
  parts: readonly Part[];
};
