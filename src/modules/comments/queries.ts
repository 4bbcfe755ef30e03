import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { comments } from "../../../db/schema.ts";
import type { Place } from "../../kernel/paging.ts";

export type CommentRow = typeof comments.$inferSelect;

/**
 * Returns at most `limit` comments older than `after`, newest first (index `comments_by_track`). The track must be one
 * that the caller may see.
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

/** Deletes a comment that the account wrote, or that stands on a track of the account; false when there is none. */
export function deleteComment(tx: Db, accountId: string, id: string): boolean {
  const deleted = tx.$client
    .query<{ id: string }, [string, string]>(
      `DELETE FROM comments WHERE id = ?1 AND (author_id = ?2
         OR EXISTS (SELECT 1 FROM tracks t WHERE t.id = comments.track_id AND t.owner_id = ?2))
       RETURNING id`,
    )
    .all(id, accountId);
  return deleted.length > 0;
}

/** Returns the newest comments that came by a link, or those older than one, at most `limit`: `comments_by_share`. */
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
    .where(and(eq(comments.shareId, shareId), older))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}
