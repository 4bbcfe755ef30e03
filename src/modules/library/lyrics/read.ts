import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isTimed, type TimedLine } from "../../../media/lyrics/lines.ts";
import { findVersion, getOwnedTrack, type OwnedTrack } from "../catalog/service.ts";
import { findTimed, findWords } from "./queries.ts";
import type { Lyrics } from "./shapes.ts";
import { timedWords } from "./timed-words.ts";

/** The words of a track, with the times that one of its versions has. */
export type TrackLyrics = { lyrics: string; lines: TimedLine[]; isTimed: boolean };

/** Returns the words of a track as a version sings them; undefined without words. The caller must be allowed to see the track. */
export function lyricsOf(
  db: Db,
  { trackId, versionId }: { trackId: string; versionId: string },
): TrackLyrics | undefined {
  const lyrics = findWords(db, trackId)?.lyrics;
  if (!lyrics?.trim()) return undefined;
  const lines = timedWords(lyrics, findTimed(db, versionId)?.lines ?? []);
  return { lyrics, lines, isTimed: isTimed(lines) };
}

/**
 * Returns the words of an account's track, and when they are sung in a version.
 *
 * @param versionId Left out: the one that plays.
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function getLyrics(db: Db, ownerId: LibraryId, trackId: string, versionId?: string): Lyrics {
  const track = getOwnedTrack(db, ownerId, trackId);
  return toLyrics(db, trackId, timedVersionOf(db, track, versionId));
}

/** Returns the version that times are of. @throws DomainError `version_not_found`. */
export function timedVersionOf(db: Db, track: OwnedTrack, versionId = track.activeVersionId): string {
  if (findVersion(db, versionId)?.trackId === track.id) return versionId;
  throw new DomainError("version_not_found", "The track has no such version");
}

/** Returns the words of a track that is there, as the API sends them. */
export function toLyrics(db: Db, trackId: string, versionId: string): Lyrics {
  const { lyrics = null, language = null } = findWords(db, trackId) ?? {};
  const timed = findTimed(db, versionId);
  const lines = lyrics?.trim() ? timedWords(lyrics, timed?.lines ?? []) : [];
  return {
    trackId,
    versionId,
    lyrics,
    language,
    lines,
    origin: timed && isTimed(lines) ? timed.origin : null,
    revision: revisionOf(lyrics, lines),
  };
}

/** The same words at the same times have the same revision. */
const revisionOf = (lyrics: string | null, lines: readonly TimedLine[]): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([lyrics, lines.map(({ atMs }) => atMs)]))
    .digest("base64url")
    .slice(0, 22);
