import { and, eq } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, playlists, playlistTracks } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import type { Place } from "../../../kernel/paging.ts";

export type PlaylistRow = typeof playlists.$inferSelect;

/** The gap between the positions of neighbouring tracks, which leaves room to insert another. */
const POSITION_GAP = 1024;

/** A playlist of a list, as stored. */
export type ListedPlaylist = Omit<PlaylistRow, "ownerId" | "collaborative" | "isPinned" | "deletedAt"> & {
  collaborative: 0 | 1;
  isPinned: 0 | 1;
  trackCount: number;
};

const LISTED = `p.id, p.name, p.description, p.image, p.made_by AS madeBy, p.collaborative, p.is_pinned AS isPinned,
  p.created_at AS createdAt, p.updated_at AS updatedAt, p.kind, p.artist, p.album_type AS albumType, p.label,
  p.catalogue_number AS catalogueNumber, p.release_date AS releaseDate, p.upc,
  (SELECT count(*) FROM playlist_tracks t WHERE t.playlist_id = p.id) AS trackCount`;

const page = prepared((db) =>
  db.$client.prepare<ListedPlaylist, [string, number, string, number]>(
    `SELECT ${LISTED} FROM playlists p INDEXED BY playlists_by_owner
     WHERE p.owner_id = ?1 AND p.deleted_at IS NULL AND (p.created_at, p.id) < (?2, ?3)
     ORDER BY p.created_at DESC, p.id DESC LIMIT ?4`,
  ),
);

const pageOfKind = prepared((db) =>
  db.$client.prepare<ListedPlaylist, [string, number, string, number, string]>(
    `SELECT ${LISTED} FROM playlists p INDEXED BY playlists_by_kind
     WHERE p.owner_id = ?1 AND p.kind = ?5 AND p.deleted_at IS NULL AND (p.created_at, p.id) < (?2, ?3)
     ORDER BY p.created_at DESC, p.id DESC LIMIT ?4`,
  ),
);

const pageAmong = prepared((db) =>
  db.$client.prepare<ListedPlaylist, [string, number, string, number, string | null, string]>(
    `SELECT ${LISTED} FROM playlists p
     WHERE p.owner_id = ?1 AND p.id IN (SELECT value FROM json_each(?6)) AND (?5 IS NULL OR p.kind = ?5)
       AND p.deleted_at IS NULL AND (p.created_at, p.id) < (?2, ?3)
     ORDER BY p.created_at DESC, p.id DESC LIMIT ?4`,
  ),
);

/** Which playlists a list has: left out, all of them. */
export type Listing = { kind?: PlaylistRow["kind"] | undefined; among?: readonly string[] | undefined };

/** Returns at most `limit` playlists behind `after`, newest first: all of them, those of a kind, or those among some. */
export function selectPage(
  db: Db,
  ownerId: LibraryId,
  after: Place,
  limit: number,
  { kind, among }: Listing,
): ListedPlaylist[] {
  const [key, id] = [Number(after.key), after.id];
  if (among) return pageAmong(db).all(ownerId, key, id, limit, kind ?? null, JSON.stringify(among));
  return kind === undefined
    ? page(db).all(ownerId, key, id, limit)
    : pageOfKind(db).all(ownerId, key, id, limit, kind);
}

const byId = prepared((db) =>
  db.$client.prepare<ListedPlaylist, [string, string]>(
    `SELECT ${LISTED} FROM playlists p WHERE p.id = ?1 AND p.owner_id = ?2 AND p.deleted_at IS NULL`,
  ),
);

/** Returns the account's playlist, or undefined. */
export function findPlaylist(db: Db, ownerId: LibraryId, id: string): ListedPlaylist | undefined {
  return byId(db).get(id, ownerId) ?? undefined;
}

export function insertPlaylist(tx: Db, row: typeof playlists.$inferInsert): void {
  tx.insert(playlists)
    .values({ madeBy: currentPerson(), ...row })
    .run();
}

