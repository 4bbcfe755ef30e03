import { alignFingerprints } from "../../../audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../../../audio/fingerprint/fingerprint-offset.ts";
import type { findSound } from "./queries.ts";

type Sound = ReturnType<typeof findSound>;

type Aligned = {
  /** Of the fingerprints, 0 to 1; null when they cannot be compared. */
  similarity: number | null;
  /** How much later the same moment comes in the first; null when the two cannot be aligned. */
  offsetMs: number | null;
};

/** Above this, two fingerprints are of different recordings, even at the best offset. */
const MAX_BIT_ERROR_RATE = 0.35;

/** Returns how similar the sounds of two versions are, and the offset between them. */
export function alignSounds(one: Sound, other: Sound): Aligned {
  if (!one || !other) return { similarity: null, offsetMs: null };
  if (one.id === other.id) return { similarity: 1, offsetMs: 0 };
  const alignment = alignFingerprints(other.fingerprint, one.fingerprint);
  if (!alignment) return { similarity: null, offsetMs: null };
  const similarity = Math.max(0, 1 - 2 * alignment.bitErrorRate);
  if (alignment.bitErrorRate > MAX_BIT_ERROR_RATE) return { similarity, offsetMs: null };
  const offsetSec = refineOffset(
    Bun.inflateSync(Uint8Array.from(other.levels)),
    Bun.inflateSync(Uint8Array.from(one.levels)),
    alignment.offsetSec,
  );
  return { similarity, offsetMs: offsetSec === undefined ? null : Math.round(offsetSec * 1e4) / 10 };
}
