import { CHORDS, type ChordWalk, indexOfLargest, walkChords } from "./chords.ts";
import type { Chroma } from "./chroma.ts";
import { KEY_PROFILES } from "./key-profiles.ts";

/** Keys are numbered C major to B major (0..11), then C minor to B minor (12..23). */
export const KEYS = 24;

const MAJOR_SCALE = [0, 2, 4, 5, 7, 9, 11];
const MINOR_SCALE = [0, 2, 3, 5, 7, 8, 10];

/** Names of the values of {@link keyEvidence}, in order. */
export const KEY_EVIDENCE = [
  "fit of Albrecht",
  "fit of Temperley",
  "fit of Faraldo",
  "fit of the scale",
  "bass fit of the scale",
  "segments' fit",
  "segments won",
  "bass on tonic",
  "bass on third",
  "bass on fourth",
  "bass on fifth",
  "bass on sixth",
  "bass on seventh",
  "tonic",
  "third",
  "fifth",
  "seventh",
  "raised seventh",
  "tonic triad in segments",
  "opens on tonic",
  "minor",
  "chord of the tonic",
  "chord of the dominant",
  "chord of the subdominant",
  "chord of the relative key",
  "chord of the parallel key",
  "dominant to tonic",
  "subdominant to tonic",
  "away from tonic",
  "dominant to relative tonic",
  "opens on the tonic chord",
  "closes on the tonic chord",
  "bass rests on tonic",
  "bass rests on fifth",
  "strongest is tonic",
  "strongest is fifth",
  "last bass is tonic",
  "last strongest is tonic",
] as const;

/** What all keys share, computed once per recording. */
export type KeyContext = {
  chroma: Chroma;
  fits: Float64Array[];
  bassFits: Float64Array;
  segmentFit: Float64Array;
  segmentWins: Float64Array;
  triads: Float64Array;
  walk: ChordWalk;
  /** Share of moments in which each pitch class is the strongest in the bass, and above the bass. */
  bassLeads: Float64Array;
  upperLeads: Float64Array;
};

/** Prepares a recording's chroma for {@link keyEvidence}. */
export function keyContext(chroma: Chroma): KeyContext {
  const fits = KEY_PROFILES.map((profile) => profileFits(chroma.upper, profile));
  const scale = KEY_PROFILES.at(-1) as Profile;
  const perSegment = chroma.segments.map((segment) => profileFits(segment, scale));
  const winners = perSegment.map((fit) => indexOfLargest(fit));
  const share = (hits: number) => hits / Math.max(1, perSegment.length);
  return {
    chroma,
    fits,
    bassFits: profileFits(chroma.bass, scale),
    segmentFit: perKey((key) =>
      share(perSegment.reduce((sum, fit) => sum + Math.max(0, fit[key] as number) ** 2, 0)),
    ),
    segmentWins: perKey((key) => share(winners.filter((winner) => winner === key).length)),
    triads: perKey((key) => share(chroma.segments.reduce((sum, segment) => sum + triad(segment, key), 0))),
    walk: walkChords(chroma.moments),
    bassLeads: leads(chroma.moments.map(({ bass }) => bass)),
    upperLeads: leads(chroma.moments.map(({ upper }) => upper)),
  };
}

function leads(rows: readonly Float64Array[]): Float64Array {
  const sounding = rows.filter((row) => row.some((share) => share > 0));
  const counts = new Float64Array(12);
  for (const row of sounding) {
    const strongest = indexOfLargest(row);
    counts[strongest] = (counts[strongest] as number) + 1 / sounding.length;
  }
  return counts;
}

