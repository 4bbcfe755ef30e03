import type { Piece } from "./folk.ts";
import type { Note } from "./midi-file.ts";
import { KEY_TONICS } from "./music.ts";
import type { Random } from "./random.ts";
import { SCALES, semitonesAt } from "./scales.ts";

const SECONDS = 62;
/** Held sounds: organ, strings, choirs, pads and sweeps. */
const PADS = [19, 48, 49, 50, 51, 52, 54, 88, 89, 90, 91, 92, 93, 94, 95];
/** Soft sounds that begin audibly: pianos, celesta, vibraphone, marimba, harp, guitar, bells and crystal. */
const PLUCKED = [0, 4, 5, 8, 11, 12, 14, 24, 46, 88, 98, 99, 108];
const BASSES = [32, 33, 35, 38, 39];
const ROOTS = { major: [0, 4, 5, 3, 1], minor: [0, 5, 2, 3, 6] };
/** Steps of a chord that an arpeggio goes through, by their number in the triad. */
const FIGURES = [
  [0, 1, 2, 1],
  [0, 2, 1, 2],
  [0, 1, 2, 3, 2, 1],
  [0, 1, 2, 3],
  [0, 2, 3, 5, 4, 2, 3, 1],
];

type Harmony = { scale: readonly number[]; roots: readonly number[]; tonic: number };
/** How long a chord lasts in beats, drawn for each one. */
type Lasting = () => number;
type Chord = { atBeat: number; beats: number; root: number };

/** Returns slow music of pads whose beat is an arpeggio, a soft bass or both, 60 to 100 BPM, without drums. */
export function pulsingAmbient(random: Random): Piece {
  const bpm = Math.round(random.between(60, 100));
  const beats = (SECONDS * bpm) / 60;
  const { harmony, key } = harmonyOf(random);
  const lasting = random.pick([2, 4, 4, 8, 8]);
  const chords = chordsOf(random, harmony, { beats, lasting: () => lasting });
  const [hasArpeggio, hasBass] = random.pick([[true, false], [true, false], [false, true], [true, true]]); // biome-ignore format: pairs
  const from = random.chance(0.4) ? 8 : 0;
  const notes = [
    ...padNotes(chords, harmony),
    ...(hasArpeggio ? arpeggio(random, chords, harmony).filter(({ atBeat }) => atBeat >= from) : []),
    ...(hasBass ? pulse(random, chords, harmony).filter(({ atBeat }) => atBeat >= from) : []),
  ];
  return piece(random, { bpm, notes, truth: { group: "pulse", bpm, key, levels: [1] } });
}

/** Returns pads that change at no measure or never, with or without bells at random: nothing to count. */
export function beatlessAmbient(random: Random): Piece {
  const { harmony, key } = harmonyOf(random);
  const isDrone = random.chance(0.3);
  const lasting = () => (isDrone ? SECONDS : random.between(3, 11));
  const chords = chordsOf(random, harmony, { beats: SECONDS, lasting });
  const rate = random.pick([0, 0, 0.3, 0.7, 1.2]);
  const bells: Note[] = [];
  if (rate > 0)
    for (let at = 0; at < SECONDS; at += -Math.log(1 - random.unit()) / rate) {
      const root = chords.findLast(({ atBeat }) => atBeat <= at)?.root ?? 0;
      const pitch = degree(harmony, root + random.pick([0, 2, 4, 7, 9]), 60);
      bells.push({
        atBeat: at,
        beats: random.between(1, 4),
        channel: 1,
        pitch,
        velocity: 45 + random.normal(8),
      });
    }
  const notes = [...padNotes(chords, harmony), ...bells];
  return piece(random, { bpm: 60, notes, truth: { group: "beatless", bpm: null, key, levels: [1] } });
}

type Unfinished = { bpm: number; notes: readonly Note[]; truth: Piece["truth"] };

function piece(random: Random, { bpm, notes, truth }: Unfinished): Piece {
  const programs = new Map([
    [0, random.pick(PADS)],
    // Sounds that swell are as usual for it as sounds that are struck.
    [1, random.pick(random.chance(0.4) ? PADS : PLUCKED)],
    [2, random.pick(BASSES)],
  ]);
  return { score: { tempi: [{ atBeat: 0, bpm }], programs, cents: 0, notes }, truth };
}

function harmonyOf(random: Random): { harmony: Harmony; key: string } {
  const mode = random.pick(["major", "minor"] as const);
  const tonic = Math.floor(random.between(0, 12));
  const harmony = { scale: SCALES[mode], roots: ROOTS[mode], tonic };
  return { harmony, key: `${KEY_TONICS[tonic]} ${mode}` };
}

function chordsOf(
  random: Random,
  { roots }: Harmony,
  { beats, lasting }: { beats: number; lasting: Lasting },
): Chord[] {
  const chords: Chord[] = [];
  for (let at = 0; at < beats; at += chords.at(-1)?.beats ?? 1)
    chords.push({ atBeat: at, beats: lasting(), root: at === 0 ? 0 : random.pick(roots) });
  return chords;
}

const degree = ({ scale, tonic }: Harmony, step: number, lowest: number) =>
  lowest + tonic + semitonesAt(scale, step);

function padNotes(chords: readonly Chord[], harmony: Harmony): Note[] {
  return chords.flatMap(({ atBeat, beats, root }) =>
    [0, 2, 4].map((step) => ({
      atBeat,
      beats,
      channel: 0,
      pitch: degree(harmony, root + step, 48),
      velocity: 62,
    })),
  );
}

function arpeggio(random: Random, chords: readonly Chord[], harmony: Harmony): Note[] {
  const [step, figure, velocity] = [
    random.pick([0.5, 0.5, 1, 0.25]),
    random.pick(FIGURES),
    random.between(38, 70),
  ];
  const loose = random.pick([0, 0.005, 0.015]);
  return chords.flatMap(({ atBeat, beats, root }) =>
    Array.from({ length: Math.floor(beats / step) }, (_, i) => ({
      atBeat: Math.max(0, atBeat + i * step + random.normal(loose)),
      beats: step * 1.8,
      channel: 1,
      pitch: degree(harmony, root + 2 * (figure[i % figure.length] ?? 0), 60),
      velocity: velocity + random.normal(4) + ((i * step) % 1 === 0 ? 5 : 0),
    })),
  );
}

function pulse(random: Random, chords: readonly Chord[], harmony: Harmony): Note[] {
  const [every, velocity] = [random.pick([1, 1, 2, 0.5]), random.between(45, 75)];
  return chords.flatMap(({ atBeat, beats, root }) =>
    Array.from({ length: Math.floor(beats / every) }, (_, i) => ({
      atBeat: atBeat + i * every,
      beats: every * 0.7,
      channel: 2,
      pitch: degree(harmony, root, 36),
      velocity: velocity + random.normal(3),
    })),
  );
}
