import type { Note, Score } from "../eval-audio/midi-file.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "../eval-audio/scales.ts";

/** The stems of a song, by MIDI channel. */
export const STEMS = { drums: DRUMS, bass: 0, keys: 1, guitars: 2, strings: 3 } as const;
export type Stem = keyof typeof STEMS;

/** What a song shares with another that it must not be taken for. */
export type Frame = { bpm: number; tonic: number; bars: number };

/** A song: its frame, and what plays. */
export type Song = Frame & { score: Score };

const BEATS = 4;
const PROGRESSIONS = [
  [0, 5, 3, 4],
  [0, 3, 4, 0],
  [5, 3, 0, 4],
  [0, 4, 5, 3],
  [1, 4, 0, 5],
];

/** Returns the frame of a song of about `seconds`. */
export function frameOf(seed: number, seconds: number): Frame {
  const random = createRandom(seed);
  const bpm = Math.round(random.between(84, 148));
  return { bpm, tonic: Math.floor(random.between(0, 12)), bars: Math.round((seconds * bpm) / 60 / BEATS) };
}

/** Composes a song of four players and drums within a frame: the same seed and frame give the same song. */
export function composeSong(seed: number, frame: Frame): Song {
  const random = createRandom(seed);
  const sections = [random.pick(PROGRESSIONS), random.pick(PROGRESSIONS)];
  const notes = Array.from({ length: frame.bars }, (_, bar) => {
    const section = sections[Math.floor(bar / 8) % 2] ?? [];
    return barOf(random, frame, { bar, degree: section[bar % section.length] ?? 0 });
  }).flat();
  return {
    ...frame,
    score: {
      tempi: [{ atBeat: 0, bpm: frame.bpm }],
      programs: new Map([
        [STEMS.bass, random.pick([32, 33, 34, 38])],
        [STEMS.keys, random.pick([0, 2, 4, 16, 5])],
        [STEMS.guitars, random.pick([24, 25, 27, 29])],
        [STEMS.strings, random.pick([48, 49, 50, 51])],
      ]),
      cents: 0,
      notes,
    },
  };
}

type Bar = { bar: number; degree: number };

function barOf(random: Random, { tonic }: Frame, { bar, degree }: Bar): Note[] {
  const at = bar * BEATS;
  const pitch = (step: number) => tonic + semitonesAt(SCALES.major, degree + step);
  const chord = TRIAD.map(pitch);
  const note = (channel: number, atBeat: number, beats: number, midi: number, velocity: number): Note => ({
    channel,
    atBeat: at + atBeat,
    beats,
    pitch: midi,
    velocity: velocity + random.between(-8, 8),
  });
  const drum = (atBeat: number, midi: number, velocity: number) =>
    note(STEMS.drums, atBeat, 0.2, midi, velocity);
  return [
    ...[0, 2].map((beat) => drum(beat, 36, 105)),
    ...(random.chance(0.4) ? [drum(2.5, 36, 90)] : []),
    ...[1, 3].map((beat) => drum(beat, 38, 100)),
    ...Array.from({ length: 8 }, (_, i) => drum(i / 2, random.chance(0.1) ? 46 : 42, 70)),
    ...[0, 1, 2, 3].map((beat) =>
      note(STEMS.bass, beat, 0.9, 36 + (random.chance(0.25) ? pitch(4) : (chord[0] ?? 0)), 92),
    ),
    ...chord.map((midi) => note(STEMS.strings, 0, 3.9, 60 + midi, 62)),
    ...[0, 1.5, 3].flatMap((beat) => chord.map((midi) => note(STEMS.keys, beat, 0.8, 60 + midi, 74))),
    ...Array.from({ length: 8 }, (_, i) =>
      random.chance(0.75) ? [note(STEMS.guitars, i / 2, 0.5, 60 + pitch(random.pick([0, 2, 4, 5])), 78)] : [],
    ).flat(),
  ];
}
