import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** What papers say of a track, as stored. */
export type TrackRow = {
  trackId: string;
  name: string;
  title: string | null;
  artist: string | null;
  album: string | null;
  durationSec: number | null;
  isrc: string | null;
  label: string | null;
  language: string | null;
  hasWords: number;
  /** JSON, the names of the genres. */
  genres: string;
};

const tracksById = prepared((db) =>
  db.$client.prepare<TrackRow, [string, string]>(
    `SELECT t.id AS trackId, t.name, t.title, t.artist, t.album, t.duration_sec AS durationSec, t.isrc,
       t.record_label AS label, t.language, coalesce(t.lyrics, '') <> '' AS hasWords,
       (SELECT json_group_array(g.name) FROM track_tags g WHERE g.track_id = t.id AND g.category = 'genres') AS genres
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value
     WHERE t.owner_id = ?2 AND t.deleted_at IS NULL ORDER BY i.key`,
  ),
);

/** Returns those of the tracks that are the account's, in the order given. */
export const selectTracks = (db: Db, ownerId: LibraryId, trackIds: readonly string[]): TrackRow[] =>
  tracksById(db).all(JSON.stringify(trackIds), ownerId);

/** Who has a part in a track, as stored. */
export type WriterRow = {
  trackId: string;
  composerId: string;
  role: string;
  /** Per cent. */
  share: number;
  fullName: string;
  lastName: string | null;
  artistName: string | null;
  email: string | null;
  pro: string | null;
  ipi: string | null;
  isni: string | null;
  publisher: string | null;
  publisherIpi: string | null;
};

const writersOfTracks = prepared((db) =>
  db.$client.prepare<WriterRow, [string]>(
    `SELECT s.track_id AS trackId, c.id AS composerId, s.role, s.share, c.full_name AS fullName, c.last_name AS lastName,
       c.artist_name AS artistName, c.email, c.pro, c.ipi, c.isni, c.publisher, c.publisher_ipi AS publisherIpi
     FROM json_each(?1) i CROSS JOIN track_shareholders s ON s.track_id = i.value
     JOIN composers c ON c.id = s.composer_id ORDER BY i.key, s.position`,
  ),
);

/** Returns who has a part in tracks. The caller must be allowed to see the tracks. */
export const selectWriters = (db: Db, trackIds: readonly string[]): WriterRow[] =>
  writersOfTracks(db).all(JSON.stringify(trackIds));
