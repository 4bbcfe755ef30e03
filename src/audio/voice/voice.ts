import { createGrowableFloats } from "../dsp/growable.ts";
import { createVoiceCues } from "./voice-cues.ts";
import { VOICE_SHIFT, VOICE_SLOPE, VOICE_WEIGHTS } from "./voice-weights.ts";

/** Detects voices. */
export type VoiceMeter = {
  /** Takes the mel levels of one frame, 100 per second. */
  push(melPower: Float64Array): void;
  /** Likelihood of speech or singing in the recording, 0..1; null for less than 3 seconds of sound. */
  finish(): number | null;
};

/** The share of blocks that count, the likeliest ones, because a voice need not sound all the time. */
const LISTENED_TO = 0.4;
/** The limits of the likelihood: the weights were fitted on synthetic voices. */
const [LEAST, MOST] = [0.05, 0.95];

/** Builds a meter that checks every 2.6 s for syllables. It keeps four bytes per block. */
export function createVoiceMeter(centresHz: Float64Array): VoiceMeter {
  const scores = createGrowableFloats(256);
  const push = createVoiceCues(centresHz, (cues) => {
    let score = VOICE_WEIGHTS[cues.length]?.[2] ?? 0;
    for (const [i, value] of cues.entries()) {
      const [centre, scale, weight] = VOICE_WEIGHTS[i] ?? [0, 1, 0];
      score += (weight * (value - centre)) / scale;
    }
    scores.push(score);
  });
  return {
    push,
    finish() {
      const blocks = scores.view();
      if (blocks.length === 0) return null;
      const likelihood = 1 / (1 + Math.exp(-(VOICE_SLOPE * trackScore(blocks) + VOICE_SHIFT)));
      return Math.min(MOST, Math.max(LEAST, likelihood));
    },
  };
}

/** Returns a recording's score from the scores of its blocks: the mean of the highest ones. */
export function trackScore(blocks: ArrayLike<number>): number {
  const highest = Array.from(blocks).sort((a, b) => b - a);
  const kept = highest.slice(0, Math.max(1, Math.round(LISTENED_TO * highest.length)));
  return kept.reduce((sum, score) => sum + score, 0) / Math.max(1, kept.length);
}
