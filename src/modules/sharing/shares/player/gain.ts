import type { Db } from "../../../../../db/client.ts";
import { findPlaylist, loudnessOfAll, type SharedTrackRow } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";

/** The loudness of matched playback, if a track's peaks leave room: the level of streaming services. */
const TARGET_LUFS = -14;
/** The highest true peak of a track, low enough that no converter clips. */
const CEILING_DBTP = -1;

/**
 * Returns the gain in dB that brings a track to the common loudness, limited to keep its true peak under the
 * ceiling.
 */
export function matchedGain({
  integratedLufs,
  truePeakDbtp,
}: Pick<SharedTrackRow, "integratedLufs" | "truePeakDbtp">): number {
  if (integratedLufs === null) return 0;
  // Without a peak the headroom is unknown, so the track is only made softer.
  const headroom = truePeakDbtp === null ? 0 : CEILING_DBTP - truePeakDbtp;
  return Math.round(10 * Math.min(TARGET_LUFS - integratedLufs, headroom)) / 10;
}

/** Returns the gain of every song of an album, whose songs stay louder and softer as they were mastered; undefined: it is none. */
export function albumGain(
  db: Db,
  { entity, ownerId, entityId }: Pick<ShareRow, "entity" | "ownerId" | "entityId">,
): number | undefined {
  const isAlbum = entity === "playlist" && findPlaylist(db, ownerId, entityId)?.kind === "album";
  return isAlbum ? matchedGain(loudnessOfAll(db, entityId)) : undefined;
}
