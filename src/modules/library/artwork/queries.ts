import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** True when a track, playlist or brand shows the picture. Served by `tracks_by_cover`, `playlists_by_image`, `brands_by_logo`. */
export function isShown(db: Db, key: string): boolean {
  const row = db.$client
    .query<{ shown: 0 | 1 }, [string]>(
      `SELECT EXISTS (SELECT 1 FROM tracks WHERE cover = ?1)
         OR EXISTS (SELECT 1 FROM playlists WHERE image = ?1)
         OR EXISTS (SELECT 1 FROM brands WHERE logo_key = ?1) AS shown`,
    )
    .get(key);
  return row?.shown === 1;
}

/** True when another account shows the picture. */
export function isShownByOthers(db: Db, key: string, accountId: LibraryId): boolean {
  const row = db.$client
    .query<{ shown: 0 | 1 }, [string, string]>(
      `SELECT EXISTS (SELECT 1 FROM tracks WHERE cover = ?1 AND owner_id <> ?2)
         OR EXISTS (SELECT 1 FROM playlists WHERE image = ?1 AND owner_id <> ?2)
         OR EXISTS (SELECT 1 FROM brands WHERE logo_key = ?1 AND account_id <> ?2) AS shown`,
    )
    .get(key, accountId);
  return row?.shown === 1;
}

/** Returns the key of every picture that is shown, and the id of what shows it. */
export function listShown(db: Db): { key: string; id: string }[] {
  return db.$client
    .query<{ key: string; id: string }, []>(
      `SELECT key, min(id) AS id FROM (
         SELECT cover AS key, id FROM tracks WHERE cover IS NOT NULL
         UNION ALL SELECT image, id FROM playlists WHERE image IS NOT NULL
         UNION ALL SELECT logo_key, account_id FROM brands WHERE logo_key IS NOT NULL)
       GROUP BY key`,
    )
    .all();
}
