import { BAND_STYLES, type BandStyle } from "./band-styles.ts";
import type { Piece } from "./folk.ts";
import type { Note } from "./midi-file.ts";
import { drift, KEY_TONICS } from "./music.ts";
import type { Random } from "./random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "./scales.ts";

/** What can make a piece harder than its style. */
export type Twist = {
  /** Length of the part before the drums come in, with only held chords. */
  introSeconds: number;
  /** Greatest deviation from the mean tempo. */
  driftSpan: number;
  hasDrums: boolean;
  hasPitches: boolean;
};

const SECONDS = 46;
/** Degrees of the scale, one chord per bar. */
const PROGRESSIONS = {
  major: [
    [0, 5, 3, 4],
    [0, 3, 4, 0],
    [0, 4, 5, 3],
    [0, 3, 0, 4],
    [0, 1, 4, 0],
    [3, 0, 4, 0],
    [0, 2, 3, 0],
  ],
  minor: [
    [0, 3, 4, 0],
    [0, 5, 6, 0],
    [0, 6, 5, 4],
    [0, 0, 3, 4],
    [0, 5, 3, 4],
    [0, 3, 6, 2],
    [0, 2, 5, 4],
  ],
};

/** Returns a piece for a band in a style. */
export function bandPiece(random: Random, style: BandStyle, twist: Twist): Piece {
  const bpm = Math.round(random.between(style.lowBpm, style.highBpm) * 10) / 10;
  const tonic = Math.floor(random.unit() * 12);
  const isMinor = random.chance(0.5);
  const bars = Math.ceil((SECONDS * bpm) / 60 / style.beats) + 1;
  const introBars = Math.round((twist.introSeconds * bpm) / 60 / style.beats);
  const grid = { random, style, bars, introBars };
  const drums = twist.hasDrums ? drumNotes(grid) : [];
  const pitched = twist.hasPitches ? pitchedNotes(grid, { tonic, isMinor }) : [];
  return {
    score: {
      tempi: drift(random, { bpm, beats: bars * style.beats, span: twist.driftSpan }),
      programs: new Map([
        [0, random.pick(style.programs.bass)],
        [1, random.pick(style.programs.chords)],
        [2, random.pick(style.programs.lead)],
      ]),
      cents: random.chance(0.25) ? Math.round(random.between(-45, 45)) : 0,
      notes: [...drums, ...pitched],
    },
    truth: {
      group: style.name,
      bpm,
      levels: [1],
      key: twist.hasPitches ? `${KEY_TONICS[tonic]} ${isMinor ? "minor" : "major"}` : null,
    },
  };
}

/** Returns the style of a name. @throws RangeError when no style has it. */
export function styleNamed(name: string): BandStyle {
  const style = BAND_STYLES.find((each) => each.name === name);
  if (!style) throw new RangeError(`No style ${name}`);
  return style;
}

type Grid = { random: Random; style: BandStyle; bars: number; introBars: number };

/** Returns the beat of a step, swung and slightly inexact. */
function beatOf({ random, style }: Grid, bar: number, step: number): number {
  const swung = step % 2 === 1 ? style.swing : 0;
  return bar * style.beats + (step + swung) / style.stepsPerBeat + random.normal(0.008);
}

function drumNotes(grid: Grid): Note[] {
  const { random, style, bars, introBars } = grid;
  const steps = style.beats * style.stepsPerBeat;
  const hits = Object.entries(style.drums).flatMap(([pitch, at]) =>
    at.filter((step) => step < steps).map((step) => ({ pitch: Number(pitch), step })),
  );
  const notes: Note[] = [];
  for (let bar = introBars; bar < bars; bar++)
    for (const { pitch, step } of hits) {
      if (random.chance(0.04)) continue;
      const accent = step % style.stepsPerBeat === 0 ? 100 : 80;
      const velocity = accent + random.normal(8);
      notes.push({ atBeat: beatOf(grid, bar, step), beats: 0.2, channel: DRUMS, pitch, velocity });
    }
  return notes;
}

/** A bar of a piece: a function for the pitch of a degree in an octave, and one that adds a note. */
type Bar = {
  steps: number;
  root: number;
  pitch(degree: number, octave: number): number;
  add(step: number, note: Pick<Note, "channel" | "pitch" | "velocity">, lengthSteps: number): void;
};

function pitchedNotes(grid: Grid, { tonic, isMinor }: { tonic: number; isMinor: boolean }): Note[] {
  const { random, style, bars, introBars } = grid;
  const mode = isMinor ? "minor" : "major";
  const progressions = [random.pick(PROGRESSIONS[mode]), random.pick(PROGRESSIONS[mode])];
  const raised = isMinor && random.chance(0.5);
  const notes: Note[] = [];
  const tune = { degree: 4 };
  for (let index = 0; index < bars; index++) {
    const root = progressions[Math.floor(index / 8) % 2]?.[index % 4] ?? 0;
    const bar: Bar = {
      steps: style.beats * style.stepsPerBeat,
      root,
      pitch(degree, octave) {
        const isSeventh = (degree + 1) % 7 === 0;
        const leading = raised && root === 4 && isSeventh ? 1 : 0;
        return tonic + semitonesAt(SCALES[mode], degree) + 12 * octave + leading;
      },
      add: (step, note, lengthSteps) =>
        notes.push({
          ...note,
          atBeat: beatOf(grid, index, step),
          beats: (0.9 * lengthSteps) / style.stepsPerBeat,
        }),
    };
    if (index < introBars) addHeldChord(bar);
    else addAccompaniment(grid, bar);
    if (index >= introBars && Math.floor(index / 4) % 3 !== 0) addTune(grid, bar, tune);
  }
  return notes;
}

function addHeldChord({ add, pitch, root, steps }: Bar): void {
  for (const third of TRIAD) add(0, { channel: 1, pitch: pitch(root + third, 5), velocity: 60 }, steps);
}

function addAccompaniment({ random, style }: Grid, { add, pitch, root, steps }: Bar): void {
  for (const step of style.bass.filter((each) => each < steps)) {
    const low = pitch(random.chance(0.75) ? root : root + 4, 3);
    add(step, { channel: 0, pitch: low > 52 ? low - 12 : low, velocity: 94 }, 2);
  }
  const hold = steps / Math.max(1, style.chords.length);
  for (const step of style.chords.filter((each) => each < steps))
    for (const third of TRIAD) {
      const high = pitch(root + third, 5);
      add(step, { channel: 1, pitch: high > 74 ? high - 12 : high, velocity: 70 }, hold);
    }
}

function addTune({ random, style }: Grid, { add, pitch, steps }: Bar, tune: { degree: number }): void {
  for (let step = 0; step < steps; ) {
    const length = random.pick(style.stepsPerBeat === 3 ? [1, 2, 3] : [2, 2, 4, 3, 1]);
    tune.degree = Math.max(0, Math.min(11, tune.degree + random.pick([-2, -1, 1, 2, -1, 1, 0])));
    if (random.chance(0.8)) add(step, { channel: 2, pitch: pitch(tune.degree, 5), velocity: 84 }, length);
    step += length;
  }
}
