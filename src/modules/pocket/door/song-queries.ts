import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";

/** A song with the version that plays, as players show it. */
export type SongRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  album: string | null;
  albumArtist: string | null;
  year: string | null;
  isrc: string | null;
  bpm: number | null;
  trackNumber: string | null;
  discNumber: string | null;
  cover: string | null;
  language: string | null;
  versionId: string;
  versionOrder: number;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  mixedAt: number;
  durationSec: number | null;
  sampleRateHz: number | null;
  channels: number | null;
  bitDepth: number | null;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  /** Of the rendition that small players get; null: there is none. */
  renditionBytes: number | null;
  starredAt: number | null;
  plays: number;
  playedAt: number | null;
  /** JSON: pairs of a category and a name. */
  tags: string;
};

const songsById = prepared((db) =>
  db.$client.prepare<SongRow, [string, string, string | null]>(
    `SELECT t.id, t.name, t.title, t.artist, t.album, t.album_artist AS albumArtist, t.year, t.isrc, t.bpm,
       t.track_number AS trackNumber, t.disc_number AS discNumber, t.cover, t.language, v.id AS versionId,
       v.version_order AS versionOrder, v.name AS fileName, v.sha256, v.size_bytes AS sizeBytes, v.media_type AS mediaType,
       v.created_at AS mixedAt, coalesce(a.duration_sec, t.duration_sec) AS durationSec, a.sample_rate_hz AS sampleRateHz,
       a.channels, a.bit_depth AS bitDepth, a.integrated_lufs AS integratedLufs, a.true_peak_dbtp AS truePeakDbtp,
       r.size_bytes AS renditionBytes, s.created_at AS starredAt,
       (SELECT count(*) FROM listens l WHERE l.track_id = t.id AND l.person_id = ?3) AS plays,
       (SELECT max(l.at) FROM listens l WHERE l.track_id = t.id AND l.person_id = ?3) AS playedAt,
       (SELECT json_group_array(json_array(g.category, g.name) ORDER BY g.position) FROM track_tags g
        WHERE g.track_id = t.id AND g.category IN ('genres', 'moods')) AS tags
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value JOIN versions v ON v.id = t.active_version_id
     LEFT JOIN analyses a ON a.version_id = v.id
     LEFT JOIN renditions r ON r.sha256 = v.sha256 AND r.encoding = 'aac'
     LEFT JOIN saves s ON s.person_id = ?3 AND s.entity = 'track' AND s.entity_id = t.id
     WHERE t.owner_id = ?2 AND t.deleted_at IS NULL AND t.in_inbox = 0 AND v.visible = 1 ORDER BY i.key`,
  ),
);

/** Whose songs are read, and for whom: what that person saved and heard is theirs. */
export type Reader = { accountId: LibraryId; personId?: PersonId };

/** Returns the songs with these ids that players see, in their order; a repeated one is repeated. */
export function selectSongs(db: Db, { accountId, personId }: Reader, trackIds: readonly string[]): SongRow[] {
  return songsById(db).all(JSON.stringify(trackIds), accountId, personId ?? null);
}

const savedBy = prepared((db) =>
  db.$client.prepare<{ id: string; at: number }, [string, string, string]>(
    `SELECT entity_id AS id, created_at AS at FROM saves WHERE person_id = ?1 AND account_id = ?2 AND entity = ?3
     ORDER BY created_at DESC, entity_id`,
  ),
);

/** Returns what a person saved in a library, and when, the newest first. */
export function selectSaved(
  db: Db,
  { accountId, personId }: Reader,
  entity: "track" | "playlist",
): ReadonlyMap<string, number> {
  const saved = personId === undefined ? [] : savedBy(db).all(personId, accountId, entity);
  return new Map(saved.map(({ id, at }) => [id, at]));
}

const versionOf = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, number]>(
    "SELECT id FROM versions WHERE track_id = ?1 AND version_order = ?2",
  ),
);

/** Returns the version of a track with this place among its versions; undefined when it is gone. */
export const findVersionOf = (db: Db, trackId: string, versionOrder: number): string | undefined =>
  versionOf(db).get(trackId, versionOrder)?.id;
