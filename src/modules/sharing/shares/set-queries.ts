import { type Db, prepared } from "../../../../db/client.ts";
import {
  COLUMNS,
  inSetOf,
  JOINED,
  type Opened,
  type SharedTrackRow,
  type SharedVersionRow,
} from "./shared-rows.ts";

const tracksOfSet = prepared((db) =>
  db.$client.prepare<SharedTrackRow, [string, string]>(
    `SELECT ${COLUMNS} FROM tracks t ${JOINED}
     WHERE t.owner_id = ?2 AND t.deleted_at IS NULL AND (t.id = ?1 OR ${inSetOf("?1")})`,
  ),
);

/** Returns the tracks that a link to a whole family shows, in no order. */
export function selectSet(db: Db, { entityId, ownerId }: Opened): SharedTrackRow[] {
  return tracksOfSet(db).all(entityId, ownerId);
}

/** Returns the active versions of the tracks that a link to a whole family shows. */
export function selectSetVersions(db: Db, { entityId, ownerId }: Opened): SharedVersionRow[] {
  return db.$client
    .query<SharedVersionRow, [string, string]>(
      `SELECT v.id AS versionId, v.name AS versionName, v.sha256, v.media_type AS mediaType, v.size_bytes AS sizeBytes,
         v.track_id AS trackId, v.created_at AS createdAt, t.duration_sec AS durationSec
       FROM tracks t JOIN versions v ON v.id = t.active_version_id
       WHERE t.owner_id = ?2 AND t.deleted_at IS NULL AND (t.id = ?1 OR ${inSetOf("?1")})`,
    )
    .all(entityId, ownerId);
}
