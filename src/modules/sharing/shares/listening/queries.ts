import { and, eq, or, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../../db/client.ts";
import { type LibraryId, shares } from "../../../../../db/schema.ts";
import type { ShareRow } from "../queries.ts";

/** A track of a link, with its active version. */
export type TrackRow = {
  id: string;
  versionId: string;
  name: string;
  title: string | null;
  artist: string | null;
  durationSec: number | null;
};

const tracks = prepared((db) =>
  db.$client.prepare<TrackRow, [string, string, string, number]>(
    `SELECT t.id, t.active_version_id AS versionId, t.name, t.title, t.artist,
       coalesce(a.duration_sec, t.duration_sec) AS durationSec
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value
       LEFT JOIN analyses a ON a.version_id = t.active_version_id
       LEFT JOIN (SELECT track_id, min(position) AS place FROM playlist_tracks WHERE playlist_id = ?3 GROUP BY track_id) p
         ON p.track_id = t.id
     WHERE t.owner_id = ?2 ORDER BY p.place IS NULL, p.place, i.key LIMIT ?4`,
  ),
);

/** Returns the tracks that exist of some ids, in the order of the link's playlist. */
export function selectTracks(
  db: Db,
  { ownerId, entityId }: ShareRow,
  ids: readonly string[],
  limit: number,
): TrackRow[] {
  return tracks(db).all(JSON.stringify(ids), ownerId, entityId, limit);
}

const trackCount = prepared((db) =>
  db.$client.prepare<{ count: number }, [string]>(
    `SELECT (SELECT count(*) FROM tracks WHERE id = ?1)
       + (SELECT count(*) FROM playlist_tracks WHERE playlist_id = ?1) AS count`,
  ),
);

/** Returns how many tracks a link leads to. */
export function countTracks(db: Db, { entityId }: Pick<ShareRow, "entityId">): number {
  return trackCount(db).get(entityId)?.count ?? 0;
}

/** A link with a recipient. */
export type SentRow = Pick<
  ShareRow,
  "id" | "revokedAt" | "expiresAt" | "notBefore" | "maxUses" | "uses" | "turned" | "createdAt"
> & { recipient: string; recipientEmail: string | null };

const sent = prepared((db) =>
  db.$client.prepare<SentRow, [string]>(
    `SELECT id, recipient, recipient_email AS recipientEmail, created_at AS createdAt, revoked_at AS revokedAt,
       expires_at AS expiresAt,
       not_before AS notBefore, max_uses AS maxUses, uses, turned
     FROM shares WHERE owner_id = ?1 AND recipient IS NOT NULL ORDER BY created_at DESC, id DESC`,
  ),
);

/** Returns every link of an account that has a recipient, newest first. */
export function selectSent(db: Db, ownerId: LibraryId): SentRow[] {
  return sent(db).all(ownerId);
}

/**
 * Returns the links of an account in no particular order, or those that lead to one playlist, or to one track: its own, those
 * to playlists that have it, and those in `heardBy`.
 */
export function selectLinks(
  db: Db,
  ownerId: LibraryId,
  { playlistId, trackId, heardBy }: { playlistId?: string; trackId?: string; heardBy: readonly string[] },
): ShareRow[] {
  const isOfTrack =
    trackId === undefined
      ? undefined
      : or(
          eq(shares.entityId, trackId),
          sql`${shares.id} IN (SELECT value FROM json_each(${JSON.stringify(heardBy)}))`,
          sql`${shares.entityId} IN (SELECT playlist_id FROM playlist_tracks WHERE track_id = ${trackId})`,
        );
  const isOfPlaylist = playlistId === undefined ? undefined : eq(shares.entityId, playlistId);
  return db
    .select()
    .from(shares)
    .where(and(eq(shares.ownerId, ownerId), isOfPlaylist, isOfTrack))
    .all();
}
