import { and, eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../db/client.ts";
import { accounts, playlists, shares } from "../../../db/schema.ts";
import type { SharedEntity } from "./model.ts";
import type { ShareRow } from "./queries.ts";

const byToken = prepared((db) =>
  db
    .select()
    .from(shares)
    .where(eq(shares.token, sql.placeholder("token")))
    .prepare(),
);

/** Returns the link with a token, good or not. */
export function findByToken(db: Db, entity: SharedEntity, token: string): ShareRow | undefined {
  const row = byToken(db).get({ token });
  return row?.entity === entity ? row : undefined;
}

/** Counts a visit while the link has one left; false when it has none. One statement: two visitors cannot share the last. */
export function countUse(db: Db, id: string): boolean {
  const changed = db
    .update(shares)
    .set({ uses: sql`${shares.uses} + 1` })
    .where(and(eq(shares.id, id), sql`(${shares.maxUses} IS NULL OR ${shares.uses} < ${shares.maxUses})`))
    .returning({ id: shares.id })
    .all();
  return changed.length > 0;
}

/** A track as a page shows it: its active version, and what was measured on that. */
export type SharedTrackRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  /** Storage key of the picture. */
  cover: string | null;
  versionId: string;
  versionName: string;
  sha256: string;
  mediaType: string;
  sizeBytes: number;
  durationSec: number | null;
  /** Null: not measured, or silence. */
  integratedLufs: number | null;
  truePeakDbtp: number | null;
};

const COLUMNS = `t.id, t.name, t.title, t.artist, t.cover, v.id AS versionId, v.name AS versionName, v.sha256,
  v.media_type AS mediaType, v.size_bytes AS sizeBytes, coalesce(a.duration_sec, t.duration_sec) AS durationSec,
  a.integrated_lufs AS integratedLufs, a.true_peak_dbtp AS truePeakDbtp`;
const JOINED = "JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id";

const trackOfLink = prepared((db) =>
  db.$client.prepare<SharedTrackRow, [string, string]>(
    `SELECT ${COLUMNS} FROM tracks t ${JOINED} WHERE t.id = ?1 AND t.owner_id = ?2`,
  ),
);
const tracksOfPlaylist = prepared((db) =>
  db.$client.prepare<SharedTrackRow, [string, string]>(
    `SELECT ${COLUMNS} FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id ${JOINED}
     WHERE p.playlist_id = ?1 AND t.owner_id = ?2 ORDER BY p.position, p.id`,
  ),
);

/** Returns the tracks of a link in order: one, or those of its playlist. */
export function selectTracks(db: Db, { entity, entityId, ownerId }: ShareRow): SharedTrackRow[] {
  return (entity === "track" ? trackOfLink : tracksOfPlaylist)(db).all(entityId, ownerId);
}

/** A version as its file is served. */
export type SharedVersionRow = Pick<
  SharedTrackRow,
  "versionId" | "versionName" | "sha256" | "mediaType" | "sizeBytes"
> & {
  trackId: string;
  createdAt: number;
  /** Null while it was not analysed. */
  durationSec: number | null;
};

const versionOfLink = prepared((db) =>
  db.$client.prepare<SharedVersionRow, [string, string, string]>(
    `SELECT v.id AS versionId, v.name AS versionName, v.sha256, v.media_type AS mediaType, v.size_bytes AS sizeBytes,
       v.track_id AS trackId, v.created_at AS createdAt, a.duration_sec AS durationSec
     FROM versions v JOIN tracks t ON t.id = v.track_id AND t.owner_id = ?2
     LEFT JOIN analyses a ON a.version_id = v.id
     WHERE v.id = ?1 AND (t.id = ?3
       OR EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.playlist_id = ?3 AND p.track_id = t.id))`,
  ),
);

/** Returns a version of a track that the link opens now, or undefined. */
export function findSharedVersion(
  db: Db,
  { entityId, ownerId }: ShareRow,
  versionId: string,
): SharedVersionRow | undefined {
  return versionOfLink(db).get(versionId, ownerId, entityId) ?? undefined;
}

/** Returns a version's outline: int8 pairs (min, max), undefined while it was not analysed. */
export function findWaveform(db: Db, versionId: string): Uint8Array | undefined {
  const row = db.$client
    .query<{ waveform: Uint8Array }, [string]>("SELECT waveform FROM analyses WHERE version_id = ?1")
    .get(versionId);
  return row?.waveform;
}

/** Returns what a page says of a playlist itself. */
export function findPlaylist(db: Db, ownerId: string, id: string) {
  return db
    .select({ name: playlists.name, description: playlists.description, image: playlists.image })
    .from(playlists)
    .where(and(eq(playlists.id, id), eq(playlists.ownerId, ownerId)))
    .get();
}

/** Returns the name of the account that shares. */
export function findOwnerName(db: Db, ownerId: string): string | undefined {
  return db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, ownerId)).get()?.name;
}