/** Returns the evidence for a key: one value per entry of KEY_EVIDENCE, about -1..3. */
export function keyEvidence(context: KeyContext, key: number): number[] {
  const { upper, bass, segments } = context.chroma;
  const isMinor = key >= 12;
  const scale = isMinor ? MINOR_SCALE : MAJOR_SCALE;
  // Chroma sums to 1: six times a typical share of a sixth has the size of a correlation.
  const on = (chroma: Float64Array, semitones: number) => 6 * (chroma[(key + semitones) % 12] as number);
  const degree = (chroma: Float64Array, index: number) => on(chroma, scale[index] as number);
  const otherThird = isMinor ? 4 : 3;
  return [
    ...context.fits.map((fit) => fit[key] as number),
    context.bassFits[key] as number,
    context.segmentFit[key] as number,
    context.segmentWins[key] as number,
    degree(bass, 0),
    degree(bass, 2),
    degree(bass, 3),
    degree(bass, 4),
    degree(bass, 5),
    degree(bass, 6),
    degree(upper, 0),
    degree(upper, 2) - on(upper, otherThird),
    degree(upper, 4),
    degree(upper, 6),
    on(upper, 11),
    context.triads[key] as number,
    segments[0] ? triad(segments[0], key) : 0,
    isMinor ? 1 : 0,
    ...chordEvidence(context, key),
  ];
}

/** How many moments at the end are searched for the last note. */
const CLOSING_MOMENTS = 3;

function chordEvidence({ walk, bassLeads, upperLeads, chroma }: KeyContext, key: number): number[] {
  const tonic = key % 12;
  const isMinor = key >= 12;
  const major = (semitones: number) => (tonic + semitones) % 12;
  const minor = (semitones: number) => 12 + major(semitones);
  const share = (chord: number) => walk.shares[chord] as number;
  const move = (from: number, to: number) => walk.changes[from * CHORDS + to] as number;
  const relative = isMinor ? major(3) : minor(9);
  const relativeDominants = isMinor ? [major(10)] : [major(4), minor(4)];
  const dominants = isMinor ? [major(7), minor(7), major(10)] : [major(7)];
  const subdominants = isMinor ? [minor(5), major(5), major(8)] : [major(5), minor(2)];
  const sum = (chords: readonly number[], value: (chord: number) => number) =>
    chords.reduce((total, chord) => total + value(chord), 0);
  const ending = chroma.moments.slice(-CLOSING_MOMENTS);
  return [
    3 * share(key),
    3 * sum(dominants, share),
    3 * sum(subdominants, share),
    3 * share(relative),
    3 * share(isMinor ? major(0) : minor(0)),
    5 * sum(dominants, (chord) => move(chord, key)),
    5 * sum(subdominants, (chord) => move(chord, key)),
    5 * sum([...dominants, ...subdominants], (chord) => move(key, chord)),
    5 * sum(relativeDominants, (chord) => move(chord, relative)),
    walk.opening[key] as number,
    walk.closing[key] as number,
    3 * (bassLeads[tonic] as number),
    3 * (bassLeads[(tonic + 7) % 12] as number),
    3 * (upperLeads[tonic] as number),
    3 * (upperLeads[(tonic + 7) % 12] as number),
    leads(ending.map(({ bass }) => bass))[tonic] as number,
    leads(ending.map(({ upper }) => upper))[tonic] as number,
  ];
}

type Profile = (typeof KEY_PROFILES)[number];

function perKey(value: (key: number) => number): Float64Array {
  const values = new Float64Array(KEYS);
  for (let key = 0; key < KEYS; key++) values[key] = value(key);
  return values;
}

/** Returns the share of a chroma on the tonic triad of a key, times 3. */
function triad(chroma: Float64Array, key: number): number {
  const root = chroma[key % 12] as number;
  const third = chroma[(key + (key < 12 ? 4 : 3)) % 12] as number;
  const fifth = chroma[(key + 7) % 12] as number;
  return 3 * (root + third + fifth);
}

/** Returns the Pearson correlation of a chroma with a profile moved to each key's tonic; zeros for a flat chroma. */
export function profileFits(chroma: Float64Array, { major, minor }: Profile): Float64Array {
  return perKey((key) => correlate(chroma, key < 12 ? major : minor, key % 12));
}

function correlate(chroma: Float64Array, weights: readonly number[], tonic: number): number {
  const weightMean = sumOf(weights) / 12;
  const chromaMean = sumOf(chroma) / 12;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let degree = 0; degree < 12; degree++) {
    const x = (chroma[(degree + tonic) % 12] as number) - chromaMean;
    const y = (weights[degree] as number) - weightMean;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xx > 1e-12 ? xy / Math.sqrt(xx * yy) : 0;
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}
