import { type Db, prepared } from "../../../../../db/client.ts";
import type { FamilyKind, LibraryId } from "../../../../../db/schema.ts";

/** So many rows are read at a time: a large library must not keep others waiting. */
const ROWS = 2000;

/** A track that players see, as far as it decides which album and artist it belongs to. */
export type OutlinedTrack = {
  seq: number;
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  album: string | null;
  albumArtist: string | null;
  year: string | null;
  trackNumber: string | null;
  discNumber: string | null;
  cover: string | null;
  createdAt: number;
  durationSec: number | null;
  /** When the version came that plays, and its place among the versions of the track. */
  mixedAt: number;
  versionOrder: number;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
};

const tracksOf = prepared((db) =>
  db.$client.prepare<OutlinedTrack, [string, number, number]>(
    `SELECT t.seq, t.id, t.name, t.title, t.artist, t.album, t.album_artist AS albumArtist, t.year,
       t.track_number AS trackNumber, t.disc_number AS discNumber, t.cover, t.created_at AS createdAt,
       coalesce(a.duration_sec, t.duration_sec) AS durationSec, v.created_at AS mixedAt, v.version_order AS versionOrder,
       a.integrated_lufs AS integratedLufs, a.true_peak_dbtp AS truePeakDbtp
     FROM tracks t JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id
     WHERE t.owner_id = ?1 AND t.seq > ?2 AND t.deleted_at IS NULL AND t.in_inbox = 0 AND v.visible = 1
     ORDER BY t.seq LIMIT ?3`,
  ),
);

/** Yields the tracks of a library that players see, some at a time. */
export function* selectTracks(db: Db, accountId: LibraryId): Generator<OutlinedTrack[]> {
  let after = 0;
  for (;;) {
    const rows = tracksOf(db).all(accountId, after, ROWS);
    yield rows;
    if (rows.length < ROWS) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** A playlist or an album of a library. */
export type OutlinedList = {
  id: string;
  kind: "playlist" | "album";
  name: string;
  description: string | null;
  image: string | null;
  artist: string | null;
  albumType: "album" | "ep" | "single" | "compilation" | null;
  label: string | null;
  releaseDate: string | null;
  createdAt: number;
  updatedAt: number;
};

const listsOf = prepared((db) =>
  db.$client.prepare<OutlinedList, [string]>(
    `SELECT id, kind, name, description, image, artist, album_type AS albumType, label, release_date AS releaseDate,
       created_at AS createdAt, updated_at AS updatedAt
     FROM playlists WHERE owner_id = ?1 AND deleted_at IS NULL ORDER BY created_at, id`,
  ),
);

/** Returns the playlists and albums of a library, the oldest first. */
export const selectLists = (db: Db, accountId: LibraryId): OutlinedList[] => listsOf(db).all(accountId);

const placesOf = prepared((db) =>
  db.$client.prepare<{ playlistId: string; trackId: string }, [string]>(
    `SELECT p.playlist_id AS playlistId, p.track_id AS trackId
     FROM playlists l CROSS JOIN playlist_tracks p ON p.playlist_id = l.id
     WHERE l.owner_id = ?1 AND l.deleted_at IS NULL ORDER BY p.playlist_id, p.position, p.id`,
  ),
);

/** Returns what is in the playlists and albums of a library, each in its order. */
export const selectPlaces = (db: Db, accountId: LibraryId) => placesOf(db).all(accountId);

const setsOf = prepared((db) =>
  db.$client.prepare<{ setId: string; trackId: string; kind: FamilyKind; isMain: 0 | 1 }, [string]>(
    `SELECT f.id AS setId, m.track_id AS trackId, m.kind, m.track_id = f.main_track_id AS isMain
     FROM families f JOIN family_members m ON m.family_id = f.id
     WHERE f.owner_id = ?1
     ORDER BY f.id, m.track_id <> f.main_track_id, m.kind = 'stem', m.edit_sec IS NOT NULL, m.kind, m.joined_at, m.track_id`,
  ),
);

/** Returns the members of the sets of a library: the main mix first, stems last. */
export const selectSets = (db: Db, accountId: LibraryId) => setsOf(db).all(accountId);

type Genre = { trackId: string; name: string; position: number };

const genresOf = prepared((db) =>
  db.$client.prepare<Genre, [string]>(
    `SELECT track_id AS trackId, name, position FROM track_tags
     WHERE track_id IN (SELECT value FROM json_each(?1)) AND category = 'genres' ORDER BY track_id, position`,
  ),
);

/** Yields the genres of tracks, those of some tracks at a time. */
export function* selectGenres(db: Db, trackIds: readonly string[]): Generator<Genre[]> {
  for (let at = 0; at < trackIds.length; at += ROWS)
    yield genresOf(db).all(JSON.stringify(trackIds.slice(at, at + ROWS)));
}

const lastChange = prepared((db) =>
  db.$client.prepare<{ latest: number }, []>(
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'account_changes'), 0) AS latest",
  ),
);

/** Returns the number of the last change of all libraries. */
export const selectLastChange = (db: Db): number => lastChange(db).get()?.latest ?? 0;

const changedSince = prepared((db) =>
  db.$client.prepare<{ floor: number; isChanged: 0 | 1 }, [string, number]>(
    `SELECT (SELECT seq FROM account_changes_floor) AS floor, EXISTS (
       SELECT 1 FROM account_changes WHERE seq > ?2 AND account_id = ?1
         AND topic IN ('tracks', 'versions', 'analysis', 'tags', 'playlists')) AS isChanged`,
  ),
);

/** True when something of a library may have changed since a change; the changes that are too old are not known any more. */
export function hasChanged(db: Db, accountId: LibraryId, since: number): boolean {
  const found = changedSince(db).get(accountId, since);
  return found === null || found.isChanged === 1 || found.floor > since;
}
