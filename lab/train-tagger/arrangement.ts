import type { Note, Score } from "../eval-audio/midi-file.ts";
import type { Random } from "../eval-audio/random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "../eval-audio/scales.ts";
import { FAMILIES, type Family, type Layer, namesOfProgram, STYLES, type Style } from "./styles.ts";

/** A made-up piece, with the taxonomy names that apply to it. */
export type Arrangement = { score: Score; tags: readonly string[]; hasGenre: boolean };

const ROOTS = [
  [0, 3, 4, 0],
  [0, 5, 3, 4],
  [0, 4, 5, 3],
  [0, 5, 6, 0],
  [0, 0, 3, 4],
];

/**
 * Returns a piece of about 24 seconds. Two thirds follow a style. The others have no genre and mix families and
 * rhythms freely, so families are not learnt from the instruments that usually surround them.
 */
export function arrange(random: Random): Arrangement {
  const style = random.pick(STYLES);
  const hasGenre = random.chance(0.67);
  const layers = hasGenre ? style.layers(random) : mixedLayers(random);
  return played(random, style, { layers, hasGenre });
}

/** Who plays, and whether it is the style's music, with its genres and always with its drums. */
type Players = { layers: readonly Layer[]; hasGenre: boolean };

/** Returns a piece of about 24 seconds in a style, by some players. */
export function played(random: Random, style: Style, { layers, hasGenre }: Players): Arrangement {
  const bpm = random.between(...style.bpm);
  const hasDrums = style.drums !== undefined && (hasGenre || random.chance(0.7));
  const bars = Math.ceil((26 * bpm) / 60 / style.beats);
  const grid = { random, style, bars };
  const scale = { tonic: Math.floor(random.unit() * 12), steps: random.pick(Object.values(SCALES)) };
  const notes = layers.flatMap((layer, channel) => layerNotes(grid, layer, { channel, ...scale }));
  const programs = new Map(layers.map(({ program }, channel) => [channel, program]));
  if (hasDrums) {
    notes.push(...drumNotes(grid));
    programs.set(DRUMS, style.kit);
  }
  const tags = [
    ...layers.flatMap(({ program }) => namesOfProgram(program)),
    ...(hasGenre ? style.genres : []),
    ...(hasDrums ? ["Drums", ...style.movements] : []),
  ];
  return {
    score: { tempi: [{ atBeat: 0, bpm }], programs, cents: 0, notes },
    tags: [...new Set(tags)],
    hasGenre,
  };
}

function mixedLayers(random: Random): Layer[] {
  const roles = ["bass", "chords", "tune", "held", "broken"] as const;
  const count = 1 + Math.floor(random.unit() * 4);
  return Array.from({ length: count }, () => {
    const family = random.pick(Object.keys(FAMILIES) as Family[]);
    return { role: random.pick(roles), family, program: random.pick(FAMILIES[family]) };
  });
}

type Grid = { random: Random; style: Style; bars: number };
type Voice = { channel: number; tonic: number; steps: readonly number[] };

function layerNotes({ random, style, bars }: Grid, layer: Layer, voice: Voice): Note[] {
  const roots = random.pick(ROOTS);
  const velocity = random.between(55, 110);
  const pitch = (degree: number, octave: number) =>
    voice.tonic + semitonesAt(voice.steps, degree) + 12 * octave;
  const pattern = random.pick(RHYTHMS[layer.role]).map((share) => share * style.beats);
  const rest = layer.role === "tune" ? 0.2 : 0;
  let degree = 4;
  /** The notes of one step of the pattern. */
  const notesAt = (bar: number, index: number): Note[] => {
    const at = pattern[index] ?? 0;
    const beats = ((pattern[index + 1] ?? style.beats) - at) * (layer.role === "chords" ? 0.6 : 0.95);
    degree = Math.max(-2, Math.min(11, degree + random.pick([-2, -1, 1, 2, 0])));
    return soundsOf(layer.role, { root: roots[bar % 4] ?? 0, degree, index, pitch }).map((sound) => ({
      channel: voice.channel,
      pitch: sound,
      beats,
      atBeat: bar * style.beats + at + random.normal(0.01),
      velocity: velocity + random.normal(7),
    }));
  };
  const steps = Array.from({ length: bars }, (_, bar) => pattern.map((_, index) => ({ bar, index }))).flat();
  return steps.flatMap(({ bar, index }) => (random.chance(rest) ? [] : notesAt(bar, index)));
}

/** Where the notes of a role begin, in fractions of a bar. */
const RHYTHMS: Readonly<Record<Layer["role"], readonly (readonly number[])[]>> = {
  bass: [[0, 0.5], [0, 0.25, 0.5, 0.75], [0], [0, 0.375, 0.5, 0.875]],
  chords: [[0, 0.25, 0.5, 0.75], [0.25, 0.75], [0, 0.375, 0.75], Array.from({ length: 8 }, (_, i) => i / 8)],
  tune: [
    [0, 0.25, 0.5, 0.625, 0.75],
    [0, 0.5],
    [0, 0.125, 0.25, 0.5, 0.75, 0.875],
    [0, 0.375, 0.5],
  ],
  held: [[0]],
  broken: [Array.from({ length: 8 }, (_, i) => i / 8), Array.from({ length: 16 }, (_, i) => i / 16)],
};

type Moment = {
  root: number;
  degree: number;
  index: number;
  pitch: (degree: number, octave: number) => number;
};

function soundsOf(role: Layer["role"], { root, degree, index, pitch }: Moment): number[] {
  if (role === "bass") return [pitch(root, 3)];
  if (role === "tune") return [pitch(degree, 5)];
  if (role === "broken") return [pitch(root + (TRIAD[index % 3] ?? 0), index % 6 < 3 ? 5 : 6)];
  return TRIAD.map((third) => pitch(root + third, 4 + (role === "held" ? 0 : 1)));
}

function drumNotes({ random, style, bars }: Grid): Note[] {
  const hits = Object.entries(style.drums ?? {});
  const notes: Note[] = [];
  for (let bar = 0; bar < bars; bar++)
    for (const [pitch, steps] of hits)
      for (const step of steps) {
        if (random.chance(0.04)) continue;
        const atBeat = bar * style.beats + step + random.normal(0.008);
        notes.push({
          atBeat,
          beats: 0.2,
          channel: DRUMS,
          pitch: Number(pitch),
          velocity: 90 + random.normal(9),
        });
      }
  return notes;
}
