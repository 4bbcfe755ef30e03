import type { LibraryId } from "../../../../db/schema.ts";
import { OCTAVE_CENTRES_HZ } from "../../../audio/descriptors/spectral-balance.ts";
import { alignFingerprints } from "../../../audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../../../audio/fingerprint/fingerprint-offset.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { findSound } from "../recordings/service.ts";
import type { VersionDiff } from "./diff-shapes.ts";
import { getVersionOf } from "./service.ts";
import { getMeasured } from "./waveform.ts";

type Sound = ReturnType<typeof findSound>;

/** Above this, two fingerprints are of different recordings, even at the best offset. */
const MAX_BIT_ERROR_RATE = 0.35;

/**
 * Compares a version with another of its track. It uses stored measurements and decodes no audio; a version without them is
 * analysed, and the track goes on to play what it plays.
 *
 * @param against Default: the active version.
 * @throws DomainError `track_not_found`, `version_not_found`, `version_not_analysed`.
 */
export function diffVersions(
  deps: Pick<Deps, "db" | "now">,
  asked: { ownerId: LibraryId; trackId: string; versionId: string; against: string | undefined },
): VersionDiff {
  const { db } = deps;
  const { ownerId, trackId, versionId } = asked;
  const track = getOwnedTrack(db, ownerId, trackId);
  const against = asked.against ?? track.activeVersionId;
  for (const id of [versionId, against]) getVersionOf(db, trackId, id);
  const [one, other] = getMeasured(deps, versionId, against);
  const gainDb = difference(other.integratedLufs, one.integratedLufs);
  const sounds = [findSound(db, versionId), findSound(db, against)] as const;
  return {
    trackId,
    versionId,
    against,
    ...aligned(...sounds),
    durationSec: change(one.durationSec, other.durationSec),
    integratedLufs: change(one.integratedLufs, other.integratedLufs),
    rangeLu: change(one.rangeLu, other.rangeLu),
    truePeakDbtp: change(one.truePeakDbtp, other.truePeakDbtp),
    bpm: change(one.bpm, other.bpm),
    key: { version: one.key, against: other.key, isChanged: one.key !== other.key },
    gainDb,
    balance: balanceOf(...sounds, gainDb),
  };
}

/** Returns how similar two recordings are, and the offset between them. */
function aligned(one: Sound, other: Sound): Pick<VersionDiff, "similarity" | "offsetMs"> {
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

function balanceOf(one: Sound, other: Sound, gainDb: number | null): VersionDiff["balance"] {
  if (!one || !other) return [];
  return OCTAVE_CENTRES_HZ.map((centreHz, band) => {
    const changeDb = difference(one.balance[band] ?? null, other.balance[band] ?? null);
    const matchedDb = changeDb === null || gainDb === null ? null : rounded(changeDb + gainDb);
    return { centreHz, changeDb, matchedDb };
  });
}

const change = (version: number | null, against: number | null) => ({
  version,
  against,
  change: difference(version, against),
});

const difference = (version: number | null, against: number | null) =>
  version === null || against === null ? null : rounded(version - against);

const rounded = (value: number) => Math.round(value * 1000) / 1000;
