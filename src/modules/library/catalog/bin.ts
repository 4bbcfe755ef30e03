import { eq } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, tracks, versions } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";
import { dropSound } from "../sounds/service.ts";

/** Moves a track into the bin. Triggers take it out of playlists, totals and the search index. */
export function putInBin(tx: Db, trackId: string, at: number): void {
  tx.update(tracks).set({ deletedAt: at }).where(eq(tracks.id, trackId)).run();
}

/** Takes a track out of the bin. Triggers undo what {@link putInBin} did. */
export function takeOutOfBin(tx: Db, trackId: string): void {
  tx.update(tracks).set({ deletedAt: null }).where(eq(tracks.id, trackId)).run();
}

/** A track in the bin. */
export type BinnedTrack = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  cover: string | null;
  durationSec: number | null;
  versions: number;
  deletedAt: number;
};

const page = prepared((db) =>
  db.$client.prepare<BinnedTrack, [string, number, string, number]>(
    `SELECT t.id, t.name, t.title, t.artist, t.cover, t.duration_sec AS durationSec, r.versions, t.deleted_at AS deletedAt
     FROM tracks t INDEXED BY tracks_in_bin JOIN track_rows r ON r.seq = t.seq
     WHERE t.owner_id = ?1 AND t.deleted_at IS NOT NULL AND (t.deleted_at, t.id) < (?2, ?3)
     ORDER BY t.deleted_at DESC, t.id DESC LIMIT ?4`,
  ),
);

/** Returns at most `limit` tracks of the account's bin behind `after`, the last deleted first. */
export function selectBin(db: Db, ownerId: LibraryId, after: Place, limit: number): BinnedTrack[] {
  return page(db).all(ownerId, Number(after.key), after.id, limit);
}

/** Returns the name of a track in the account's bin, or undefined when it is not there. */
export function findInBin(db: Db, ownerId: LibraryId, trackId: string): { name: string } | undefined {
  return (
    db.$client
      .query<{ name: string }, [string, string]>(
        "SELECT name FROM tracks WHERE id = ? AND owner_id = ? AND deleted_at IS NOT NULL",
      )
      .get(trackId, ownerId) ?? undefined
  );
}

/** Returns the ids of at most `limit` tracks in the bin that were deleted before a time, of one account or of all. */
export function listOverdue(
  db: Db,
  { ownerId, before, limit }: { ownerId: LibraryId | null; before: number; limit: number },
): string[] {
  return db.$client
    .query<{ id: string }, [string | null, number, number]>(
      `SELECT id FROM tracks INDEXED BY tracks_in_bin
       WHERE deleted_at IS NOT NULL AND (?1 IS NULL OR owner_id = ?1) AND deleted_at < ?2 LIMIT ?3`,
    )
    .all(ownerId, before, limit)
    .map(({ id }) => id);
}

/** The files left on the disk by a track that was deleted for good. */
export type Remains = { sha256s: string[]; cover: string | null };

/**
 * Deletes a track and everything that belongs to it. It leaves the bin first, since what the triggers of a deletion take
 * from the library's totals must be part of them. Returns undefined when there is no such track.
 */
export function deleteTrack(tx: Db, trackId: string): Remains | undefined {
  const track = tx
    .select({ seq: tracks.seq, cover: tracks.cover })
    .from(tracks)
    .where(eq(tracks.id, trackId))
    .get();
  if (!track) return undefined;
  const files = tx
    .select({ sha256: versions.sha256 })
    .from(versions)
    .where(eq(versions.trackId, trackId))
    .all();
  takeOutOfBin(tx, trackId);
  dropSound(tx, track.seq);
  tx.delete(tracks).where(eq(tracks.id, trackId)).run();
  return { sha256s: files.map(({ sha256 }) => sha256), cover: track.cover };
}
