import type { Note, Score } from "../eval-audio/midi-file.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "../eval-audio/scales.ts";

/** A song of four sections, each with players and chords of its own. */
export type Song = { score: Score; bpm: number; sectionSec: number };

export const SECTIONS = 4;
const BEATS = 4;
const PROGRESSIONS = [
  [0, 5, 3, 4],
  [0, 3, 4, 0],
  [5, 3, 0, 4],
  [0, 4, 5, 3],
  [1, 4, 0, 5],
  [3, 0, 4, 5],
];
/** Families of General MIDI programs; a song has one player of each, and its sections some of them. */
const FAMILIES = {
  chords: [0, 4, 5, 16, 19, 24, 25, 27, 29, 46],
  pads: [48, 49, 50, 52, 88, 89, 91],
  lead: [40, 56, 60, 65, 68, 71, 73, 80, 81],
  bass: [32, 33, 34, 38, 39, 43],
};
const CHANNELS = { chords: 0, pads: 1, lead: 2, bass: 3 } as const;
type Part = keyof typeof CHANNELS | "drums";
const PARTS: readonly Part[] = ["chords", "pads", "lead", "bass", "drums"];

/** Tempi so near count as the same. */
const SAME_TEMPO = 0.08;
/** Programs of General MIDI stand in families of eight. */
const PROGRAMS_OF_FAMILY = 8;

/** Returns how alike two songs are by what is known of them, 0 to 1: players of the same families, and tempo. */
export function likenessOf(a: Song, b: Song): number {
  const family = (program: number | undefined) => Math.floor((program ?? -1) / PROGRAMS_OF_FAMILY);
  const channels = [...a.score.programs.keys()];
  const same = channels.filter((each) => a.score.programs.get(each) === b.score.programs.get(each)).length;
  const kin = channels.filter(
    (each) => family(a.score.programs.get(each)) === family(b.score.programs.get(each)),
  ).length;
  const isTempoSame = Math.abs(a.bpm / b.bpm - 1) <= SAME_TEMPO;
  return (same + kin + 2 * Number(isTempoSame)) / (2 * channels.length + 2);
}

/** Composes a song whose sections are of about `sectionSec` seconds: the same seed gives the same song. */
export function composeSong(seed: number, sectionSec: number): Song {
  const random = createRandom(seed);
  const bpm = Math.round(random.between(76, 150));
  const bars = Math.max(2, Math.round((sectionSec * bpm) / 60 / BEATS));
  const tonic = Math.floor(random.between(0, 12));
  const notes = lineUps(random).flatMap((lineUp, section) => {
    const chords = random.pick(PROGRESSIONS);
    const pattern = Math.floor(random.between(0, 3));
    return Array.from({ length: bars }, (_, bar) =>
      barOf(
        random,
        { lineUp, tonic, pattern, degree: chords[bar % chords.length] ?? 0 },
        section * bars + bar,
      ),
    ).flat();
  });
  const programs = new Map(
    Object.entries(CHANNELS).map(([part, channel]) => [
      channel,
      random.pick(FAMILIES[part as keyof typeof FAMILIES]),
    ]),
  );
  return {
    score: { tempi: [{ atBeat: 0, bpm }], programs, cents: 0, notes },
    bpm,
    sectionSec: (bars * BEATS * 60) / bpm,
  };
}

/** Four different choices of two to five players. */
function lineUps(random: Random): readonly (readonly Part[])[] {
  const all = new Map<string, readonly Part[]>();
  while (all.size < SECTIONS) {
    const lineUp = PARTS.filter(() => random.chance(0.6));
    if (lineUp.length >= 2) all.set(lineUp.join(), lineUp);
  }
  return [...all.values()];
}

type Bar = { lineUp: readonly Part[]; tonic: number; pattern: number; degree: number };

function barOf(random: Random, { lineUp, tonic, pattern, degree }: Bar, bar: number): Note[] {
  const at = bar * BEATS;
  const pitch = (step: number) => tonic + semitonesAt(SCALES.major, degree + step);
  const note = (
    part: keyof typeof CHANNELS,
    beat: number,
    beats: number,
    key: number,
    velocity: number,
  ): Note => ({
    atBeat: at + beat,
    beats,
    channel: CHANNELS[part],
    pitch: key,
    velocity: velocity + random.normal(4),
  });
  const drum = (beat: number, key: number, velocity: number): Note => ({
    atBeat: at + beat,
    beats: 0.2,
    channel: DRUMS,
    pitch: key,
    velocity: velocity + random.normal(5),
  });
  const played: Record<Part, () => Note[]> = {
    chords: () =>
      TRIAD.flatMap((step) =>
        (pattern === 0 ? [0, 1, 2, 3] : pattern === 1 ? [0, 1.5, 3] : [0, 2]).map((beat) =>
          note("chords", beat, 0.9, 60 + pitch(step), 74),
        ),
      ),
    pads: () => TRIAD.map((step) => note("pads", 0, 4, 60 + pitch(step), 62)),
    lead: () =>
      [0, 1, 2, 3].flatMap((beat) =>
        random.chance(0.75)
          ? [note("lead", beat, random.pick([0.45, 0.9, 1.4]), 72 + pitch(random.pick([0, 1, 2, 4])), 82)]
          : [],
      ),
    bass: () =>
      (pattern === 2 ? [0, 0.75, 1.5, 2.5, 3.25] : [0, 1, 2, 3]).map((beat) =>
        note("bass", beat, 0.7, 36 + pitch(0), 88),
      ),
    drums: () => [
      ...(pattern === 1 ? [0, 1, 2, 3] : [0, 2.5]).map((beat) => drum(beat, 36, 100)),
      ...[1, 3].map((beat) => drum(beat, 38, 92)),
      ...[0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].map((beat) => drum(beat, 42, 62)),
    ],
  };
  return lineUp.flatMap((part) => played[part]());
}
