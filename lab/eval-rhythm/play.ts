import type { SectionKind } from "../../src/audio/structure/names.ts";
import type { Note } from "../eval-audio/midi-file.ts";
import type { Random } from "../eval-audio/random.ts";
import { DRUMS, SCALES, semitonesAt, TRIAD } from "../eval-audio/scales.ts";
import { type Bar, bassPattern, chordPattern, drumPatterns, type Pattern } from "./bars.ts";

const PROGRESSIONS = [
  [0, 5, 3, 4],
  [0, 3, 4, 0],
  [0, 4, 5, 3],
  [5, 3, 0, 4],
  [0, 2, 3, 4],
  [3, 0, 4, 0],
  [0, 6, 5, 4],
  [0, 1, 4, 0],
];

/** What plays in a section, 0 (rests) to 1 (everything). */
export type Scoring = {
  kind: SectionKind;
  bars: number;
  drums: number;
  bass: number;
  chords: number;
  lead: number;
  loud: number;
  part: number;
};

type Feel = { swing: number; jitterSec: number; bpm: number };
type Tune = { step: number; degree: number; steps: number }[];

/** A bar that is being written. */
type Stage = {
  random: Random;
  bar: Bar;
  scoring: Scoring;
  inSection: number;
  /** The degree of the chord at a step, and the pitch of a degree in an octave. */
  root(step: number): number;
  pitch(degree: number, octave: number): number;
  add(step: number, note: Omit<Note, "atBeat">): void;
};

/** Returns the notes of a piece, their times in steps. */
export function play(random: Random, bar: Bar, plan: readonly Scoring[], feel: Feel): Note[] {
  const notes: Note[] = [];
  const tonic = Math.floor(random.unit() * 12);
  const scale = random.pick(Object.values(SCALES));
  const jitter = (feel.jitterSec * feel.bpm * bar.stepsPerBeat) / 60;
  const parts = [0, 1, 2].map(() => partOf(random, bar));
  const perChord = random.pick([0.5, 1, 1, 1, 2]);
  const pitch = (degree: number, octave: number) => tonic + semitonesAt(scale, degree) + 12 * octave;
  const bars = plan.flatMap((scoring) =>
    Array.from({ length: scoring.bars }, (_, inSection) => ({ scoring, inSection })),
  );
  for (const [index, { scoring, inSection }] of bars.entries()) {
    const part = parts[scoring.part];
    if (!part) continue;
    const chordAt = (step: number) => {
      const isLate = perChord < 1 && step >= bar.steps / 2;
      return Math.floor((inSection + (isLate ? 0.5 : 0)) / perChord) % 4;
    };
    playBar(
      {
        ...{ random, bar, scoring, inSection, pitch },
        root: (step) => part.progression[chordAt(step)] ?? 0,
        add: (step, note) =>
          notes.push({
            ...note,
            atBeat: Math.max(0, index * bar.steps + swung(bar, feel.swing, step) + random.normal(jitter)),
          }),
      },
      part,
    );
  }
  return notes;
}

type Part = ReturnType<typeof partOf>;

const partOf = (random: Random, bar: Bar) => ({
  progression: random.pick(PROGRESSIONS),
  drums: drumPatterns(random, bar, 1),
  bass: bassPattern(random, bar),
  chords: chordPattern(random, bar),
  tunes: [tuneOf(random, bar), tuneOf(random, bar)],
});

/** The steps of a beat's second half come later, those of its first half by degrees. */
function swung({ stepsPerBeat }: Bar, swing: number, step: number): number {
  const inBeat = step % stepsPerBeat;
  if (swing === 0.5 || inBeat === 0) return step;
  const half = stepsPerBeat / 2;
  const share = inBeat < half ? inBeat / half : (stepsPerBeat - inBeat) / half;
  return step + share * (swing - 0.5) * stepsPerBeat;
}

function playBar(stage: Stage, part: Part): void {
  const { drums, bass, chords, lead, kind } = stage.scoring;
  if (drums > 0) playDrums(stage, part.drums);
  if (bass > 0) playBass(stage, part.bass);
  if (chords > 0) playChords(stage, part.chords);
  if (kind === "chorus-like") playPad(stage);
  if (lead > 0 && (kind !== "other" || stage.inSection % 8 < 6))
    playTune(stage, part.tunes[stage.inSection % 4 === 3 ? 1 : 0] ?? []);
}

