/** The facts about a track's vocals. */
export type VoiceFacts = {
  /** The track has the written tag "Instrumental"; it has another written vocal tag. */
  isTaggedInstrumental: boolean;
  isTaggedVocal: boolean;
  /** The lyrics hold more than blanks. */
  hasLyrics: boolean;
  /** Measured, 0 to 1; null when not measured. */
  voiceLikelihood: number | null;
  durationSec: number | null;
};

/**
 * A measurement means "voice" only from the first value, and "no voice" only up to the second, for tracks this long.
 */
const SURELY_VOICE = 0.9;
const SURELY_NONE = 0.1;
const LONG_ENOUGH_SEC = 30;

/**
 * Returns 1 for a track with vocals, 0 for one without, null when unknown (decision 4.53). Written tags decide, then
 * lyrics, then a confident measurement. Contradicting tags give null.
 */
export function voiceOf(facts: VoiceFacts): 0 | 1 | null {
  const { isTaggedInstrumental, isTaggedVocal, hasLyrics, voiceLikelihood, durationSec } = facts;
  if (isTaggedInstrumental && isTaggedVocal) return null;
  if (isTaggedVocal) return 1;
  if (isTaggedInstrumental) return 0;
  if (hasLyrics) return 1;
  if (voiceLikelihood === null) return null;
  if (voiceLikelihood >= SURELY_VOICE) return 1;
  return voiceLikelihood <= SURELY_NONE && (durationSec ?? 0) >= LONG_ENOUGH_SEC ? 0 : null;
}

/** A code of the column `voice`: 0 without vocals, 1 with; 2 when nothing is known; then the likelihood in hundredths. */
export const UNKNOWN_VOICE = 2;
const FIRST_LIKELIHOOD = UNKNOWN_VOICE + 1;
const STEPS = 100;
export const VOICE_CODES = FIRST_LIKELIHOOD + STEPS + 1;

type Heard = { voice: 0 | 1 | null; voiceLikelihood: number | null };

/** Returns the code of the facts about a track's vocals, or else of their likelihood. */
export function voiceCode({ voice, voiceLikelihood }: Heard): number {
  if (voice !== null) return voice;
  if (voiceLikelihood === null) return UNKNOWN_VOICE;
  return FIRST_LIKELIHOOD + Math.round(Math.min(1, Math.max(0, voiceLikelihood)) * STEPS);
}

/** Returns the likelihood that a code stands for, 0 to 1; undefined when it stands for something known or for nothing. */
export function likelihoodOfCode(code: number): number | undefined {
  return code < FIRST_LIKELIHOOD ? undefined : (code - FIRST_LIKELIHOOD) / STEPS;
}
