import { type Db, prepared } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";

/** What an archive needs of a version. */
export type ArchivedVersion = {
  id: string;
  name: string;
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  createdAt: number;
};

const activeVersions = prepared((db) =>
  db.$client.prepare<ArchivedVersion, [string, string]>(
    `SELECT v.id, v.name, v.sha256, v.size_bytes AS sizeBytes, v.media_type AS mediaType,
       v.created_at AS createdAt
     FROM json_each(?2) i CROSS JOIN tracks t ON t.id = i.value CROSS JOIN versions v ON v.id = t.active_version_id
     WHERE t.owner_id = ?1 AND t.deleted_at IS NULL ORDER BY i.key`,
  ),
);

/** Returns the active versions of an account's tracks, in the order of the ids; unknown ids are left out. */
export function selectActiveVersions(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
): ArchivedVersion[] {
  return activeVersions(db).all(ownerId, JSON.stringify(trackIds));
}
