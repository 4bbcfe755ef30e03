import type { Db } from "../../../db/client.ts";
import { fold } from "../../kernel/text.ts";
import type { CategorizedTag, TagCategory, TagRef } from "./model.ts";

/** What {@link replaceTags} writes. */
export type TagWrite = {
  ownerId: string;
  trackId: string;
  category: TagCategory;
  /** In the order they are to be shown. */
  tags: readonly TagRef[];
  source: "owner" | "file";
};

/** Puts `tags` in the place of whatever the track has in the category. */
export function replaceTags(tx: Db, { ownerId, trackId, category, tags, source }: TagWrite): void {
  tx.$client.query("DELETE FROM track_tags WHERE track_id = ? AND category = ?").run(trackId, category);
  const insert = tx.$client.query(
    `INSERT INTO track_tags (track_id, category, tag_id, name, name_fold, position, source, owner_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [position, { id, name }] of tags.entries())
    insert.run(trackId, category, id, name, fold(name), position, source, ownerId);
}

/** True when the owner has written tags of the category on the track. */
export function hasOwnerTags(tx: Db, trackId: string, category: TagCategory): boolean {
  const row = tx.$client
    .query("SELECT 1 FROM track_tags WHERE track_id = ? AND category = ? AND source = 'owner' LIMIT 1")
    .get(trackId, category);
  return row !== null;
}

/** Returns the tags of many tracks, each track's by category and then in the order written. */
export function selectTags(db: Db, trackIds: readonly string[]): (CategorizedTag & { trackId: string })[] {
  return db.$client
    .query<CategorizedTag & { trackId: string }, [string]>(
      `SELECT track_id AS trackId, category, tag_id AS id, name FROM track_tags
       WHERE track_id IN (SELECT value FROM json_each(?)) ORDER BY track_id, category, position`,
    )
    .all(JSON.stringify(trackIds));
}
