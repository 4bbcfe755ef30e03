import { HEARD_INSTRUMENTS } from "./tags.ts";

/** The voices of a passage, beside its instruments. */
export const VOICES = "Vocals";
/** What is heard in each passage, in this order. */
export const PLACED_NAMES = [...HEARD_INSTRUMENTS, VOICES] as const;
export type PlacedName = (typeof PLACED_NAMES)[number];

/** Passages that are listened to at most; of longer recordings, as many that are evenly spread. */
export const MOST_PASSAGES = 240;
/** A likelihood of 1, as it is kept. */
export const CERTAIN = 255;

/** What was heard in a whole recording, passage by passage. */
export type HeardPassages = {
  /** From one passage to the next. */
  stepSec: number;
  /** For each of PLACED_NAMES the likelihood of each passage, 0 to CERTAIN; 0 where it is quiet. */
  likelihoods: Uint8Array<ArrayBuffer>;
};

/** A part of a recording, in seconds. */
export type Place = { fromSec: number; toSec: number };

/** A place begins where something is this likely, and goes on while it is no less likely than the second. */
const [BEGIN, GO_ON] = [0.5, 0.35];
/** What is heard in one passage alone is taken for a mistake. */
const LEAST_PASSAGES = 2;

/** Returns where something was heard, in order; `lengthSec` ends the last one. */
export function placesOf(heard: HeardPassages, name: PlacedName, lengthSec: number): Place[] {
  const smooth = smoothed(likelihoodsOf(heard, name));
  const places: Place[] = [];
  for (let from = 0; from < smooth.length; from++) {
    if (!isAtLeast(smooth[from], GO_ON)) continue;
    let to = from;
    let most = 0;
    while (isAtLeast(smooth[to], GO_ON)) most = Math.max(most, smooth[to++] as number);
    if (most >= BEGIN && to - from >= LEAST_PASSAGES)
      places.push({
        fromSec: rounded(from * heard.stepSec),
        toSec: rounded(to === smooth.length ? lengthSec : Math.min(lengthSec, to * heard.stepSec)),
      });
    from = to;
  }
  return places;
}

/** As many passages as an analysis listens to. */
const EXCERPT = 6;

/** Returns how likely something is in the excerpt where it is likeliest, 0 to 1: the mean of six passages in a row. */
export function likeliestIn(heard: HeardPassages, name: PlacedName): number {
  const all = likelihoodsOf(heard, name);
  const length = Math.min(EXCERPT, all.length);
  let most = 0;
  for (let from = 0; from + length <= all.length; from++)
    most = Math.max(
      most,
      all.slice(from, from + length).reduce((sum, each) => sum + each / length, 0),
    );
  return most;
}

/** Returns how likely something is in each passage, 0 to 1. */
function likelihoodsOf({ likelihoods }: HeardPassages, name: PlacedName): number[] {
  const passages = likelihoods.length / PLACED_NAMES.length;
  const from = PLACED_NAMES.indexOf(name) * passages;
  return Array.from(likelihoods.subarray(from, from + passages), (value) => value / CERTAIN);
}

/** Returns means of three passages, of which the middle one counts twice. */
function smoothed(values: readonly number[]): number[] {
  return values.map((value, i) => ((values[i - 1] ?? value) + 2 * value + (values[i + 1] ?? value)) / 4);
}

const isAtLeast = (value: number | undefined, least: number) => value !== undefined && value >= least;
const rounded = (seconds: number) => Math.round(10 * seconds) / 10;
