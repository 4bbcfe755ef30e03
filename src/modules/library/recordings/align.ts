import type { Db } from "../../../../db/client.ts";
import { alignFingerprints } from "../../../audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../../../audio/fingerprint/fingerprint-offset.ts";
import { findPcm, findSound } from "./queries.ts";

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

/** To align a pair takes ten milliseconds, and it says the same whenever it is asked: the last pairs are remembered. */
const PAIRS_KEPT = 500;
const offsets = new WeakMap<Db, Map<string, number | null>>();

/** Returns how much later the same moment comes in a version than in another, as {@link alignSounds} does. */
export function offsetBetween(db: Db, versionId: string, against: string): number | null {
  const [one, other] = [findPcm(db, versionId), findPcm(db, against)];
  if (one === undefined || other === undefined) return null;
  const known = offsets.get(db) ?? new Map<string, number | null>();
  offsets.set(db, known);
  const pair = `${one} ${other}`;
  const kept = known.get(pair);
  if (kept !== undefined) return kept;
  const { offsetMs } = alignSounds(findSound(db, versionId), findSound(db, against));
  const [oldest] = known.keys();
  if (known.size >= PAIRS_KEPT && oldest !== undefined) known.delete(oldest);
  known.set(pair, offsetMs);
  return offsetMs;
}
