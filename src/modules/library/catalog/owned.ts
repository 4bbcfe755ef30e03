import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, tracks } from "../../../../db/schema.ts";
import { DomainError } from "../../../kernel/errors.ts";

/** The columns of a track that other modules check or use before they change something about it. */
export type OwnedTrack = Pick<
  typeof tracks.$inferSelect,
  | "id"
  | "ownerId"
  | "name"
  | "artist"
  | "bpm"
  | "durationSec"
  | "activeVersionId"
  | "analysisVersionId"
  | "analysisStatus"
  | "suggestionModel"
>;

const ownedTrack = prepared((db) =>
  db.$client.prepare<OwnedTrack, [string, string]>(
    `SELECT id, owner_id AS ownerId, name, artist, bpm, duration_sec AS durationSec,
       active_version_id AS activeVersionId, analysis_version_id AS analysisVersionId,
       analysis_status AS analysisStatus, suggestion_model AS suggestionModel
     FROM tracks WHERE id = ?1 AND owner_id = ?2 AND deleted_at IS NULL`,
  ),
);

/** Returns the account's track, or undefined when the account has no such track. */
export function findOwnedTrack(db: Db, ownerId: LibraryId, trackId: string): OwnedTrack | undefined {
  return ownedTrack(db).get(trackId, ownerId) ?? undefined;
}

/**
 * Returns the account's track.
 *
 * @throws DomainError `track_not_found`, also for another account's track.
 */
export function getOwnedTrack(db: Db, ownerId: LibraryId, trackId: string): OwnedTrack {
  const track = findOwnedTrack(db, ownerId, trackId);
  if (track) return track;
  throw new DomainError("track_not_found", "There is no such track");
}

const idsOwned = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string]>(
    "SELECT id FROM tracks WHERE id IN (SELECT value FROM json_each(?1)) AND owner_id = ?2 AND deleted_at IS NULL",
  ),
);

/** Returns those of `ids` that are the account's tracks. */
export function ownedAmong(db: Db, ownerId: LibraryId, ids: readonly string[]): Set<string> {
  return new Set(
    idsOwned(db)
      .all(JSON.stringify(ids), ownerId)
      .map(({ id }) => id),
  );
}
