import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, tracks } from "../../../../db/schema.ts";
import { deleteTrack } from "./bin.ts";

/** The tracks that were deleted, and what they leave on the disk unless something else names it. */
export type DeletedTracks = { trackIds: string[]; sha256s: string[]; covers: string[] };

/** Deletes at most `limit` tracks of an account for good, the oldest first, also those in the bin. */
export function deleteTracksOf(tx: Db, ownerId: LibraryId, limit: number): DeletedTracks {
  const own = tx.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, ownerId));
  const rows = own.orderBy(asc(tracks.createdAt), asc(tracks.id)).limit(limit).all();
  const trackIds = rows.map(({ id }) => id);
  const remains = trackIds.flatMap((id) => deleteTrack(tx, id) ?? []);
  return {
    trackIds,
    sha256s: [...new Set(remains.flatMap(({ sha256s }) => sha256s))],
    covers: remains.flatMap(({ cover }) => cover ?? []),
  };
}
