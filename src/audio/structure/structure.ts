import type { Spectral } from "../descriptors/spectral.ts";
import { bentSum, softmax } from "../dsp/logit.ts";
import type { PitchHistograms } from "../key/pitch-histogram.ts";
import { type Rhythm, TOTAL_VIEW } from "../tempo/rhythm.ts";
import type { TempoCandidate } from "../tempo/tempo.ts";
import { alternativeTempo } from "./alternative-tempo.ts";
import { barFeatures } from "./bar-features.ts";
import { trackBeats } from "./beats.ts";
import { type Counts, countStrengths, downbeatEvidence } from "./downbeat-evidence.ts";
import { DOWNBEAT_WEIGHTS } from "./downbeat-weights.ts";
import { type Harmony, harmonyOf } from "./harmony.ts";
import { COUNTINGS, type Counting, metreBasis, metreEvidence } from "./metre-evidence.ts";
import { METRE_WEIGHTS } from "./metre-weights.ts";
import type { MetreName } from "./names.ts";
import { findSections, type Section } from "./sections.ts";
import { swingOf } from "./swing.ts";

/** How a recording is counted and divided. */
export type Structure = {
  /** Beats per minute by which others count the same music; null when most agree. */
  alternativeBpm: number | null;
  /** Null when none is sure enough. */
  metre: MetreName | null;
  /** 0..1; 0 without a metre. */
  metreConfidence: number;
  /** Seconds of the first of each bar; empty when the metre or its first beat is not sure. */
  downbeats: number[];
  /** Place of the off-beat within a beat: 0.5 even, 0.67 a triplet; null when nothing plays there. */
  swing: number | null;
  sections: Section[];
};

/** What a structure is found in. */
export type StructureSources = {
  rhythm: Rhythm;
  tempo: { bpm: number | null; candidates: readonly TempoCandidate[] };
  pitches: PitchHistograms;
  fingerprint: Spectral["fingerprint"];
  durationSec: number;
};

/** A metre below this probability is not named. */
const SURE_METRE = 0.7;
/** A first beat below this probability is not named. */
const SURE_DOWNBEAT = 0.45;
/** A frame's onset is heard so much after the frame begins. */
export const ONSET_DELAY_SEC = 0.03;
export const CLASS_RATE_HZ = 22_050 / 4096;
export const CLASS_FIRST_SEC = 8192 / 22_050;
/** Where no bar is known, and for bars that are shorter. */
const PLAIN_BAR_SEC = 2;
const SHORTEST_BAR_SEC = 1.2;

/** Returns how a recording is counted and divided. */
export function findStructure(sources: StructureSources): Structure {
  const { rhythm, tempo, pitches, fingerprint, durationSec } = sources;
  const harmony = harmonyOf(pitches.classes, CLASS_RATE_HZ, CLASS_FIRST_SEC);
  const counted = tempo.bpm === null ? undefined : countBars(rhythm, harmony, tempo.bpm);
  const starts = barStarts(counted?.bars ?? new Float64Array(0), durationSec);
  const onset = rhythm.excesses[TOTAL_VIEW] ?? new Float32Array(0);
  const features = barFeatures(starts, {
    columns: fingerprint.columns,
    classes: pitches.classes,
    classRateHz: CLASS_RATE_HZ,
    classFirstSec: CLASS_FIRST_SEC,
    onset,
    onsetHz: rhythm.rateHz,
  });
  return {
    alternativeBpm: alternativeTempo(tempo, counted?.metre ?? null),
    metre: counted?.metre ?? null,
    metreConfidence: counted?.metre ? counted.confidence : 0,
    downbeats: counted?.isSure ? Array.from(counted.bars, (sec) => Math.round(sec * 1000) / 1000) : [],
    swing: counted?.swing ?? null,
    sections: findSections(features, durationSec),
  };
}

type Counted = {
  metre: MetreName | null;
  confidence: number;
  bars: Float64Array;
  isSure: boolean;
  swing: number | null;
};

