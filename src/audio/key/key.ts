import { bentSum, softmax } from "../dsp/logit.ts";
import type { Chroma } from "./chroma.ts";
import { KEYS, keyContext, keyEvidence } from "./key-evidence.ts";
import { KEY_WEIGHTS } from "./key-weights.ts";
import { thirdHeard } from "./third.ts";

/** The key of a recording. */
export type KeyEstimate = {
  /** Such as "F# minor"; null when the music has no tonal centre. */
  name: string | null;
  /** Probability of that key among the 24, 0..1; no more for major than for minor where no third is played; 0 with no name. */
  confidence: number;
  /** Deviation from A = 440 Hz, cents, -50..50; null when pitches agree on no tuning. */
  tuningCents: number | null;
};

/** Names of the pitch classes as a key's tonic, from C up. */
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;

/**
 * A key is named if any of these rows holds in full: how far pitches agree on a tuning, how well the chroma correlates
 * with the best key's scale, and how long energy lasts. Random pitches reach an agreement of 0.23 and drums a
 * steadiness of 0.46; dense mixes agree little on any tuning.
 */
const TONAL = [
  { agreement: 0.25, fit: 0.3, steadiness: 0.2 },
  { agreement: 0.12, fit: 0.55, steadiness: 0.2 },
  { agreement: 0.08, fit: 0.7, steadiness: 0.5 },
];
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
  if (pitchClasses < MIN_PITCH_CLASSES) return none;

  const scores = Array.from({ length: KEYS }, (_, key) => bentSum(keyEvidence(context, key), KEY_WEIGHTS));
  const probabilities = softmax(scores);
  const best = scores.indexOf(Math.max(...scores));
  const fit = context.fits.at(-1)?.[best] ?? 0;
  const { agreement } = chroma;
  const isTonal = TONAL.some(
    (least) => agreement >= least.agreement && fit >= least.fit && steadiness >= least.steadiness,
  );
  if (!isTonal) return none;
  const name = `${TONICS[best % 12]} ${best < 12 ? "major" : "minor"}`;
  const likelihood = probabilities[best] ?? 0;
  const even = (likelihood + (probabilities[(best + 12) % KEYS] ?? 0)) / 2;
  const confidence = even + (likelihood - even) * thirdHeard(chroma, best);
  return { name, confidence, tuningCents: chroma.tuningCents };
}
