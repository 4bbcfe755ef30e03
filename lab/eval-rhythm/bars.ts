import type { MetreName } from "../../src/audio/structure/names.ts";
import type { Random } from "../eval-audio/random.ts";

/** How a bar is divided: steps in all, steps of a counted beat, and the steps at which its groups begin. */
export type Bar = {
  metre: MetreName;
  steps: number;
  stepsPerBeat: number;
  groups: readonly number[];
  /** Quarters per bar, for MIDI. */
  quarters: number;
  /** Counted beats per minute. */
  slow: number;
  fast: number;
};

/** Returns a way to divide a bar of a metre. */
export function barOf(random: Random, metre: MetreName): Bar {
  const bar = (
    groups: readonly number[],
    stepsPerBeat: number,
    steps: number,
    quarters: number,
    [slow, fast]: readonly [number, number],
  ): Bar => ({ metre, steps, stepsPerBeat, groups, quarters, slow, fast });
  switch (metre) {
    case "4/4":
      return bar([0, 4, 8, 12], 4, 16, 4, [66, 172]);
    case "3/4":
      return bar([0, 4, 8], 4, 12, 3, [78, 188]);
    case "6/8":
      return random.chance(0.3) ? bar([0, 6, 12, 18], 6, 24, 6, [48, 96]) : bar([0, 6], 6, 12, 3, [48, 128]);
    case "5/4":
      return bar(random.chance(0.7) ? [0, 4, 8, 12, 16] : [0, 4, 8, 12, 16], 4, 20, 5, [88, 184]);
    case "7/8":
      return bar(
        random.pick([
          [0, 4, 8],
          [0, 4, 10],
          [0, 6, 10],
        ]),
        4,
        14,
        3.5,
        [88, 170],
      );
  }
}

/** Hits of one bar: for each drum or part, its steps and how hard each is played. */
export type Pattern = readonly { step: number; weight: number }[];

const KICK = 36;
const SNARES = [38, 40, 39, 37];
const HATS = [42, 42, 51, 70, 54];

/** Returns drums for a bar, by the pitch of each. Empty when `fullness` is 0. */
export function drumPatterns(random: Random, bar: Bar, fullness: number): Map<number, Pattern> {
  if (fullness === 0) return new Map();
  const beats = bar.metre === "7/8" ? bar.groups : stepsOf(bar.stepsPerBeat, bar.steps);
  const half = bar.stepsPerBeat / (bar.metre === "6/8" ? 3 : 2);
  return new Map<number, Pattern>([
    [KICK, kicks(random, bar, beats, half)],
    [random.pick(SNARES), snares(random, bar, beats, half)],
    [random.pick(HATS), hats(random, bar, beats, half)],
  ]);
}

const stepsOf = (every: number, until: number, from = 0) =>
  Array.from({ length: Math.ceil((until - from) / every) }, (_, i) => from + i * every);
const unique = (pattern: Pattern): Pattern => [...new Map(pattern.map((hit) => [hit.step, hit])).values()];

function kicks(random: Random, bar: Bar, beats: readonly number[], half: number): Pattern {
  if (random.chance(0.22)) return beats.map((step) => ({ step, weight: 1 }));
  const often = random.pick([0.1, 0.3, 0.5]);
  const off = random.pick([0, 0.1, 0.25]);
  return unique([
    ...(random.chance(0.93) ? [{ step: 0, weight: 1 }] : []),
    ...beats
      .slice(1)
      .filter((_, i) => i % 2 === 1 && random.chance(0.6))
      .map((step) => ({ step, weight: 0.95 })),
    ...bar.groups
      .slice(1)
      .filter(() => random.chance(often))
      .map((step) => ({ step, weight: 0.9 })),
    ...stepsOf(half, bar.steps, half)
      .filter(() => random.chance(off))
      .map((step) => ({ step, weight: 0.85 })),
  ]);
}

function snares(random: Random, bar: Bar, beats: readonly number[], half: number): Pattern {
  const ghost = random.pick([0, 0, 0.1, 0.2]);
  const ghosts = stepsOf(half, bar.steps, half)
    .filter(() => random.chance(ghost))
    .map((step) => ({ step, weight: 0.5 }));
  return unique([...ghosts, ...backbeats(random, bar, beats).map((step) => ({ step, weight: 1 }))]);
}

function backbeats(
  random: Random,
  { metre, steps, groups }: Bar,
  beats: readonly number[],
): readonly number[] {
  switch (metre) {
    case "4/4":
      return random.chance(0.18) ? [8] : random.chance(0.1) ? [] : [4, 12];
    case "3/4":
      return random.pick([[4, 8], [8], [4], []]);
    case "6/8":
      return steps === 24 ? [6, 18] : [6];
    case "5/4":
      return random.pick([[12], [4, 12], [8], [4, 12, 16], [12, 16]]);
    case "7/8":
      return random.chance(0.6) ? groups.slice(1) : beats.slice(-1);
  }
}

function hats(random: Random, bar: Bar, beats: readonly number[], half: number): Pattern {
  const kind = random.unit();
  if (kind < 0.1) return [];
  const every = kind < 0.25 ? undefined : kind < 0.8 || bar.metre === "6/8" ? half : half / 2;
  const steps = every === undefined ? beats : stepsOf(every, bar.steps);
  const accent = random.between(0.6, 0.95);
  const drop = random.pick([0, 0, 0.1]);
  return steps
    .filter(() => !random.chance(drop))
    .map((step) => ({ step, weight: beats.includes(step) ? 1 : accent }));
}

/** Returns when a bass plays in a bar. */
export function bassPattern(random: Random, bar: Bar): Pattern {
  const half = bar.stepsPerBeat / (bar.metre === "6/8" ? 3 : 2);
  const kind = random.unit();
  const steps =
    kind < 0.3
      ? bar.groups.filter((_, i) => i === 0 || random.chance(0.5))
      : kind < 0.5
        ? bar.groups
        : kind < 0.7
          ? stepsOf(half, bar.steps)
          : [0, ...stepsOf(half, bar.steps, half).filter(() => random.chance(0.35))];
  return steps.map((step) => ({ step, weight: step === 0 ? 1 : 0.9 }));
}

/** Returns when chords are struck in a bar, and whether they are broken into single notes. */
export function chordPattern(random: Random, bar: Bar): { pattern: Pattern; isBroken: boolean } {
  const half = bar.stepsPerBeat / (bar.metre === "6/8" ? 3 : 2);
  const kind = random.unit();
  if (kind < 0.2) return { pattern: [{ step: 0, weight: 0.9 }], isBroken: false };
  if (kind < 0.4) return { pattern: bar.groups.map((step) => ({ step, weight: 0.9 })), isBroken: false };
  if (kind < 0.55)
    return { pattern: bar.groups.slice(1).map((step) => ({ step, weight: 0.9 })), isBroken: false };
  if (kind < 0.75)
    return {
      pattern: stepsOf(half, bar.steps).map((step) => ({ step, weight: step === 0 ? 1 : 0.8 })),
      isBroken: true,
    };
  const steps = stepsOf(half, bar.steps).filter(() => random.chance(0.45));
  return { pattern: steps.map((step) => ({ step, weight: 0.85 })), isBroken: false };
}
