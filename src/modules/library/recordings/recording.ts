import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";

/** What an analysis returns about a recording. "Deflated" means raw deflate. */
export type NewRecording = {
  /** SHA-256 of the decoded rate, channels and samples. */
  pcmSha256: Uint8Array;
  fingerprint: Fingerprint;
  /** Deflated bytes of `createLevelTracker`. */
  levels: Uint8Array;
  /** dB by octave. */
  balanceDb: readonly (number | null)[];
  framesPerPair: number;
  /** Deflated int8 pairs (min, max). */
  peaks: Uint8Array;
};

/** Tracks that hold the same recording, by their ids. */
export type RecordingGroup = { trackIds: string[]; similarity: number };
