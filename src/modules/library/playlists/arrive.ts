import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { newId } from "../../../kernel/ids.ts";
import type { AlbumColumns } from "./album.ts";
import * as queries from "./queries.ts";

/** What songs say about the album that they are. */
type SaidAlbum = AlbumColumns & { name: string };

/**
 * Makes an album of songs that arrived together. It has no public link until its owner shares it. Call it inside a transaction.
 * Returns its id.
 */
export function makeAlbum(tx: Db, ownerId: LibraryId, said: SaidAlbum, at: number): string {
  const id = newId("pl");
  queries.insertPlaylist(tx, { id, ownerId, kind: "album", ...said, createdAt: at, updatedAt: at });
  return id;
}

/** The differences of an album: its whole order, and the former and new values. */
export type AlbumDifference = {
  trackIds?: readonly string[];
  said?: { [Field in keyof SaidAlbum]?: [former: string | null, next: string | null] };
  at: number;
};

/**
 * Changes an album whose songs go on arriving. A field that was changed since stays. Call it inside a transaction;
 * the tracks must be the account's.
 */
export function changeAlbum(
  tx: Db,
  ownerId: LibraryId,
  id: string,
  { trackIds, said = {}, at }: AlbumDifference,
): void {
  const row = queries.findPlaylist(tx, ownerId, id);
  if (!row) return;
  const fields = Object.entries(said) as [keyof SaidAlbum, [string | null, string | null]][];
  const change = Object.fromEntries(
    fields.filter(([field, [former]]) => row[field] === former).map(([field, [, next]]) => [field, next]),
  );
  if (trackIds) placeAll(tx, id, trackIds, at);
  if (trackIds || fields.length > 0) queries.updatePlaylist(tx, ownerId, id, { ...change, updatedAt: at });
}

function placeAll(tx: Db, id: string, trackIds: readonly string[], at: number): void {
  const there = new Set(tracksInOrder(tx, id));
  queries.appendTracks(
    tx,
    id,
    trackIds.filter((trackId) => !there.has(trackId)),
    at,
  );
  queries.reorderPlaces(tx, queries.selectPlaces(tx, id), trackIds);
}

/** Returns the ids of a playlist's tracks in order. */
export const tracksInOrder = (db: Db, id: string): string[] =>
  queries.selectPlaces(db, id).map(({ trackId }) => trackId);

/** Returns the account's album, and undefined for a playlist that is not an album or is in the bin. */
export function findAlbum(db: Db, ownerId: LibraryId, id: string): queries.ListedPlaylist | undefined {
  const row = queries.findPlaylist(db, ownerId, id);
  return row?.kind === "album" ? row : undefined;
}

/** Gives an album a picture that is in its place already. Call it inside a transaction. */
export function coverAlbum(tx: Db, id: string, image: string): void {
  tx.$client.query("UPDATE playlists SET image = ? WHERE id = ?").run(image, id);
}

const named = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string, string]>(
    `SELECT p.id FROM playlists p INDEXED BY playlists_by_kind
     WHERE p.owner_id = ?1 AND p.kind = 'album' AND p.deleted_at IS NULL AND lower(p.name) = lower(?2)
       AND NOT EXISTS (SELECT 1 FROM json_each(?3) i WHERE NOT EXISTS (
         SELECT 1 FROM playlist_tracks t WHERE t.playlist_id = p.id AND t.track_id = i.value))
     ORDER BY p.created_at, p.id LIMIT 1`,
  ),
);

/** Returns the account's album of a name that has all of these tracks. */
export function albumNamed(
  db: Db,
  ownerId: LibraryId,
  name: string,
  trackIds: readonly string[],
): string | undefined {
  return named(db).get(ownerId, name, JSON.stringify(trackIds))?.id;
}
