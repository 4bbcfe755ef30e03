import { type Db, prepared } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";

/** What a playlist's tracks add up to, and who made it. `covers` is JSON: at most four pairs of track id and cover key. */
export type Sums = { durationSec: number; covers: string; madeBy: PersonId | null };

const MAX_COVERS = 4;

const sumsOfPlaylists = prepared((db) =>
  db.$client.prepare<Sums, [string]>(
    `SELECT
       (SELECT coalesce(sum(t.duration_sec), 0) FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id
        WHERE p.playlist_id = i.value) AS durationSec,
       (SELECT json_group_array(json_array(c.track_id, c.cover)) FROM (
          SELECT p.track_id, t.cover FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id
          WHERE p.playlist_id = i.value GROUP BY p.track_id ORDER BY min(p.position) LIMIT ${MAX_COVERS}) c) AS covers,
       (SELECT m.made_by FROM playlists m WHERE m.id = i.value) AS madeBy
     FROM json_each(?1) i ORDER BY i.key`,
  ),
);

/** Returns the sums of playlists, in their order. The caller must be allowed to see them. */
export function selectSums(db: Db, playlistIds: readonly string[]): Sums[] {
  return sumsOfPlaylists(db).all(JSON.stringify(playlistIds));
}

/** A track's place in a playlist as stored. */
export type StoredPlace = {
  placeId: number;
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  cover: string | null;
  activeVersionId: string;
  activeLabel: string | null;
  bpm: number | null;
  key: string | null;
  durationSec: number | null;
  integratedLufs: number | null;
  status: string;
  visible: 0 | 1;
  discNumber: string | null;
  trackNumber: string | null;
};

const rowsInOrder = prepared((db) =>
  db.$client.prepare<StoredPlace, [string]>(
    `SELECT p.id AS placeId, t.id, t.name, t.title, t.artist, t.cover, t.active_version_id AS activeVersionId,
       v.label AS activeLabel, t.bpm, t.key, t.duration_sec AS durationSec, a.integrated_lufs AS integratedLufs,
       t.analysis_status AS status, v.visible, t.disc_number AS discNumber, t.track_number AS trackNumber
     FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id JOIN versions v ON v.id = t.active_version_id
     LEFT JOIN analyses a ON a.version_id = v.id
     WHERE p.playlist_id = ?1 ORDER BY p.position, p.id`,
  ),
);

/** Returns a playlist's places in order. The caller must be allowed to see the playlist. */
export function selectRows(db: Db, playlistId: string): StoredPlace[] {
  return rowsInOrder(db).all(playlistId);
}

/** What a song adds to its album. */
export type StoredSong = Pick<
  StoredPlace,
  "id" | "durationSec" | "integratedLufs" | "discNumber" | "trackNumber"
> & { truePeakDbtp: number | null; totalTracks: string | null };

const songsInOrder = prepared((db) =>
  db.$client.prepare<StoredSong, [string]>(
    `SELECT t.id, t.duration_sec AS durationSec, a.integrated_lufs AS integratedLufs,
       a.true_peak_dbtp AS truePeakDbtp, t.disc_number AS discNumber, t.track_number AS trackNumber, t.total_tracks_album AS totalTracks
     FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id LEFT JOIN analyses a ON a.version_id = t.active_version_id
     WHERE p.playlist_id = ?1 ORDER BY p.position, p.id`,
  ),
);

/** Returns what the songs of an album say about themselves, in order. The caller must be allowed to see it. */
export function selectSongs(db: Db, playlistId: string): StoredSong[] {
  return songsInOrder(db).all(playlistId);
}
