import type { Db } from "../../../../db/client.ts";

/** A tag found on a track, and how much it counts: 1 where somebody wrote it, less where it is suggested. */
export type FoundTag = { trackId: string; tagId: string; trust: number };

/** What a suggestion counts when it is quite sure; in proportion below that. */
const TRUST = 0.6;

/**
 * Returns where the tags are suggested on the owner's tracks. A category in which the owner has written, or which the
 * owner has emptied, is decided: suggestions say nothing more there. Served by index `tag_suggestions_by_tag`.
 */
export function selectSuggested(db: Db, ownerId: string, tagIds: readonly string[]): FoundTag[] {
  return db.$client
    .query<FoundTag, { ownerId: string; tagIds: string; trust: number }>(
      `SELECT s.track_id AS trackId, s.tag_id AS tagId, $trust * s.confidence AS trust
       FROM tag_suggestions s JOIN tracks t ON t.id = s.track_id AND t.owner_id = $ownerId
       WHERE s.tag_id IN (SELECT value FROM json_each($tagIds))
         AND NOT EXISTS (SELECT 1 FROM track_tags g
                         WHERE g.track_id = s.track_id AND g.category = s.category AND g.source = 'owner')
         AND instr(t.owner_fields, '"' || s.category || '"') = 0`,
    )
    .all({ ownerId, tagIds: JSON.stringify(tagIds), trust: TRUST });
}
