import type { LibraryId } from "../../../../db/schema.ts";
import { OCTAVE_CENTRES_HZ } from "../../../audio/descriptors/spectral-balance.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { alignSounds, findSound } from "../recordings/service.ts";
import type { VersionDiff } from "./diff-shapes.ts";
import { getVersionOf } from "./service.ts";
import { getMeasured } from "./waveform.ts";

type Sound = ReturnType<typeof findSound>;

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
    ...alignSounds(...sounds),
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
