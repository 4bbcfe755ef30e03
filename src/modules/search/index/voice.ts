/** What is known of a track's voices. */
export type VoiceFacts = {
  /** Somebody wrote the tag "Instrumental"; somebody wrote another vocal tag. */
  isTaggedInstrumental: boolean;
  isTaggedVocal: boolean;
  /** The lyrics hold more than blanks. */
  hasLyrics: boolean;
  /** As measured, 0 to 1; null: not measured. */
  voiceLikelihood: number | null;
  durationSec: number | null;
};

/** A measurement says "voice" only from here on, and "no voice" only up to there and for more than a snippet. */
const SURELY_VOICE = 0.9;
const SURELY_NONE = 0.1;
const LONG_ENOUGH_SEC = 30;

/**
 * Returns 1 for a track with vocals, 0 for one without, null when nobody knows (decision 4.53): written tags decide,
 * then lyrics, then a confident measurement. Contradicting tags are no answer.
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
