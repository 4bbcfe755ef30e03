import { bentSum, softmax } from "../dsp/logit.ts";
import { peakNear, type Rhythm, TOTAL_VIEW } from "./rhythm.ts";
import { tempoCandidates } from "./tempo-candidates.ts";
import { tempoEvidence } from "./tempo-evidence.ts";
import { TEMPO_WEIGHTS } from "./tempo-weights.ts";

/** A tempo, and the probability, 0..1, that listeners count it. */
export type TempoCandidate = { bpm: number; confidence: number };

/** The tempo of a recording. */
export type TempoEstimate = {
  /** 30..300, to a hundredth; null when there is no beat. */
  bpm: number | null;
  /** 0..1: certainty of this metrical level times the clarity of the repetition. 0 with no tempo. */
  confidence: number;
  /** At most three, likeliest first; the first is `bpm`. */
  candidates: TempoCandidate[];
  /** Correlation of the onsets with themselves one or a few beats later, 0..1. */
  pulseClarity: number;
};

/** Onset excess per frame below which there is no activity: drones, hum, silence. */
const MIN_ACTIVITY = 0.12;
/** Below this, onsets are so faint that the tremolo of held notes looks like a beat, but only for as long as they last. */
const FAINT_ACTIVITY = 0.2;
/** Pulse clarity below which nothing repeats, in half a minute; chance shrinks with the root of the length. */
const MIN_PULSE_CLARITY = 0.13;
const LEAST_PULSE_CLARITY = 0.07;
const CHANCE_SECONDS = 30;
/** Least correlation of faint onsets with those several seconds later. */
const MIN_PERSISTENCE = 0.11;
const PERSISTENCE_SECONDS = { from: 6, to: 12 };
/** Pulse clarity at which the beat is beyond doubt. */
const FULL_PULSE_CLARITY = 0.2;
const REPORTED = 3;

/** Returns the likeliest tempi of a recording; none when it has no beat. */
export function estimateTempo(rhythm: Rhythm): TempoEstimate {
  const found = rhythm.activity < MIN_ACTIVITY ? [] : tempoCandidates(rhythm);
  const clarities = found.map((bpm) => clarityAt(rhythm, bpm));
  const pulseClarity = Math.max(0, ...clarities);
  const clearest = found[clarities.indexOf(pulseClarity)] ?? 0;
  const none = { bpm: null, confidence: 0, candidates: [] };
  if (!persists(rhythm, clearest)) return { ...none, pulseClarity: 0 };
  if (pulseClarity < clarityNeeded(rhythm.seconds)) return { ...none, pulseClarity };

  const probabilities = softmax(found.map((bpm) => bentSum(tempoEvidence(rhythm, bpm), TEMPO_WEIGHTS)));
  const certainty = Math.min(1, pulseClarity / FULL_PULSE_CLARITY);
  const candidates = found
    .map((bpm, i) => ({ bpm: Math.round(bpm * 100) / 100, confidence: (probabilities[i] ?? 0) * certainty }))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, REPORTED);
  const best = candidates[0];
  return { bpm: best?.bpm ?? null, confidence: best?.confidence ?? 0, candidates, pulseClarity };
}

function clarityNeeded(seconds: number): number {
  const levelled = MIN_PULSE_CLARITY * Math.sqrt(CHANCE_SECONDS / Math.max(CHANCE_SECONDS, seconds));
  return Math.max(LEAST_PULSE_CLARITY, levelled);
}

/** Returns whether faint beats go on for several seconds; true for other beats, and for sounds too short to tell. */
function persists({ rateHz, seconds, views, activity }: Rhythm, bpm: number): boolean {
  const { from, to } = PERSISTENCE_SECONDS;
  if (activity >= FAINT_ACTIVITY || seconds < 2 * to) return true;
  const correlation = views[TOTAL_VIEW]?.correlation ?? new Float64Array(0);
  const period = (60 * rateHz) / bpm;
  let sum = 0;
  let beats = 0;
  for (let lag = Math.ceil((from * rateHz) / period) * period; lag <= to * rateHz; lag += period) {
    sum += peakNear(correlation, lag);
    beats++;
  }
  return sum >= MIN_PERSISTENCE * beats;
}

/** Returns the mean correlation one, two and four beats later. */
function clarityAt({ rateHz, views }: Rhythm, bpm: number): number {
  const correlation = views[TOTAL_VIEW]?.correlation ?? new Float64Array(0);
  const period = (60 * rateHz) / bpm;
  return [1, 2, 4].reduce((sum, beats) => sum + peakNear(correlation, beats * period), 0) / 3;
}
