/** What is known about a track's vocals. */
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
