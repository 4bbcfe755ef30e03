import type { Note, Score } from "../eval-audio/midi-file.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "../eval-audio/scales.ts";

/** How a kind of music is played. */
export type Style = {
  name: string;
  bpm: [number, number];
  /** General MIDI programs: of chords, bass and lead. Null: nobody plays it. */
  chords: readonly number[] | null;
  bass: readonly number[] | null;
  lead: readonly number[] | null;
  drums: "none" | "rock" | "four" | "broken" | "brushes";
  /** Share of the steps in which the lead plays, and how long its notes are, in beats. */
  density: number;
  leadBeats: number;
  chordBeats: number;
};

export const STYLES: readonly Style[] = [
  style("rock", [110, 150], [29], [34], [30], "rock", 0.6, 0.5, 1),
  style("metal", [150, 190], [30], [34], [30], "rock", 0.8, 0.25, 0.5),
  style("house", [120, 128], [90, 4], [38], [80], "four", 0.5, 0.25, 0.5),
  style("techno", [128, 140], [89], [38], [81], "four", 0.7, 0.25, 4),
  style("hip-hop", [80, 96], [4, 5], [39], [11], "broken", 0.3, 0.5, 2),
  style("drum and bass", [170, 176], [89], [39], [82], "broken", 0.4, 0.5, 4),
  style("jazz", [90, 180], [0], [32], [65, 66], "brushes", 0.7, 0.5, 1.5),
  style("piano", [60, 90], [0], null, [0], "none", 0.5, 1, 2),
  style("string quartet", [60, 110], [48], [42], [40], "none", 0.6, 1, 2),
  style("orchestra", [70, 130], [48, 61], [43], [73, 68], "none", 0.5, 1, 4),
  style("folk", [80, 120], [24, 25], [32], [22, 110], "none", 0.6, 0.5, 0.5),
  style("ambient", [50, 70], [89, 91, 95], null, [88], "none", 0.1, 4, 8),
  style("chip music", [130, 160], [80], [80], [80], "broken", 0.8, 0.25, 0.25),
  style("choir", [60, 80], [52], null, [53], "none", 0.3, 2, 4),
  style("latin", [90, 120], [0, 24], [33], [56, 12], "rock", 0.5, 0.5, 0.5),
];

function style(
  name: string,
  bpm: [number, number],
  chords: readonly number[] | null,
  bass: readonly number[] | null,
  lead: readonly number[] | null,
  drums: Style["drums"],
  density: number,
  leadBeats: number,
  chordBeats: number,
): Style {
  return { name, bpm, chords, bass, lead, drums, density, leadBeats, chordBeats };
}

/** MIDI channels of the players. */
export const PLAYERS = { bass: 0, chords: 1, lead: 2, drums: DRUMS } as const;

const PROGRESSIONS = [
  [0, 5, 3, 4],
  [5, 3, 0, 4],
  [0, 3, 4, 3],
  [1, 4, 0, 0],
];

/** Composes a piece of some seconds in a style. The same seed gives the same piece. */
export function composePiece(own: Style, seed: number, seconds: number): Score {
  const random = createRandom(seed);
  const bpm = Math.round(random.between(...own.bpm));
  const tonic = Math.floor(random.between(0, 12));
  const progression = random.pick(PROGRESSIONS);
  const bars = Math.max(1, Math.floor((seconds * bpm) / 240));
  const notes = Array.from({ length: bars }, (_, bar) =>
    barOf(random, own, { at: 4 * bar, tonic, degree: progression[bar % 4] ?? 0 }),
  ).flat();
  const programs = new Map<number, number>();
  if (own.bass) programs.set(PLAYERS.bass, random.pick(own.bass));
  if (own.chords) programs.set(PLAYERS.chords, random.pick(own.chords));
  if (own.lead) programs.set(PLAYERS.lead, random.pick(own.lead));
  return { tempi: [{ atBeat: 0, bpm }], programs, cents: 0, notes };
}

type Bar = { at: number; tonic: number; degree: number };

function barOf(random: Random, own: Style, { at, tonic, degree }: Bar): Note[] {
  const pitch = (step: number) => tonic + semitonesAt(SCALES.major, degree + step);
  const note = (channel: number, beat: number, beats: number, midi: number, velocity: number): Note => {
    const loudness = velocity + random.between(-12, 12);
    return { channel, atBeat: at + beat, beats, pitch: midi, velocity: loudness };
  };
  const steps = (every: number) =>
    Array.from({ length: Math.max(1, Math.round(4 / every)) }, (_, i) => i * every);
  return [
    ...(own.bass ? steps(1).map((beat) => note(PLAYERS.bass, beat, 0.9, 36 + pitch(0), 95)) : []),
    ...(own.chords
      ? steps(own.chordBeats).flatMap((beat) =>
          TRIAD.map((step) => note(PLAYERS.chords, beat, own.chordBeats * 0.95, 60 + pitch(step), 68)),
        )
      : []),
    ...(own.lead
      ? steps(own.leadBeats).flatMap((beat) =>
          random.chance(own.density)
            ? [note(PLAYERS.lead, beat, own.leadBeats * 0.9, 72 + pitch(random.pick([0, 2, 4, 5, 7])), 85)]
            : [],
        )
      : []),
    ...drumsOf(random, own.drums).map(([beat, midi, velocity]) =>
      note(PLAYERS.drums, beat, 0.2, midi, velocity),
    ),
  ];
}

type Hit = [beat: number, midi: number, velocity: number];

function drumsOf(random: Random, kind: Style["drums"]): Hit[] {
  const hats: Hit[] = Array.from({ length: 8 }, (_, i) => [i / 2, random.chance(0.1) ? 46 : 42, 70]);
  switch (kind) {
    case "rock":
      return [...hats, [0, 36, 110], [1, 38, 105], [2, 36, 105], [2.5, 36, 90], [3, 38, 110]];
    case "four":
      return [...hats, [0, 36, 115], [1, 36, 115], [1, 39, 90], [2, 36, 115], [3, 36, 115], [3, 39, 90]];
    case "broken":
      return [...hats, [0, 36, 115], [1, 38, 110], [1.75, 36, 95], [2.5, 36, 110], [3, 38, 110]];
    case "brushes":
      return [0, 1, 1.66, 2, 3, 3.66].map((beat): Hit => [beat, 51, 55]);
    default:
      return [];
  }
}
