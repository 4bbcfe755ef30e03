import type { Clip } from "./clip.ts";
import type { Note, Score } from "./midi-file.ts";
import { drift, KEY_TONICS } from "./music.ts";
import type { Random } from "./random.ts";
import { SCALES, semitonesAt, TRIAD } from "./scales.ts";
import { readTune, TUNES, type Tune } from "./tunes.ts";

/** A piece and what is known about it. */
export type Piece = { score: Score; truth: Pick<Clip, "group" | "bpm" | "key" | "levels"> };

/** Fiddle, flute, whistle, accordion, banjo, guitars, harp, piano, pipes, mandolin-like. */
const SOLOISTS = [40, 73, 72, 21, 105, 24, 25, 46, 0, 109, 15, 22, 71, 110];
const SECONDS = 46;

/** Returns a tune played freely by one instrument, sometimes with a quiet accompaniment; no drums. */
export function folkPiece(random: Random): Piece {
  const tune = random.chance(0.5) ? random.pick(TUNES) : inventedDance(random);
  const bpm = Math.round(
    random.between(tune.unitsPerBeat === 3 ? 60 : 76, tune.unitsPerBeat === 3 ? 126 : 144),
  );
  const transposition = Math.floor(random.between(-5, 7));
  const beats = (SECONDS * bpm) / 60;
  const line = playTune(random, tune, { beats, transposition });
  const hasChords = random.chance(0.45);
  const under = hasChords ? accompaniment(random, tune, { beats, transposition }) : [];
  const tonic = KEY_TONICS[(tune.tonic + transposition + 24) % 12];
  return {
    score: {
      tempi: drift(random, { bpm, beats, span: random.pick([0, 0.01, 0.02]) }),
      programs: new Map([
        [0, random.pick(SOLOISTS)],
        [1, random.pick([24, 25, 0, 46, 21])],
      ]),
      cents: random.chance(0.3) ? Math.round(random.between(-45, 45)) : 0,
      notes: [...line, ...under],
    },
    truth: { group: "folk", bpm, levels: [1], key: `${tonic} ${tune.isMinor ? "minor" : "major"}` },
  };
}

type Playing = { beats: number; transposition: number };

function playTune(random: Random, tune: Tune, { beats, transposition }: Playing): Note[] {
  const jitter = random.pick([0.005, 0.015, 0.025]);
  const held = random.chance(0.4) ? 0.6 : 0.95;
  const notes: Note[] = [];
  const score = readTune(tune);
  let at = 0;
  while (at < beats)
    for (const { units, pitch } of score) {
      const length = units / tune.unitsPerBeat;
      const accent = Number.isInteger(at) ? 14 : 0;
      const velocity = 84 + accent + random.normal(6);
      if (pitch !== undefined)
        notes.push({
          atBeat: at + random.normal(jitter),
          beats: length * held,
          channel: 0,
          pitch: pitch + transposition,
          velocity,
        });
      at += length;
    }
  return notes;
}

/** Returns a bass note and chords on the degree that contains most of each bar's notes. */
function accompaniment(random: Random, tune: Tune, { beats, transposition }: Playing): Note[] {
  const scale = tune.isMinor ? SCALES.minor : SCALES.major;
  const barBeats = 2;
  const melody = playTune(random, tune, { beats, transposition });
  const root = 48 + ((tune.tonic + transposition + 24) % 12);
  const notes: Note[] = [];
  for (let bar = 0; bar * barBeats < beats; bar++) {
    const inBar = melody.filter(
      ({ atBeat }) => Math.floor((atBeat - tune.upbeat / tune.unitsPerBeat) / barBeats) === bar,
    );
    const best = [0, 3, 4]
      .map((degree) => {
        const chord = [0, 2, 4].map((step) => (root + (scale[(degree + step) % 7] ?? 0)) % 12);
        return { degree, hits: inBar.filter(({ pitch }) => chord.includes(pitch % 12)).length };
      })
      .sort((a, b) => b.hits - a.hits)[0];
    const degree = best?.degree ?? 0;
    const tone = (step: number) => root + semitonesAt(scale, degree + step) - (degree > 3 ? 12 : 0);
    const at = bar * barBeats + tune.upbeat / tune.unitsPerBeat;
    notes.push({ atBeat: at, beats: 0.9, channel: 1, pitch: tone(0) - 12, velocity: 64 });
    for (const step of TRIAD)
      notes.push({ atBeat: at + 1, beats: 0.8, channel: 1, pitch: tone(step), velocity: 52 });
  }
  return notes;
}

const RHYTHMS: Readonly<Record<2 | 3, readonly (readonly number[])[]>> = {
  2: [
    [2, 2, 2, 2],
    [1, 1, 1, 1, 2, 2],
    [2, 1, 1, 2, 2],
    [3, 1, 2, 2],
    [1, 1, 2, 1, 1, 2],
    [1, 1, 1, 1, 1, 1, 1, 1],
    [4, 2, 2],
  ],
  3: [
    [1, 1, 1, 1, 1, 1],
    [2, 1, 1, 1, 1],
    [2, 1, 2, 1],
    [1, 1, 1, 2, 1],
    [3, 1, 1, 1],
    [1, 1, 1, 3],
  ],
};

/** Returns an eight-bar dance of two strains, AABB, each ending on the tonic. */
function inventedDance(random: Random): Tune {
  const unitsPerBeat = random.chance(0.35) ? 3 : 2;
  const isMinor = random.chance(0.4);
  const scale = isMinor ? SCALES.minor : SCALES.major;
  const names = ["C", "^C", "D", "^D", "E", "F", "^F", "G", "^G", "A", "^A", "B"];
  const spell = (degree: number) => {
    const octave = Math.floor(degree / 7);
    const name = names[scale[degree - 7 * octave] ?? 0] ?? "C";
    return octave > 0 ? name.toLowerCase() : octave < 0 ? `${name},` : name;
  };
  const strain = (low: number, high: number) => {
    const motifs = [random.pick(RHYTHMS[unitsPerBeat]), random.pick(RHYTHMS[unitsPerBeat])];
    const starts = [0, 4, 3, 4, 0, 2, 4, 0];
    return starts.map((start, bar) => {
      if (bar === 7)
        return unitsPerBeat === 3
          ? `${spell(1)}${spell(4)}${spell(1)}${spell(0)}3`
          : `${spell(1)}2${spell(4)}2${spell(0)}4`;
      let degree = start + low;
      return (motifs[bar % 2] ?? [])
        .map((units) => {
          const note = `${spell(degree)}${units}`;
          degree = Math.max(low - 2, Math.min(high, degree + random.pick([-2, -1, -1, 1, 1, 2])));
          return note;
        })
        .join("");
    });
  };
  const [a, b] = [strain(0, 6), strain(2, 9)];
  return {
    name: "invented",
    tonic: 0,
    isMinor,
    unitsPerBeat,
    upbeat: 0,
    notes: [a, a, b, b].flat().join(" "),
  };
}