function playDrums(stage: Stage, drums: Map<number, Pattern>): void {
  const { random, scoring, inSection, add } = stage;
  const isFilled = (inSection + 1) % 4 === 0 && random.chance(0.4);
  const hits = [...drums].flatMap(([pitch, pattern]) => pattern.map((hit) => ({ pitch, ...hit })));
  for (const { pitch, step, weight } of hits.filter(() => !random.chance(0.03))) {
    const isOpen = scoring.kind === "chorus-like" && pitch === 42;
    const velocity = (104 * weight + random.normal(6)) * scoring.loud;
    add(step, { beats: 1, channel: DRUMS, pitch: isOpen ? 46 : pitch, velocity });
  }
  if (inSection === 0 && scoring.kind !== "other" && random.chance(0.6))
    add(0, { beats: 4, channel: DRUMS, pitch: 49, velocity: 105 * scoring.loud });
  if (isFilled) playFill(stage);
}

function playFill({ random, bar, scoring, add }: Stage): void {
  for (let step = bar.steps - bar.stepsPerBeat; step < bar.steps; step++)
    add(step, {
      beats: 1,
      channel: DRUMS,
      pitch: random.pick([38, 45, 47, 48]),
      velocity: 90 * scoring.loud,
    });
}

function playBass({ random, scoring, root, pitch, add }: Stage, pattern: Pattern): void {
  for (const { step, weight } of pattern) {
    const isRoot = random.chance(step === 0 ? 0.97 : 0.75);
    const low = pitch(root(step) + (isRoot ? 0 : 4), 3);
    add(step, {
      beats: 2,
      channel: 0,
      pitch: low > 50 ? low - 12 : low,
      velocity: 100 * weight * scoring.loud,
    });
  }
}

function playChords(
  { bar, scoring, root, pitch, add }: Stage,
  { pattern, isBroken }: { pattern: Pattern; isBroken: boolean },
): void {
  for (const [i, { step, weight }] of pattern.entries()) {
    const next = pattern[i + 1]?.step ?? bar.steps;
    const degrees = isBroken ? [[0, 2, 4, 2][i % 4] ?? 0] : TRIAD;
    for (const degree of degrees) {
      const high = pitch(root(step) + degree, 5);
      add(step, {
        beats: 0.9 * (next - step),
        channel: 1,
        pitch: high > 76 ? high - 12 : high,
        velocity: 76 * weight * scoring.loud,
      });
    }
  }
}

function playPad({ bar, root, pitch, add }: Stage): void {
  for (const third of TRIAD)
    add(0, { beats: bar.steps * 0.95, channel: 3, pitch: pitch(root(0) + third, 5), velocity: 75 });
}

function playTune({ random, scoring, root, pitch, add }: Stage, tune: Tune): void {
  const octave = scoring.kind === "chorus-like" ? 6 : 5;
  for (const { step, degree, steps } of tune.filter(() => random.chance(0.6 + 0.4 * scoring.lead)))
    add(step, {
      beats: steps * 0.9,
      channel: 2,
      pitch: pitch(root(0) + degree, octave),
      velocity: 92 * scoring.loud,
    });
}

/** Returns a bar of melody: degrees above the root of its chord. */
function tuneOf(random: Random, bar: Bar): Tune {
  const notes: Tune = [];
  const half = bar.stepsPerBeat / (bar.metre === "6/8" ? 3 : 2);
  let degree = random.pick([0, 2, 4]);
  for (let step = random.chance(0.75) ? 0 : half; step < bar.steps; ) {
    const steps = random.pick([half, half, 2 * half, 2 * half, 3 * half]);
    notes.push({ step, degree, steps: Math.min(steps, bar.steps - step) });
    degree = Math.max(-3, Math.min(9, degree + random.pick([-2, -1, -1, 0, 1, 1, 2])));
    step += steps;
  }
  return notes.filter(() => random.chance(0.9));
}
