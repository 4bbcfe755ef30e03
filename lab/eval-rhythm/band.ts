import type { MetreName } from "../../src/audio/structure/names.ts";
import type { Score } from "../eval-audio/midi-file.ts";
import { drift } from "../eval-audio/music.ts";
import type { Random } from "../eval-audio/random.ts";
import { barOf } from "./bars.ts";
import type { RhythmClip, TrueSection } from "./clip.ts";
import { play, type Scoring } from "./play.ts";

/** A piece and what is known of its rhythm. */
export type RhythmPiece = {
  score: Score;
  seconds: number;
  truth: Pick<RhythmClip, "metre" | "bpm" | "barSec" | "firstSec" | "swing" | "sections">;
};

const BASSES = [32, 33, 34, 36, 38, 39, 43];
const CHORDS = [0, 4, 24, 25, 27, 29, 48, 50, 89, 21, 16];
const LEADS = [73, 40, 66, 80, 81, 26, 56, 11, 22, 71];
const PADS = [48, 50, 52, 89, 90, 61];

/** Returns a piece in a metre: one part over and over, or, with `isWhole`, a song of several sections. */
export function rhythmPiece(random: Random, metre: MetreName, isWhole: boolean): RhythmPiece {
  const bar = barOf(random, metre);
  const bpm = Math.round(random.between(bar.slow, bar.fast) * 10) / 10;
  const barSec = (60 * bar.steps) / bar.stepsPerBeat / bpm;
  const plan = isWhole ? song(random, barSec) : oneScoring(random, Math.ceil(46 / barSec));
  const swing = metre === "4/4" && random.chance(0.35) ? random.between(0.58, 0.68) : 0.5;
  const bars = plan.reduce((sum, { bars: count }) => sum + count, 0);
  const quartersPerBeat = (bar.quarters * bar.stepsPerBeat) / bar.steps;
  const leadIn = random.between(0, 0.6);
  const offset = (leadIn * bpm * quartersPerBeat) / 60;
  const notes = play(random, bar, plan, { swing, jitterSec: random.pick([0.003, 0.008, 0.014]), bpm });
  return {
    score: {
      tempi:
        isWhole || random.chance(0.75)
          ? [{ atBeat: 0, bpm: bpm * quartersPerBeat }]
          : constantMean(random, bpm * quartersPerBeat, bars * bar.quarters),
      programs: new Map([
        [0, random.pick(BASSES)],
        [1, random.pick(CHORDS)],
        [2, random.pick(LEADS)],
        [3, random.pick(PADS)],
      ]),
      cents: random.chance(0.2) ? random.between(-40, 40) : 0,
      notes: notes.map((note) => ({
        ...note,
        atBeat: offset + note.atBeat * (bar.quarters / bar.steps),
        beats: note.beats * (bar.quarters / bar.steps),
      })),
    },
    seconds: leadIn + bars * barSec + 2,
    truth: {
      metre,
      bpm,
      barSec,
      firstSec: leadIn,
      ...(metre === "4/4" && { swing }),
      ...(isWhole && { sections: sectionsOf(plan, barSec, leadIn) }),
    },
  };
}

/** Tempo that wanders by half a per cent only: bar lines stay where they are within a tenth of a second. */
const constantMean = (random: Random, bpm: number, beats: number) =>
  drift(random, { bpm, beats, span: 0.002 });

function sectionsOf(plan: readonly Scoring[], barSec: number, leadIn: number): TrueSection[] {
  let bars = 0;
  return plan.map(({ kind, bars: count }) => {
    const section = { kind, startSec: bars === 0 ? 0 : leadIn + bars * barSec };
    bars += count;
    return section;
  });
}

function oneScoring(random: Random, bars: number): Scoring[] {
  const drums = random.pick([0, 1, 1, 1]);
  return [
    {
      kind: "other",
      bars,
      drums,
      bass: Number(drums === 0 || random.chance(0.85)),
      chords: Number(random.chance(0.9)),
      lead: Number(random.chance(0.7)),
      loud: 0.9,
      part: 0,
    },
  ];
}

/** Returns a song: an introduction, verses and choruses, a break, an ending. */
function song(random: Random, barSec: number): Scoring[] {
  const long = barSec < 1.6 ? 16 : 8;
  const drums = Number(random.chance(0.9));
  const intro = random.pick([
    { drums: 0, bass: 0, chords: 1, lead: 0 },
    { drums: 1, bass: 0, chords: 0, lead: 0 },
    { drums: 0, bass: 1, chords: 1, lead: 0 },
    { drums: 1, bass: 1, chords: 1, lead: 0 },
  ]);
  const verse: Scoring = {
    kind: "verse-like",
    bars: long,
    drums,
    bass: 1,
    chords: 1,
    lead: 0.6,
    loud: random.between(0.72, 0.82),
    part: 0,
  };
  const chorus: Scoring = {
    kind: "chorus-like",
    bars: long,
    drums: 1,
    bass: 1,
    chords: 1,
    lead: 1,
    loud: 1,
    part: 1,
  };
  const brk: Scoring = {
    kind: "break",
    bars: long / 2,
    ...random.pick([
      { drums: 0, bass: 0, chords: 1, lead: 0.5 },
      { drums: 0, bass: 1, chords: 1, lead: 0 },
    ]),
    loud: 0.6,
    part: 2,
  };
  const start: Scoring = {
    kind: "intro",
    bars: random.pick([4, 8]) * (long / 8),
    ...intro,
    loud: 0.65,
    part: 0,
  };
  const end: Scoring = {
    kind: "end",
    bars: 4 * (long / 8),
    drums: 0,
    bass: Number(random.chance(0.5)),
    chords: 1,
    lead: 0,
    loud: 0.55,
    part: 0,
  };
  return random.pick([
    [start, verse, chorus, verse, chorus, brk, chorus, end],
    [start, verse, chorus, brk, chorus, end],
    [start, verse, verse, chorus, verse, chorus, end],
    [start, verse, chorus, verse, chorus, end],
    [start, chorus, verse, chorus, brk, verse, chorus, end],
  ]);
}
