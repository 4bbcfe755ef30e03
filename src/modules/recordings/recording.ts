import type { Fingerprint } from "../../audio/fingerprint/fingerprint.ts";

/** What an analysis hands over of a recording. Deflated parts are as zlib's raw deflate makes them. */
export type NewRecording = {
  /** SHA-256 of rate, channels and samples as they were decoded. */
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
