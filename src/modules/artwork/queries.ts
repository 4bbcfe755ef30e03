import type { Db } from "../../../db/client.ts";

/** True when a track or playlist shows the picture. Served by `tracks_by_cover` and `playlists_by_image`. */
export function isShown(db: Db, key: string): boolean {
  const row = db.$client
    .query<{ shown: 0 | 1 }, [string]>(
      `SELECT EXISTS (SELECT 1 FROM tracks WHERE cover = ?1)
         OR EXISTS (SELECT 1 FROM playlists WHERE image = ?1) AS shown`,
    )
    .get(key);
  return row?.shown === 1;
}

/** Returns the key of every picture that is shown, and the id of a track or playlist that shows it. */
export function listShown(db: Db): { key: string; id: string }[] {
  return db.$client
    .query<{ key: string; id: string }, []>(
      `SELECT key, min(id) AS id FROM (
         SELECT cover AS key, id FROM tracks WHERE cover IS NOT NULL
         UNION ALL SELECT image, id FROM playlists WHERE image IS NOT NULL)
       GROUP BY key`,
    )
    .all();
}