/** Changes a playlist of the account. */
export function updatePlaylist(tx: Db, ownerId: LibraryId, id: string, change: Partial<PlaylistRow>): void {
  tx.update(playlists)
    .set(change)
    .where(and(eq(playlists.id, id), eq(playlists.ownerId, ownerId)))
    .run();
}

/** Says that a playlist changed. */
export function touchPlaylist(tx: Db, id: string, at: number): void {
  tx.update(playlists).set({ updatedAt: at }).where(eq(playlists.id, id)).run();
}

/** A track's place in a playlist, with the file to download: its active version. */
export type Entry = { trackId: string; id: string; name: string; mediaType: string; sha256: string };

const entriesInOrder = prepared((db) =>
  db.$client.prepare<Entry, [string]>(
    `SELECT p.track_id AS trackId, v.id, v.name, v.media_type AS mediaType, v.sha256
     FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id JOIN versions v ON v.id = t.active_version_id
     WHERE p.playlist_id = ?1 ORDER BY p.position, p.id`,
  ),
);

/** Returns a playlist's entries in order. The caller must be allowed to see the playlist. */
export function selectEntries(db: Db, playlistId: string): Entry[] {
  return entriesInOrder(db).all(playlistId);
}

/** Appends tracks to a playlist. Returns the numbers of their places. */
export function appendTracks(tx: Db, playlistId: string, trackIds: readonly string[], at: number): number[] {
  const last = tx.$client
    .query<{ position: number | null }, [string]>(
      "SELECT max(position) AS position FROM playlist_tracks WHERE playlist_id = ?1",
    )
    .get(playlistId);
  const insert = tx.$client.query(
    "INSERT INTO playlist_tracks (playlist_id, track_id, position, added_at) VALUES (?1, ?2, ?3, ?4)",
  );
  const first = (last?.position ?? 0) + POSITION_GAP;
  return trackIds.map((trackId, index) =>
    Number(insert.run(playlistId, trackId, first + index * POSITION_GAP, at).lastInsertRowid),
  );
}

/** Removes a place of a track. */
export function removePlace(tx: Db, playlistId: string, trackId: string, place: number): void {
  tx.delete(playlistTracks)
    .where(
      and(
        eq(playlistTracks.id, place),
        eq(playlistTracks.playlistId, playlistId),
        eq(playlistTracks.trackId, trackId),
      ),
    )
    .run();
}

/** True when a playlist holds a track. */
export function holdsTrack(db: Db, playlistId: string, trackId: string): boolean {
  const sql = "SELECT 1 FROM playlist_tracks WHERE track_id = ? AND playlist_id = ? LIMIT 1";
  return db.$client.query<unknown, [string, string]>(sql).get(trackId, playlistId) !== null;
}

/** Removes every occurrence of a track; returns how many there were. */
export function removeTrack(tx: Db, playlistId: string, trackId: string): number {
  return tx
    .delete(playlistTracks)
    .where(and(eq(playlistTracks.playlistId, playlistId), eq(playlistTracks.trackId, trackId)))
    .returning({ id: playlistTracks.id })
    .all().length;
}

/** A track's place in a playlist; a track may have several. */
export type PlacedTrack = { id: number; trackId: string };

/** Returns a playlist's places in order. The caller must be allowed to see the playlist. */
export function selectPlaces(db: Db, playlistId: string): PlacedTrack[] {
  return db.$client
    .query<PlacedTrack, [string]>(
      "SELECT id, track_id AS trackId FROM playlist_tracks WHERE playlist_id = ?1 ORDER BY position, id",
    )
    .all(playlistId);
}

/** Reorders all places of a playlist to match `trackIds`, which must be a permutation of their tracks. */
export function reorderPlaces(tx: Db, places: readonly PlacedTrack[], trackIds: readonly string[]): void {
  const waiting = Map.groupBy(places, ({ trackId }) => trackId);
  const move = tx.$client.query("UPDATE playlist_tracks SET position = ?2 WHERE id = ?1");
  for (const [index, trackId] of trackIds.entries()) {
    const place = waiting.get(trackId)?.shift();
    if (place) move.run(place.id, (index + 1) * POSITION_GAP);
  }
}
