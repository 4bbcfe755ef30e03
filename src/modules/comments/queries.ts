import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { comments } from "../../../db/schema.ts";
import type { Place } from "../../kernel/paging.ts";

export type CommentRow = typeof comments.$inferSelect;

/**
 * Returns at most `limit` comments older than `after`, newest first (index `comments_by_track`). The caller must be
 * allowed to see the track.
 */
export function listComments(db: Db, trackId: string, after: Place, limit: number): CommentRow[] {
  return db
    .select()
    .from(comments)
    .where(
      and(
        eq(comments.trackId, trackId),
        sql`(${comments.createdAt}, ${comments.id}) < (${after.key}, ${after.id})`,
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}

export function insertComment(tx: Db, row: typeof comments.$inferInsert): CommentRow {
  return tx.insert(comments).values(row).returning().get();
}

/** Deletes a comment by the account or on its track; returns false when there is no such comment. */
export function deleteComment(tx: Db, accountId: string, id: string): boolean {
  const deleted = tx.$client
    .query<{ id: string }, [string, string]>(
      `DELETE FROM comments WHERE id = ?1 AND (author_id = ?2
         OR EXISTS (SELECT 1 FROM tracks t WHERE t.id = comments.track_id AND t.owner_id = ?2 AND t.deleted_at IS NULL))
       RETURNING id`,
    )
    .all(id, accountId);
  return deleted.length > 0;
}

const onLiveTrack = sql`NOT EXISTS
  (SELECT 1 FROM tracks t WHERE t.id = ${comments.trackId} AND t.deleted_at IS NOT NULL)`;

/** Returns at most `limit` comments from a link, newest first, optionally those older than one: `comments_by_share`. */
export function listShareComments(
  db: Db,
  shareId: string,
  limit: number,
  after?: { at: number; id: string },
): CommentRow[] {
  const older = after && sql`(${comments.createdAt}, ${comments.id}) < (${after.at}, ${after.id})`;
  return db
    .select()
    .from(comments)
    .where(and(eq(comments.shareId, shareId), older, onLiveTrack))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}