function countBars(rhythm: Rhythm, harmony: Harmony, bpm: number): Counted | undefined {
  const { rateHz, excesses } = rhythm;
  const onset = excesses[TOTAL_VIEW];
  if (!onset) return undefined;
  const toSec = (frame: number) => frame / rateHz + ONSET_DELAY_SEC;
  const basis = metreBasis(rhythm, harmony);
  const chances = softmax(
    COUNTINGS.map((counting) => bentSum(metreEvidence(basis, bpm, counting), METRE_WEIGHTS)),
  );
  const counting = COUNTINGS[indexOfHighest(chances)] as Counting;
  const confidence = chances.reduce(
    (sum, chance, i) => sum + (COUNTINGS[i]?.metre === counting.metre ? chance : 0),
    0,
  );
  const beats = Float64Array.from(trackBeats(onset, (60 * rateHz) / bpm));
  const counts = countsOf(beats, counting);
  const strengths = countStrengths(excesses, harmony, counts.frames, toSec);
  const { phase, chance } = firstCount(strengths, counts.length);
  const metre = confidence >= SURE_METRE ? counting.metre : null;
  return {
    metre,
    confidence: Math.round(confidence * 1000) / 1000,
    bars: strengths.times.filter((_, i) => i % counts.length === phase),
    isSure: metre !== null && chance >= SURE_DOWNBEAT,
    swing: swingOf(onset, beats),
  };
}

/** Returns the frames of the counts, so that a whole number of them make a bar, and that number. */
export function countsOf(
  beats: Float64Array,
  { beats: perBar }: Counting,
): { frames: Float64Array; length: number } {
  const parts = [1, 2, 3, 4].find((each) => Number.isInteger(perBar * each) && perBar * each >= 2) ?? 4;
  const frames = new Float64Array(Math.max(0, (beats.length - 1) * parts));
  for (let i = 0; i < frames.length; i++) {
    const beat = Math.floor(i / parts);
    const [from, to] = [beats[beat] as number, beats[beat + 1] as number];
    frames[i] = from + ((to - from) * (i % parts)) / parts;
  }
  return { frames, length: perBar * parts };
}

/** Returns on which count bars begin, and how likely that is. */
function firstCount(counts: Counts, length: number): { phase: number; chance: number } {
  const scores = Array.from({ length }, (_, phase) =>
    bentSum(downbeatEvidence(counts, length, phase), DOWNBEAT_WEIGHTS),
  );
  const chances = softmax(scores);
  const phase = indexOfHighest(chances);
  return { phase, chance: chances[phase] ?? 0 };
}

function indexOfHighest(values: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}

/** Returns the starts of bars from the beginning to the end: evenly where none are known, and two in one where they are short. */
function barStarts(bars: Float64Array, durationSec: number): Float64Array {
  const mean = bars.length > 1 ? ((bars.at(-1) ?? 0) - (bars[0] ?? 0)) / (bars.length - 1) : 0;
  if (mean === 0)
    return Float64Array.from(
      { length: Math.floor(durationSec / PLAIN_BAR_SEC) },
      (_, i) => i * PLAIN_BAR_SEC,
    );
  const step = Math.max(1, Math.ceil(SHORTEST_BAR_SEC / mean));
  const kept = bars.filter((_, i) => i % step === 0);
  const length = mean * step;
  const before = Array.from(
    { length: Math.ceil((kept[0] ?? 0) / length - 0.25) },
    (_, i) => (kept[0] ?? 0) - (i + 1) * length,
  );
  const after = Math.floor((durationSec - (kept.at(-1) ?? 0)) / length - 0.5);
  return Float64Array.from([
    ...before.reverse().map((sec) => Math.max(0, sec)),
    ...kept,
    ...Array.from({ length: Math.max(0, after) }, (_, i) => (kept.at(-1) ?? 0) + (i + 1) * length),
  ]);
}
