import { type Db, prepared } from "../../../../db/client.ts";
import type { deliveryPackages, LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";
import type { MediaTags } from "../../../media/tags/media-probe.ts";
import type { AlbumRelease, TrackFacts, Writer } from "./known.ts";

const songsInOrder = prepared((db) =>
  db.$client.prepare<TrackFacts, [string, string]>(
    `SELECT t.id AS trackId, t.name, t.title, t.artist, t.album, t.album_artist AS albumArtist, t.composer, t.year,
       t.album_year AS albumYear, t.isrc, t.track_genre AS genre, t.record_label AS label, t.language, t.cover, t.lyrics,
       t.bpm, t.key, t.track_number AS trackNumber, t.total_tracks_album AS totalTracks, t.disc_number AS discNumber, t.total_discs_album AS totalDiscs,
       v.id AS versionId, v.name AS fileName, v.sha256, v.size_bytes AS sizeBytes, v.media_type AS mediaType,
       v.container, v.created_at AS createdAt,
       a.duration_sec AS durationSec, a.codec, a.sample_rate_hz AS sampleRateHz, a.bit_depth AS bitDepth, a.channels,
       a.integrated_lufs AS integratedLufs, a.range_lu AS rangeLu, a.true_peak_dbtp AS truePeakDbtp,
       a.momentary_max_lufs AS momentaryMaxLufs, a.short_term_max_lufs AS shortTermMaxLufs,
       (SELECT lower(hex(r.pcm_sha256)) FROM version_recordings x JOIN recordings r ON r.id = x.recording_id
        WHERE x.version_id = v.id) AS pcmSha256
     FROM json_each(?2) i CROSS JOIN tracks t ON t.id = i.value ->> 0
     CROSS JOIN versions v ON v.id = ifnull(i.value ->> 1, t.active_version_id) AND v.track_id = t.id
     LEFT JOIN analyses a ON a.version_id = v.id
     WHERE t.owner_id = ?1 AND t.deleted_at IS NULL AND t.in_inbox = 0 ORDER BY i.key`,
  ),
);

/** A track to deliver, with the version that it is about; null: the active one. */
export type Chosen = readonly [trackId: string, versionId: string | null];

/** Returns what is known of an account's tracks, in the order given; those that are not there are left out. */
export function selectSongs(db: Db, ownerId: LibraryId, chosen: readonly Chosen[]): TrackFacts[] {
  return songsInOrder(db).all(ownerId, JSON.stringify(chosen));
}

const embeddedIn = prepared((db) =>
  db.$client.prepare<{ embedded: string }, [string]>("SELECT embedded FROM analyses WHERE version_id = ?1"),
);

/** Returns the tags that a version's file has, as far as the analysis keeps them. */
export function findEmbedded(db: Db, versionId: string): MediaTags {
  const row = embeddedIn(db).get(versionId);
  // The analysis wrote it.
  return row ? (JSON.parse(row.embedded) as MediaTags) : {};
}

const writersOfSongs = prepared((db) =>
  db.$client.prepare<Writer & { trackId: string }, [string]>(
    `SELECT s.track_id AS trackId, c.full_name AS name, s.role, s.share, c.pro, c.ipi, c.isni, c.publisher
     FROM json_each(?1) i CROSS JOIN track_shareholders s ON s.track_id = i.value
     JOIN composers c ON c.id = s.composer_id ORDER BY s.position`,
  ),
);

/** Returns who wrote tracks, in the order written, by the tracks' ids. The caller must be allowed to see them. */
export const selectWriters = (db: Db, trackIds: readonly string[]): Map<string, Writer[]> =>
  Map.groupBy(writersOfSongs(db).all(JSON.stringify(trackIds)), ({ trackId }) => trackId);

const release = prepared((db) =>
  db.$client.prepare<AlbumRelease, [string, string]>(
    `SELECT p.name, p.kind, p.image, p.artist, p.label, p.catalogue_number AS catalogueNumber,
       p.release_date AS releaseDate, p.upc
     FROM playlists p WHERE p.id = ?1 AND p.owner_id = ?2 AND p.deleted_at IS NULL`,
  ),
);

/** Returns what an account's playlist or album says of itself. */
export function findRelease(db: Db, ownerId: LibraryId, playlistId: string): AlbumRelease | undefined {
  return release(db).get(playlistId, ownerId) ?? undefined;
}

/** Finds an account's playlist by its id, or by a name that only one has. */
export function findNamed(
  db: Db,
  ownerId: LibraryId,
  text: string,
): { id: string; name: string } | undefined {
  const found = db.$client
    .query<{ id: string; name: string }, [string, string]>(
      `SELECT id, name FROM playlists WHERE owner_id = ?1 AND deleted_at IS NULL AND (id = ?2 OR name = ?2)
       ORDER BY id <> ?2 LIMIT 2`,
    )
    .all(ownerId, text);
  return found[0]?.id === text || found.length === 1 ? found[0] : undefined;
}

const placesInOrder = prepared((db) =>
  db.$client.prepare<{ trackId: string }, [string]>(
    "SELECT track_id AS trackId FROM playlist_tracks WHERE playlist_id = ?1 ORDER BY position, id",
  ),
);

/** Returns the ids of a playlist's tracks in order. */
export const selectPlaces = (db: Db, playlistId: string): string[] =>
  placesInOrder(db)
    .all(playlistId)
    .map(({ trackId }) => trackId);

type PackageRow = typeof deliveryPackages.$inferSelect;
/** A row with its JSON as text. */
export type StoredPackage = Omit<PackageRow, "settings" | "manifest" | "ownerId"> & {
  settings: string;
  isErased: 0 | 1;
};

const LISTED = `id, profile, name, recipient, settings, bytes, sha256, share_id AS shareId, made_by AS madeBy,
  made_at AS madeAt, manifest IS NULL AS isErased`;

const page = prepared((db) =>
  db.$client.prepare<StoredPackage, [string, number, string, number]>(
    `SELECT ${LISTED} FROM delivery_packages INDEXED BY delivery_packages_by_owner
     WHERE owner_id = ?1 AND (made_at, id) < (?2, ?3) ORDER BY made_at DESC, id DESC LIMIT ?4`,
  ),
);

/** Returns at most `limit` packages of an account behind `after`, newest first. */
export const selectPage = (db: Db, ownerId: LibraryId, after: Place, limit: number): StoredPackage[] =>
  page(db).all(ownerId, Number(after.key), after.id, limit);

const byId = prepared((db) =>
  db.$client.prepare<StoredPackage, [string, string]>(
    `SELECT ${LISTED} FROM delivery_packages WHERE id = ?1 AND owner_id = ?2`,
  ),
);

export const findPackage = (db: Db, ownerId: LibraryId, id: string): StoredPackage | undefined =>
  byId(db).get(id, ownerId) ?? undefined;

const manifestById = prepared((db) =>
  db.$client.prepare<{ manifest: string | null }, [string, string]>(
    "SELECT manifest FROM delivery_packages WHERE id = ?1 AND owner_id = ?2",
  ),
);

/** Returns the manifest of an account's package as text; null: erased. */
export const findManifest = (db: Db, ownerId: LibraryId, id: string): string | null =>
  manifestById(db).get(id, ownerId)?.manifest ?? null;

export type NewPackage = {
  id: string;
  ownerId: LibraryId;
  profile: PackageRow["profile"];
  name: string;
  recipient: string | null;
  settings: string;
  manifest: string;
  bytes: number;
  sha256: string;
  shareId: string | null;
  madeBy: PersonId | null;
  madeAt: number;
};

export function insertPackage(tx: Db, row: NewPackage): void {
  tx.$client
    .query(
      `INSERT INTO delivery_packages
         (id, owner_id, profile, name, recipient, settings, manifest, bytes, sha256, share_id, made_by, made_at)
       VALUES ($id, $ownerId, $profile, $name, $recipient, $settings, $manifest, $bytes, $sha256, $shareId, $madeBy, $madeAt)`,
    )
    .run(row);
}

/** Forgets who got a package and what was in it. Its hash stays. */
export function erasePackage(tx: Db, ownerId: LibraryId, id: string): void {
  tx.$client
    .query("UPDATE delivery_packages SET recipient = NULL, manifest = NULL WHERE id = ?1 AND owner_id = ?2")
    .run(id, ownerId);
}
