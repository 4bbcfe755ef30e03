import { type Db, prepared } from "../../../../db/client.ts";
import type { AnalysisStatus, LibraryId } from "../../../../db/schema.ts";
import { FAULTS_VERSION } from "../../../audio/faults/version.ts";

/** What is stored of a track, of its active version and of what was measured on that. */
export type TrackRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  isrc: string | null;
  cover: string | null;
  trackGenre: string | null;
  hasGenre: 0 | 1;
  analysisStatus: AnalysisStatus;
  analysisReason: string | null;
  versionId: string;
  container: string;
  /** Null: nothing of the active version is measured. */
  codec: string | null;
  lossless: 0 | 1 | null;
  bitDepth: number | null;
  sampleRateHz: number | null;
  channels: number | null;
  truncated: 0 | 1 | null;
  durationSec: number | null;
  truePeakDbtp: number | null;
  integratedLufs: number | null;
  /** JSON: the file's own tags. */
  embedded: string | null;
  /** JSON: what was found in the sound. */
  measured: string | null;
  /** Null: the track is in no set, or it is its main mix in full length. */
  madeFrom: string | null;
  isInstrumental: 0 | 1;
};

const tracksById = prepared((db) =>
  db.$client.prepare<TrackRow, [string, string, string]>(
    `SELECT t.id, t.name, t.title, t.artist, t.isrc, t.cover, t.track_genre AS trackGenre,
       EXISTS (SELECT 1 FROM track_tags g WHERE g.track_id = t.id AND g.category = 'genres') AS hasGenre,
       EXISTS (SELECT 1 FROM track_tags g WHERE g.track_id = t.id AND g.category = 'vocals'
         AND g.name_fold IN ('instrumental', 'no vocals')) AS isInstrumental,
       (SELECT iif(f.kind = 'main' AND f.edit_sec IS NULL, NULL, f.kind) FROM family_members f WHERE f.track_id = t.id) AS madeFrom,
       t.analysis_status AS analysisStatus, t.analysis_reason AS analysisReason, v.id AS versionId, v.container,
       a.codec, a.lossless, a.bit_depth AS bitDepth, a.sample_rate_hz AS sampleRateHz, a.channels, a.truncated,
       a.duration_sec AS durationSec, a.true_peak_dbtp AS truePeakDbtp, a.integrated_lufs AS integratedLufs, a.embedded, r.measured
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value JOIN versions v ON v.id = t.active_version_id
     LEFT JOIN analyses a ON a.version_id = v.id
     LEFT JOIN readiness_results r ON r.version_id = v.id AND r.rules = ?3
     WHERE t.owner_id = ?2 AND t.deleted_at IS NULL`,
  ),
);

/** Returns the account's tracks among `ids`, by id. */
export function selectTracks(db: Db, ownerId: LibraryId, ids: readonly string[]): Map<string, TrackRow> {
  const rows = tracksById(db).all(JSON.stringify(ids), ownerId, FAULTS_VERSION);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Another track with the same ISRC. */
type Twin = { id: string; title: string | null; name: string };

// The plus signs keep each track from being looked for among all that have an ISRC.
const twins = prepared((db) =>
  db.$client.prepare<Twin & { of: string }, [string, string]>(
    `SELECT o.id AS "of", t.id, t.title, t.name FROM json_each(?1) i CROSS JOIN tracks o ON o.id = i.value
     JOIN tracks t ON t.owner_id = o.owner_id AND t.isrc = o.isrc
     WHERE +o.owner_id = ?2 AND +o.isrc <> '' AND t.id <> o.id
       AND t.deleted_at IS NULL AND t.in_inbox = 0 AND t.isrc IS NOT NULL
     GROUP BY o.id HAVING min(t.seq)`,
  ),
);

/** Returns for each of the account's tracks among `ids` one other that has the same ISRC, where there is one. */
export function selectTwins(db: Db, ownerId: LibraryId, ids: readonly string[]): Map<string, Twin> {
  return new Map(
    twins(db)
      .all(JSON.stringify(ids), ownerId)
      .map(({ of, ...twin }) => [of, twin]),
  );
}

/** A member of the set that a track is in. */
type Kin = { kind: string; editSec: number | null };

const kin = prepared((db) =>
  db.$client.prepare<Kin & { of: string }, [string]>(
    `SELECT i.value AS "of", o.kind, o.edit_sec AS editSec
     FROM json_each(?1) i CROSS JOIN family_members m ON m.track_id = i.value
     JOIN family_members o ON o.family_id = m.family_id JOIN tracks t ON t.id = o.track_id
     WHERE t.deleted_at IS NULL AND t.in_inbox = 0`,
  ),
);

/** Returns the sets that tracks are in, by the tracks' ids. The caller must be allowed to see the tracks. */
export function selectKin(db: Db, trackIds: readonly string[]): Map<string, Kin[]> {
  return Map.groupBy(kin(db).all(JSON.stringify(trackIds)), ({ of }) => of);
}

/** What is stored of a playlist or an album. */
export type ListRow = {
  id: string;
  name: string;
  kind: "playlist" | "album";
  image: string | null;
  upc: string | null;
  releaseDate: string | null;
};

const listById = prepared((db) =>
  db.$client.prepare<ListRow, [string, string]>(
    `SELECT id, name, kind, image, upc, release_date AS releaseDate
     FROM playlists WHERE id = ?1 AND owner_id = ?2 AND deleted_at IS NULL`,
  ),
);

/** Returns the account's playlist or album. */
export function findList(db: Db, ownerId: LibraryId, id: string): ListRow | undefined {
  return listById(db).get(id, ownerId) ?? undefined;
}

const tracksOfList = prepared((db) =>
  db.$client.prepare<{ trackId: string }, [string]>(
    "SELECT track_id AS trackId FROM playlist_tracks WHERE playlist_id = ?1 ORDER BY position, id",
  ),
);

/** Returns the tracks of a playlist in order, each once. */
export function selectTracksOf(db: Db, playlistId: string): string[] {
  return [
    ...new Set(
      tracksOfList(db)
        .all(playlistId)
        .map(({ trackId }) => trackId),
    ),
  ];
}
