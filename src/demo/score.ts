import { type Chord, type Key, parseChord, parsePitch, semitonesInChord, semitonesInKey } from "./harmony.ts";

/** What every part of a piece plays along to. */
export type Song = { key: Key; bars: number; beatsPerBar: number; chords: readonly Chord[][] };

/** A note as written: when and how long in beats from the start, MIDI pitch, velocity 0 to 1. */
export type WrittenNote = {
  beat: number;
  beats: number;
  midi: number;
  velocity: number;
  /** How much later than written it sounds, for the spread of a strummed chord. */
  lagMs?: number;
};

/** What a part plays, worked out for one song. */
export type Phrase = (song: Song) => WrittenNote[];

const ACCENT = 1;
const NORMAL = 0.8;
const GHOST = 0.4;
const UNPITCHED_MIDI = 60;

/**
 * Returns the chords of each bar: bars are separated by "|", chords within a bar by spaces, and the whole repeats until
 * `bars` are full.
 */
export function parseHarmony(text: string, key: Key, bars: number): Chord[][] {
  const written = text.split("|").map((bar) => words(bar).map((numeral) => parseChord(numeral, key)));
  return Array.from({ length: bars }, (_, bar) => written[bar % written.length] ?? []);
}

/**
 * Returns drum hits from a row of steps: "x" a hit, "X" an accent, "o" a ghost note, "." a rest. The row
 * repeats; spaces and "|" only make it easier to read.
 */
export function hits(row: string, stepsPerBeat = 4): Phrase {
  return (song) =>
    repeat([...row.replace(/[\s|]/g, "")], song, stepsPerBeat).map(({ token, beat, beats }) => ({
      beat,
      beats,
      midi: UNPITCHED_MIDI,
      velocity: velocityOf(token),
    }));
}

/**
 * Returns the song's chords in a rhythm written like {@link hits}, with "-" to hold. Every tone is moved into the
 * octave above `lowest`, so that neighbouring chords share notes.
 */
export function chords(
  row: string,
  lowest: string,
  { stepsPerBeat = 4, strumMs = 0 }: { stepsPerBeat?: number; strumMs?: number } = {},
): Phrase {
  const floor = parsePitch(lowest);
  return (song) =>
    repeat([...row.replace(/[\s|]/g, "")], song, stepsPerBeat).flatMap(({ token, beat, beats }) => {
      const { root, tones } = chordAt(song, beat);
      const voiced = tones.map((tone) => foldAbove(floor, root + tone)).sort((a, b) => a - b);
      return voiced.map((midi, i) => ({
        beat,
        beats,
        midi,
        velocity: velocityOf(token),
        lagMs: i * strumMs,
      }));
    });
}

/**
 * Returns a bass line or arpeggio that follows the chords: "1" is the chord's root in the octave above
 * `lowest`, "3" its third, "8" the octave; "." rests, "-" holds, "5," is an octave down, "5!" an accent.
 */
export function overChords(line: string, lowest: string, stepsPerBeat = 4): Phrase {
  const floor = parsePitch(lowest);
  return (song) =>
    repeat(words(line), song, stepsPerBeat).map(({ token, beat, beats }) => {
      const chord = chordAt(song, beat);
      const { step, semitones } = parseDegree(token);
      const midi = foldAbove(floor, chord.root) + semitonesInChord(song.key, chord, step) + semitones;
      return { beat, beats, midi, velocity: velocityOf(token) };
    });
}

/** Returns a melody in the song's scale, written like {@link overChords}: "1" is the tonic above `lowest`. */
export function melody(line: string, lowest: string, stepsPerBeat = 2): Phrase {
  const floor = parsePitch(lowest);
  return ({ key, ...song }) =>
    repeat(words(line), song, stepsPerBeat).map(({ token, beat, beats }) => {
      const { step, semitones } = parseDegree(token);
      const midi = foldAbove(floor, key.tonic) + semitonesInKey(key, step) + semitones;
      return { beat, beats, midi, velocity: velocityOf(token) };
    });
}

type TimedToken = { token: string; beat: number; beats: number };

/** Lays a pattern end to end over the whole song; rests vanish and each "-" lengthens the note before. */
function repeat(
  tokens: readonly string[],
  { bars, beatsPerBar }: Pick<Song, "bars" | "beatsPerBar">,
  stepsPerBeat: number,
): TimedToken[] {
  const played: TimedToken[] = [];
  let sounding: TimedToken | undefined;
  for (let step = 0; step < bars * beatsPerBar * stepsPerBeat; step++) {
    const token = tokens[step % tokens.length] ?? ".";
    if (token === "-") {
      if (sounding) sounding.beats += 1 / stepsPerBeat;
      continue;
    }
    sounding = token === "." ? undefined : { token, beat: step / stepsPerBeat, beats: 1 / stepsPerBeat };
    if (sounding) played.push(sounding);
  }
  return played;
}

/** The chord that sounds at a beat; chords of one bar share it evenly. */
function chordAt({ chords: bars, beatsPerBar }: Song, beat: number): Chord {
  const bar = bars[Math.floor(beat / beatsPerBar)] ?? [];
  const chord = bar[Math.floor(((beat % beatsPerBar) / beatsPerBar) * bar.length)];
  if (!chord) throw new RangeError(`No chord is written at beat ${beat}`);
  return chord;
}

/** Reads a degree such as "5", "b7,", "10" or "1!": scale steps above the first, and semitones on top. */
function parseDegree(token: string): { step: number; semitones: number } {
  const [, accidental, degree, octavesDown = ""] = /^([#b]?)(\d+)(,*)!?$/.exec(token) ?? [];
  if (!degree) throw new RangeError(`Not a scale degree: ${token}`);
  const altered = accidental === "#" ? 1 : accidental === "b" ? -1 : 0;
  return { step: Number(degree) - 1 - 7 * octavesDown.length, semitones: altered };
}

const velocityOf = (token: string) =>
  token === "X" || token.endsWith("!") ? ACCENT : token === "o" ? GHOST : NORMAL;

const foldAbove = (floor: number, midi: number) => floor + ((((midi - floor) % 12) + 12) % 12);

const words = (text: string) => text.split(/[\s|]+/).filter((word) => word !== "");
