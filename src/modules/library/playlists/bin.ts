import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, playlists } from "../../../../db/schema.ts";
import type { Member } from "../../../kernel/actor.ts";
import type { Place } from "../../../kernel/paging.ts";
import { requirePlaylist } from "./changeable.ts";

/** Moves a playlist into the bin, or out of it when `at` is null. Its tracks keep their places. */
export function setPlaylistDeleted(tx: Db, id: string, at: number | null): void {
  tx.update(playlists).set({ deletedAt: at }).where(eq(playlists.id, id)).run();
}

/** A playlist in the bin. */
export type BinnedPlaylist = {
  id: string;
  name: string;
  description: string | null;
  trackCount: number;
  deletedAt: number;
};

/** Returns at most `limit` playlists of the account's bin behind `after`, the last deleted first. */
export function selectPlaylistBin(db: Db, ownerId: LibraryId, after: Place, limit: number): BinnedPlaylist[] {
  return db.$client
    .query<BinnedPlaylist, [string, number, string, number]>(
      `SELECT p.id, p.name, p.description, p.deleted_at AS deletedAt,
         (SELECT count(*) FROM playlist_tracks t WHERE t.playlist_id = p.id) AS trackCount
       FROM playlists p INDEXED BY playlists_in_bin
       WHERE p.owner_id = ?1 AND p.deleted_at IS NOT NULL AND (p.deleted_at, p.id) < (?2, ?3)
       ORDER BY p.deleted_at DESC, p.id DESC LIMIT ?4`,
    )
    .all(ownerId, Number(after.key), after.id, limit);
}

/** True when the playlist is in the account's bin. */
export function isPlaylistInBin(db: Db, ownerId: LibraryId, id: string): boolean {
  return findInBin(db, ownerId, id) !== null;
}

/**
 * True when the playlist is in the bin of the library, and the actor may change it.
 *
 * @throws DomainError `insufficient_scope` for the playlist of somebody else, where the role allows changing only one's own.
 */
export function isRestorable(db: Db, actor: Member, id: string): boolean {
  const row = findInBin(db, actor.accountId, id);
  if (row) requirePlaylist(actor, "update:playlists", row);
  return row !== null;
}

function findInBin(db: Db, ownerId: LibraryId, id: string) {
  return db.$client
    .query<{ madeBy: PersonId | null; collaborative: 0 | 1 }, [string, string]>(
      `SELECT made_by AS madeBy, collaborative FROM playlists
       WHERE id = ? AND owner_id = ? AND deleted_at IS NOT NULL`,
    )
    .get(id, ownerId);
}

/** Returns the ids of the playlists in the bin that were deleted before a time, of one account or of all. */
export function listOverduePlaylists(db: Db, ownerId: LibraryId | null, before: number): string[] {
  return db.$client
    .query<{ id: string }, [string | null, number]>(
      `SELECT id FROM playlists INDEXED BY playlists_in_bin
       WHERE deleted_at IS NOT NULL AND (?1 IS NULL OR owner_id = ?1) AND deleted_at < ?2`,
    )
    .all(ownerId, before)
    .map(({ id }) => id);
}

/** Deletes a playlist for good. Returns the key of its picture. */
export function deletePlaylist(tx: Db, id: string): string | null {
  const [deleted] = tx.delete(playlists).where(eq(playlists.id, id)).returning().all();
  return deleted?.image ?? null;
}
