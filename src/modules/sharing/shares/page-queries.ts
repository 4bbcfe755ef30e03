import { and, eq, isNull, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { accounts, type LibraryId, playlists, shares } from "../../../../db/schema.ts";
import type { Loudness } from "../../../kernel/loudness.ts";
import type { Place } from "../../../kernel/paging.ts";
import type { ShareRow } from "./queries.ts";
import { selectSet } from "./set-queries.ts";
import type { SharedEntity } from "./shapes.ts";
import {
  COLUMNS,
  inSetOf,
  JOINED,
  type Opened,
  type SharedTrackRow,
  type SharedVersionRow,
} from "./shared-rows.ts";

export type { Opened, SharedTrackRow, SharedVersionRow } from "./shared-rows.ts";

/** A link, and whether its owner's account is enabled. */
export type LinkRow = ShareRow & { isOwnerActive: boolean };

const byToken = prepared((db) =>
  db
    .select({ share: shares, isOwnerActive: accounts.active })
    .from(shares)
    .innerJoin(accounts, eq(accounts.id, shares.ownerId))
    .where(eq(shares.token, sql.placeholder("token")))
    .prepare(),
);

/** Returns the link with a token, live or ended. */
export function findByToken(db: Db, entity: SharedEntity, token: string): LinkRow | undefined {
  const row = byToken(db).get({ token });
  return row?.share.entity === entity ? { ...row.share, isOwnerActive: row.isOwnerActive } : undefined;
}

/** Returns a link by its id, live or ended. */
export function findLink(db: Db, id: string): LinkRow | undefined {
  const row = db
    .select({ share: shares, isOwnerActive: accounts.active })
    .from(shares)
    .innerJoin(accounts, eq(accounts.id, shares.ownerId))
    .where(eq(shares.id, id))
    .get();
  return row && { ...row.share, isOwnerActive: row.isOwnerActive };
}

const inBin = prepared((db) =>
  db.$client.prepare<{ found: 1 }, [string]>(
    `SELECT 1 AS found FROM tracks WHERE id = ?1 AND deleted_at IS NOT NULL
     UNION ALL SELECT 1 FROM playlists WHERE id = ?1 AND deleted_at IS NOT NULL`,
  ),
);

/** True while the track or playlist of a link is in the bin. */
export function isInBin(db: Db, { entityId }: Pick<ShareRow, "entityId">): boolean {
  return inBin(db).get(entityId) !== null;
}

/**
 * Counts a visit; returns false when the link has none left. One statement, so two visitors cannot share the last
 * visit.
 */
export function countUse(db: Db, id: string): boolean {
  const changed = db
    .update(shares)
    .set({ uses: sql`${shares.uses} + 1` })
    .where(and(eq(shares.id, id), sql`(${shares.maxUses} IS NULL OR ${shares.uses} < ${shares.maxUses})`))
    .returning({ id: shares.id })
    .all();
  return changed.length > 0;
}

const trackOfLink = prepared((db) =>
  db.$client.prepare<SharedTrackRow, [string, string]>(
    `SELECT ${COLUMNS} FROM tracks t ${JOINED} WHERE t.id = ?1 AND t.owner_id = ?2 AND t.deleted_at IS NULL`,
  ),
);

/** Returns the track of a link, or undefined when it was deleted. */
export function findTrack(db: Db, { entityId, ownerId }: Opened): SharedTrackRow | undefined {
  return trackOfLink(db).get(entityId, ownerId) ?? undefined;
}

/** A track at its place in a playlist; places are ordered by `position` and then `placeId`. */
export type PlacedTrackRow = SharedTrackRow & { position: number; placeId: number };

const placesAfter = prepared((db) =>
  db.$client.prepare<PlacedTrackRow, [string, string, number, number, number]>(
    `SELECT p.position, p.id AS placeId, ${COLUMNS}
     FROM playlist_tracks p INDEXED BY playlist_tracks_in_order CROSS JOIN tracks t ON t.id = p.track_id ${JOINED}
     WHERE p.playlist_id = ?1 AND t.owner_id = ?2 AND (p.position, p.id) > (?3, ?4)
     ORDER BY p.position, p.id LIMIT ?5`,
  ),
);

/** Returns at most `limit` tracks of a playlist after a place, in order. Served by `playlist_tracks_in_order`. */
export function selectPlaces(
  db: Db,
  { entityId, ownerId }: Opened,
  after: Place,
  limit: number,
): PlacedTrackRow[] {
  return placesAfter(db).all(entityId, ownerId, Number(after.key), Number(after.id), limit);
}

const placesUpTo = prepared((db) =>
  db.$client.prepare<{ count: number }, [string, number, number]>(
    `SELECT count(*) AS count FROM playlist_tracks WHERE playlist_id = ?1 AND (position, id) <= (?2, ?3)`,
  ),
);

/** Counts the places of a playlist up to and including one, using only the index. */
export function countPlacesUpTo(db: Db, playlistId: string, { key, id }: Place): number {
  return placesUpTo(db).get(playlistId, Number(key), Number(id))?.count ?? 0;
}

/** Returns the duration of a playlist in seconds; null while the duration of a track is unknown. */
export function sumDurations(db: Db, playlistId: string): number | null {
  const row = db.$client
    .query<{ durationSec: number | null; isKnown: 0 | 1 }, [string]>(
      `SELECT sum(t.duration_sec) AS durationSec, count(t.duration_sec) = count(*) AS isKnown
       FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id WHERE p.playlist_id = ?1`,
    )
    .get(playlistId);
  return row?.isKnown ? row.durationSec : null;
}

/** Returns how loud and how long the tracks of a playlist are. */
export function listLoudness(db: Db, playlistId: string): (Loudness & { durationSec: number | null })[] {
  return db.$client
    .query<Loudness & { durationSec: number | null }, [string]>(
      `SELECT a.integrated_lufs AS integratedLufs, a.true_peak_dbtp AS truePeakDbtp, t.duration_sec AS durationSec
       FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id JOIN analyses a ON a.version_id = t.active_version_id
       WHERE p.playlist_id = ?1`,
    )
    .all(playlistId);
}

/** True for a track that the link opens now. */
export function opensTrack(
  db: Db,
  { entity, entityId, ownerId, wholeFamily }: ShareRow,
  trackId: string,
): boolean {
  if (entity === "track" && wholeFamily)
    return selectSet(db, { entityId, ownerId }).some(({ id }) => id === trackId);
  if (entity === "track") return trackId === entityId && findTrack(db, { entityId, ownerId }) !== undefined;
  const sql = "SELECT 1 FROM playlist_tracks WHERE playlist_id = ?1 AND track_id = ?2 LIMIT 1";
  return db.$client.query<unknown, [string, string]>(sql).get(entityId, trackId) !== null;
}

/** True for the version that a track plays. */
export function isActive(db: Db, trackId: string, versionId: string): boolean {
  const sql = "SELECT 1 FROM tracks WHERE id = ?1 AND active_version_id = ?2";
  return db.$client.query<unknown, [string, string]>(sql).get(trackId, versionId) !== null;
}

/** A version that a page compares with another one. */
export type ComparedRow = Pick<
  SharedTrackRow,
  "versionId" | "sha256" | "mediaType" | "durationSec" | "integratedLufs"
> & { label: string | null; versionOrder: number };

/** Returns what comparing some versions needs. */
export function selectCompared(db: Db, versionIds: readonly string[]): ComparedRow[] {
  return db.$client
    .query<ComparedRow, [string]>(
      `SELECT v.id AS versionId, v.label, v.version_order AS versionOrder, v.sha256, v.media_type AS mediaType,
         a.duration_sec AS durationSec, a.integrated_lufs AS integratedLufs
       FROM versions v LEFT JOIN analyses a ON a.version_id = v.id
       WHERE v.id IN (SELECT value FROM json_each(?1))`,
    )
    .all(JSON.stringify(versionIds));
}

/** Counts the tracks of a playlist, each once. */
export function countTracks(db: Db, { entityId }: Opened): number {
  const sql = "SELECT count(DISTINCT track_id) AS count FROM playlist_tracks WHERE playlist_id = ?1";
  return db.$client.query<{ count: number }, [string]>(sql).get(entityId)?.count ?? 0;
}

/** Counts those of some versions that the tracks of a playlist play now. */
export function countPlayed(db: Db, { entityId, ownerId }: Opened, versionIds: readonly string[]): number {
  return (
    db.$client
      .query<{ count: number }, [string, string, string]>(
        `SELECT count(*) AS count FROM tracks t WHERE t.active_version_id IN (SELECT value FROM json_each(?1))
           AND t.owner_id = ?2 AND t.deleted_at IS NULL
           AND EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.playlist_id = ?3 AND p.track_id = t.id)`,
      )
      .get(JSON.stringify(versionIds), ownerId, entityId)?.count ?? 0
  );
}

/** Returns the one of some versions that is of a track. */
export function findVersionAmong(db: Db, trackId: string, ids: readonly string[]): string | undefined {
  return db.$client
    .query<{ id: string }, [string, string]>(
      "SELECT id FROM versions WHERE track_id = ?1 AND id IN (SELECT value FROM json_each(?2)) LIMIT 1",
    )
    .get(trackId, JSON.stringify(ids))?.id;
}

/** Returns the titles of tracks, or the names of their files. */
export function selectTitles(db: Db, trackIds: readonly string[]) {
  return db.$client
    .query<{ id: string; name: string; title: string | null }, [string]>(
      "SELECT id, name, title FROM tracks WHERE id IN (SELECT value FROM json_each(?1))",
    )
    .all(JSON.stringify(trackIds));
}

const versionOfLink = prepared((db) =>
  db.$client.prepare<SharedVersionRow, [string, string, string, number]>(
    `SELECT v.id AS versionId, v.name AS versionName, v.sha256, v.media_type AS mediaType, v.size_bytes AS sizeBytes,
       v.track_id AS trackId, v.created_at AS createdAt, a.duration_sec AS durationSec
     FROM versions v JOIN tracks t ON t.id = v.track_id AND t.owner_id = ?2 AND t.deleted_at IS NULL
     LEFT JOIN analyses a ON a.version_id = v.id
     WHERE v.id = ?1 AND (t.id = ?3 OR (?4 = 1 AND ${inSetOf("?3")})
       OR EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.playlist_id = ?3 AND p.track_id = t.id))`,
  ),
);

/** Returns a version of a track that the link opens now, or undefined. */
export function findSharedVersion(
  db: Db,
  { entityId, ownerId, wholeFamily }: Opened,
  versionId: string,
): SharedVersionRow | undefined {
  return versionOfLink(db).get(versionId, ownerId, entityId, wholeFamily ? 1 : 0) ?? undefined;
}

/** Returns the active versions of a playlist's tracks, in order; one that occurs twice is there once. */
export function selectVersions(db: Db, { entityId, ownerId }: Opened): SharedVersionRow[] {
  return db.$client
    .query<SharedVersionRow, [string, string]>(
      `SELECT v.id AS versionId, v.name AS versionName, v.sha256, v.media_type AS mediaType, v.size_bytes AS sizeBytes,
         v.track_id AS trackId, v.created_at AS createdAt, t.duration_sec AS durationSec
       FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id AND t.owner_id = ?2 AND t.deleted_at IS NULL
       JOIN versions v ON v.id = t.active_version_id
       WHERE p.playlist_id = ?1 GROUP BY v.id ORDER BY min(p.position), min(p.id)`,
    )
    .all(entityId, ownerId);
}

/** Returns a version's waveform: int8 pairs (min, max), undefined until it is analysed. */
export function findWaveform(db: Db, versionId: string): Uint8Array | undefined {
  const row = db.$client
    .query<{ waveform: Uint8Array }, [string]>("SELECT waveform FROM analyses WHERE version_id = ?1")
    .get(versionId);
  return row?.waveform;
}

/** Returns the library that a playlist is in; undefined for one in the bin. */
export function findPlaylistOwner(db: Db, id: string): LibraryId | undefined {
  return db
    .select({ ownerId: playlists.ownerId })
    .from(playlists)
    .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
    .get()?.ownerId;
}

/** Returns what a page shows about a playlist itself. */
export function findPlaylist(db: Db, ownerId: LibraryId, id: string) {
  return db
    .select({
      name: playlists.name,
      description: playlists.description,
      image: playlists.image,
      kind: playlists.kind,
      artist: playlists.artist,
      albumType: playlists.albumType,
    })
    .from(playlists)
    .where(and(eq(playlists.id, id), eq(playlists.ownerId, ownerId), isNull(playlists.deletedAt)))
    .get();
}

/** Returns the name of the account that shares. */
export function findOwnerName(db: Db, ownerId: LibraryId): string | undefined {
  return db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, ownerId)).get()?.name;
}
