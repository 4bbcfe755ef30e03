import type { Chroma } from "./chroma.ts";
import { KEYS, keyContext, keyEvidence } from "./key-evidence.ts";
import { KEY_WEIGHTS } from "./key-weights.ts";
import { softmax, weightedSum } from "./logit.ts";

/** The key of a recording. */
export type KeyEstimate = {
  /** Such as "F# minor"; null when the music has no tonal centre. */
  name: string | null;
  /** Probability of that key among the 24, 0..1; 0 with no name. */
  confidence: number;
  /** Deviation from A = 440 Hz, cents, -50..50; null when pitches agree on none. */
  tuningCents: number | null;
};

/** Names of the pitch classes as a key's tonic, from C up. */
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;

/** The chroma must correlate this well with the best key's scale. */
const MIN_SCALE_FIT = 0.45;
/** Share of pitched energy that must last: less is percussion or noise. */
const MIN_STEADINESS = 0.1;
/** A scale needs this many pitch classes, each holding MIN_CLASS_SHARE of the chroma: less is a drone. */
const MIN_PITCH_CLASSES = 4;
const MIN_CLASS_SHARE = 0.04;

/**
 * Returns the likeliest key of a chroma, or no name for percussion, noise and drones.
 *
 * @param steadiness Share of pitched energy that lasts, as collected with the pitch histograms.
 */
export function estimateKey(chroma: Chroma, steadiness: number): KeyEstimate {
  const context = keyContext(chroma);
  const none = { name: null, confidence: 0, tuningCents: chroma.tuningCents };
  const pitchClasses = chroma.upper.filter((share) => share > MIN_CLASS_SHARE).length;
  if (chroma.tuningCents === null || steadiness < MIN_STEADINESS || pitchClasses < MIN_PITCH_CLASSES)
    return none;

  const scores = Array.from({ length: KEYS }, (_, key) =>
    weightedSum(keyEvidence(context, key), KEY_WEIGHTS),
  );
  const probabilities = softmax(scores);
  const best = scores.indexOf(Math.max(...scores));
  const fit = context.fits.at(-1)?.[best] ?? 0;
  if (fit < MIN_SCALE_FIT) return none;
  const name = `${TONICS[best % 12]} ${best < 12 ? "major" : "minor"}`;
  return { name, confidence: probabilities[best] ?? 0, tuningCents: chroma.tuningCents };
}
