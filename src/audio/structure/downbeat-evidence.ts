import { changeAtSec, type Harmony } from "./harmony.ts";

/** The strength of everything on each count of a piece. */
export type Counts = {
  /** Seconds of each count. */
  times: Float64Array;
  /** Of each view, low to total, then changes of the upper harmony and of the bass; each of mean 1. */
  strengths: readonly Float32Array[];
};

const NAMES = ["low", "body", "middle", "high", "total", "harmony", "bass"];
/** Counts from a bar's first at which strengths are compared. */
const PLACES = ["first", "second", "last", "half"];

/** Returns the names of the values of {@link downbeatEvidence}, in order. */
export function downbeatEvidenceNames(): string[] {
  return [
    ...NAMES.flatMap((name) => PLACES.map((place) => `${name} on the ${place}`)),
    "changes every two bars",
    "changes every four bars",
    "low every four bars",
    "high every four bars",
    "starts the piece",
  ];
}

/** Frames around a count within which its onset is. */
const REACH = 4;

/** Returns the strengths on each count. @param frames The frames of the counts. @param toSec From a frame to seconds. */
export function countStrengths(
  excesses: readonly Float32Array[],
  harmony: Harmony,
  frames: Float64Array,
  toSec: (frame: number) => number,
): Counts {
  const times = frames.map(toSec);
  const onsets = excesses.map((excess) => Float32Array.from(frames, (frame) => highestNear(excess, frame)));
  const changes = harmony.changes.map((change) =>
    Float32Array.from(times, (sec) => changeAtSec(change, harmony, sec)),
  );
  return { times, strengths: [...onsets, ...changes].map(ofMeanOne) };
}

function highestNear(values: Float32Array, frame: number): number {
  let highest = 0;
  for (let i = Math.max(0, Math.round(frame) - REACH); i <= frame + REACH && i < values.length; i++)
    highest = Math.max(highest, values[i] as number);
  return highest;
}

function ofMeanOne(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return mean > 0 ? values.map((value) => value / mean) : values;
}

/** Returns the evidence that bars of `length` counts begin on count `phase`. */
export function downbeatEvidence({ strengths }: Counts, length: number, phase: number): number[] {
  const places = [0, 1, length - 1, Math.floor(length / 2)];
  const means = strengths.map((values) =>
    places.map((place) => meanAt(values, (phase + place) % length, length) - 1),
  );
  const changes = strengths[5] ?? new Float32Array(0);
  const phrase = (values: Float32Array, bars: number) => {
    const sums = Array.from({ length: bars }, (_, bar) =>
      meanAt(values, phase + bar * length, bars * length),
    );
    return Math.max(...sums) - sums.reduce((sum, value) => sum + value, 0) / bars;
  };
  return [
    ...means.flat(),
    phrase(changes, 2),
    phrase(changes, 4),
    phrase(strengths[0] ?? changes, 4),
    phrase(strengths[3] ?? changes, 4),
    phase === 0 ? 1 : 0,
  ];
}

function meanAt(values: Float32Array, from: number, step: number): number {
  let sum = 0;
  let count = 0;
  for (let i = from; i < values.length; i += step) {
    sum += values[i] as number;
    count++;
  }
  return count > 0 ? sum / count : 1;
}
