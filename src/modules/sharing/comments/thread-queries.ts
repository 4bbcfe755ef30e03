import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { comments } from "../../../../db/schema.ts";
import { isInRound, ROUND_NOTES } from "../../library/catalog/service.ts";
import { type CommentRow, onLiveTrack, selectComments } from "./queries.ts";

/** The version that the comment's track plays. */
const PLAYING = sql`(SELECT t.active_version_id FROM tracks t WHERE t.id = ${comments.trackId})`;

/** Notes of a link, each with its place in the version that its track plays. */
const notesOf = (shareId: string) =>
  and(eq(comments.shareId, shareId), isNull(comments.parentId), onLiveTrack);

/** Returns at most `limit` notes of a link, newest first, optionally those older than one: `comments_by_share`. */
export function listNotes(
  db: Db,
  shareId: string,
  {
    limit,
    after,
    without,
  }: { limit: number; after: { at: number; id: string } | undefined; without: readonly string[] },
): CommentRow[] {
  const older = after && sql`(${comments.createdAt}, ${comments.id}) < (${after.at}, ${after.id})`;
  const others = sql`${comments.id} NOT IN (SELECT value FROM json_each(${JSON.stringify(without)}))`;
  return selectComments(db, PLAYING)
    .where(and(notesOf(shareId), older, others))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}

/** Returns one note of a link, or nothing. */
export function findNote(db: Db, shareId: string, id: string): CommentRow[] {
  return selectComments(db, PLAYING)
    .where(and(notesOf(shareId), eq(comments.id, id)))
    .all();
}

/** Returns what was said to some notes, oldest first: `comments_by_parent`. */
export function listRepliesTo(db: Db, noteIds: readonly string[]): CommentRow[] {
  return selectComments(db)
    .where(sql`${comments.parentId} IN (SELECT value FROM json_each(${JSON.stringify(noteIds)}))`)
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .all();
}

const inRoundOf = (which: string) =>
  sql.raw(`EXISTS (SELECT 1 FROM tracks t JOIN versions v ON v.id = t.active_version_id
  JOIN ${ROUND_NOTES} n ON n.id = comments.id
  WHERE t.id = comments.track_id AND ${which} AND ${isInRound("n", "v")})`);

/** True for a note of the round of the version that its track plays, made on it or earlier. */
const isOfRound = inRoundOf("true");
/** True for a note that the version which its track plays has from an earlier one. */
const isInherited = inRoundOf("n.versionId IS NOT v.id");

/**
 * Returns at most `limit` notes of a link in the round of the version that plays, newest first.
 *
 * @param made On earlier versions only, or also on the one that plays.
 */
export function listRoundNotes(
  db: Db,
  shareId: string,
  limit: number,
  made: "earlier" | "whenever" = "earlier",
): CommentRow[] {
  return selectComments(db, PLAYING)
    .where(and(notesOf(shareId), made === "earlier" ? isInherited : isOfRound))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}

/** True when a link has notes on a version. */
export function hasNotesOn(db: Db, shareId: string, versionId: string): boolean {
  const found = db
    .select({ id: comments.id })
    .from(comments)
    .where(and(notesOf(shareId), eq(comments.versionId, versionId), isNull(comments.deletedAt)))
    .limit(1)
    .get();
  return found !== undefined;
}

/** The version that a track plays. */
export type PlayingRow = {
  trackId: string;
  versionId: string;
  label: string | null;
  versionOrder: number;
  /** Null until it is known. */
  lengthSec: number | null;
};

/** Returns the versions that some tracks play now. */
export function selectPlaying(db: Db, trackIds: readonly string[]): PlayingRow[] {
  return db.$client
    .query<PlayingRow, [string]>(
      `SELECT t.id AS trackId, v.id AS versionId, v.label, v.version_order AS versionOrder,
         ifnull(a.duration_sec, iif(t.analysis_version_id IS NULL, t.duration_sec, NULL)) AS lengthSec
       FROM tracks t JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id
       WHERE t.id IN (SELECT value FROM json_each(?1))`,
    )
    .all(JSON.stringify(trackIds));
}

/** Returns the places of versions in the order of their tracks, by id. */
export function selectOrders(db: Db, versionIds: readonly string[]): Map<string, number> {
  const rows = db.$client
    .query<{ id: string; versionOrder: number }, [string]>(
      "SELECT id, version_order AS versionOrder FROM versions WHERE id IN (SELECT value FROM json_each(?1))",
    )
    .all(JSON.stringify(versionIds));
  return new Map(rows.map(({ id, versionOrder }) => [id, versionOrder]));
}
