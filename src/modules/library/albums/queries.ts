import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** A song that came in with a folder, with what its track says now. */
export type ArrivalRow = {
  seq: number;
  path: string;
  trackId: string;
  isNew: 0 | 1;
  playlistId: string | null;
  isSeparate: 0 | 1;
  isCompilation: 0 | 1;
  catalogueNumber: string | null;
  barcode: string | null;
  arrivedAt: number;
  name: string;
  title: string | null;
  artist: string | null;
  album: string | null;
  albumArtist: string | null;
  year: string | null;
  recordLabel: string | null;
  trackNumber: string | null;
  discNumber: string | null;
  cover: string | null;
  createdAt: number;
};

/** The folder of an account that songs came in with. */
export type Folder = { accountId: LibraryId; source: string; folder: string };

/** A song that comes in. */
export type NewArrival = Folder & {
  path: string;
  trackId: string;
  isNew: boolean;
  isCompilation: boolean;
  catalogueNumber: string | null;
  barcode: string | null;
  arrivedAt: number;
};

const insert = prepared((db) =>
  db.$client.prepare<void, [Record<string, string | number | null>]>(
    `INSERT INTO album_arrivals (account_id, source, folder, path, track_id, is_new, is_compilation, catalogue_number, barcode,
       arrived_at)
     VALUES ($accountId, $source, $folder, $path, $trackId, $isNew, $isCompilation, $catalogueNumber, $barcode, $arrivedAt)
     ON CONFLICT (account_id, source, path, track_id) DO NOTHING`,
  ),
);

/** Notes a song that comes in; one that came before from the same place stays as it is noted. */
export function insertArrival(tx: Db, { isNew, isCompilation, ...row }: NewArrival): void {
  insert(tx).run({ ...row, isNew: Number(isNew), isCompilation: Number(isCompilation) });
}

const COLUMNS = `a.seq, a.path, a.track_id AS trackId, a.is_new AS isNew, a.playlist_id AS playlistId,
  a.is_separate AS isSeparate, a.is_compilation AS isCompilation, a.catalogue_number AS catalogueNumber, a.barcode,
  a.arrived_at AS arrivedAt, t.name, t.title, t.artist, t.album, t.album_artist AS albumArtist, t.year,
  t.record_label AS recordLabel, t.track_number AS trackNumber, t.disc_number AS discNumber, t.cover,
  t.created_at AS createdAt`;

const ofFolder = prepared((db) =>
  db.$client.prepare<ArrivalRow, [string, string, string, number]>(
    `SELECT ${COLUMNS} FROM album_arrivals a INDEXED BY album_arrivals_by_folder CROSS JOIN tracks t ON t.id = a.track_id
     WHERE a.account_id = ?1 AND a.source = ?2 AND a.folder = ?3 AND t.owner_id = ?1 AND t.deleted_at IS NULL
     ORDER BY a.seq DESC LIMIT ?4`,
  ),
);

/** Returns the last songs that came in with a folder and are still in the library. */
export function selectFolder(db: Db, { accountId, source, folder }: Folder, limit: number): ArrivalRow[] {
  return ofFolder(db).all(accountId, source, folder, limit);
}

const ofAlbum = prepared((db) =>
  db.$client.prepare<ArrivalRow, [string, string]>(
    `SELECT ${COLUMNS} FROM album_arrivals a JOIN tracks t ON t.id = a.track_id
     WHERE a.playlist_id = ?2 AND a.account_id = ?1 AND t.owner_id = ?1 AND t.deleted_at IS NULL ORDER BY a.seq`,
  ),
);

/** Returns the songs of the account that came in as an album. */
export function selectAlbum(db: Db, accountId: LibraryId, playlistId: string): ArrivalRow[] {
  return ofAlbum(db).all(accountId, playlistId);
}

const albumOf = prepared((db) =>
  db.$client.prepare<{ playlistId: string }, [string, string, string, string]>(
    `SELECT a.playlist_id AS playlistId FROM album_arrivals a JOIN playlists p ON p.id = a.playlist_id
     WHERE a.account_id = ?1 AND a.source = ?2 AND a.path = ?3 AND a.track_id = ?4 AND p.deleted_at IS NULL
       AND p.kind = 'album'`,
  ),
);

/** Returns the album that a song became when it came in from a path; null: it is on none. */
export function findAlbumOf(
  db: Db,
  {
    accountId,
    source,
    path,
    trackId,
  }: { accountId: LibraryId; source: string; path: string; trackId: string },
): string | null {
  return albumOf(db).get(accountId, source, path, trackId)?.playlistId ?? null;
}

/** Notes which album songs have become. */
export function updateAlbum(tx: Db, seqs: readonly number[], playlistId: string): void {
  tx.$client
    .query("UPDATE album_arrivals SET playlist_id = ?1 WHERE seq IN (SELECT value FROM json_each(?2))")
    .run(playlistId, JSON.stringify(seqs));
}

/** Notes that the songs of an album, or of these arrivals, are to stay separate. */
export function separate(tx: Db, seqs: readonly number[]): void {
  tx.$client
    .query(
      `UPDATE album_arrivals SET is_separate = 1, playlist_id = NULL
       WHERE seq IN (SELECT value FROM json_each(?1))`,
    )
    .run(JSON.stringify(seqs));
}

/** Forgets how songs came in. */
export function deleteArrivals(tx: Db, seqs: readonly number[]): void {
  tx.$client
    .query("DELETE FROM album_arrivals WHERE seq IN (SELECT value FROM json_each(?1))")
    .run(JSON.stringify(seqs));
}

/** Gives the remembered folders of an account to another one. */
export function moveArrivals(tx: Db, from: string, to: string): void {
  tx.$client.query("UPDATE OR IGNORE album_arrivals SET account_id = ? WHERE account_id = ?").run(to, from);
}
