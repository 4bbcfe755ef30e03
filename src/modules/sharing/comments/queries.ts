import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import {
  analyses,
  commentPlaces,
  comments,
  type LibraryId,
  type PersonId,
  versions,
} from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";
import type { NoteState } from "./shapes.ts";

/** A comment, and the version that was heard. */
export type CommentRow = typeof comments.$inferSelect & {
  version: { label: string | null; versionOrder: number } | null;
  /** 1 when the track has a version that this comment is not about. */
  hasOthers: 0 | 1;
  replyCount: number;
  /** What is written of its place in the version that was asked for. */
  place: Pick<typeof commentPlaces.$inferSelect, "atSec" | "endSec" | "how"> | null;
};

/** @param versionId Whose places are asked for, as a value or in SQL; left out: none. */
export const selectComments = (db: Db, versionId: string | SQL | Placeholder | null = null) =>
  db
    .select({
      ...getTableColumns(comments),
      // The first column decides whether there is a version, or a place: it must be one that is never null.
      version: { versionOrder: versions.versionOrder, label: versions.label },
      hasOthers: sql<0 | 1>`EXISTS
        (SELECT 1 FROM versions o WHERE o.track_id = ${comments.trackId} AND o.id IS NOT ${comments.versionId})`,
      replyCount: sql<number>`(SELECT count(*) FROM comments r WHERE r.parent_id = ${comments.id})`,
      place: { how: commentPlaces.how, atSec: commentPlaces.atSec, endSec: commentPlaces.endSec },
    })
    .from(comments)
    .leftJoin(versions, eq(versions.id, comments.versionId))
    .leftJoin(
      commentPlaces,
      and(eq(commentPlaces.commentId, comments.id), sql`${commentPlaces.versionId} = ${versionId}`),
    );

const isNote = isNull(comments.parentId);
const STATE: Readonly<Record<NoteState, SQL | undefined>> = {
  open: isNull(comments.resolvedAt),
  answered: isNotNull(comments.resolvedAt),
};

/** The condition of notes that are in one of `states` and not deleted. */
export const inStates = (states: readonly NoteState[]): SQL | undefined =>
  and(isNull(comments.deletedAt), or(...states.map((state) => STATE[state])));

/** Which comments of a track are asked for; `states`: notes in one of these. */
export type Wanted = {
  trackId: string;
  versionId?: string;
  isNotes?: boolean;
  states?: readonly NoteState[];
};

/**
 * Returns at most `limit` comments older than `after`, newest first (index `comments_by_track`). The caller must be
 * allowed to see the track.
 */
export function listComments(db: Db, wanted: Wanted, after: Place, limit: number): CommentRow[] {
  const { trackId, versionId, isNotes = false, states } = wanted;
  return selectComments(db, versionId)
    .where(
      and(
        eq(comments.trackId, trackId),
        sql`(${comments.createdAt}, ${comments.id}) < (${after.key}, ${after.id})`,
        isNotes || states ? isNote : undefined,
        states && inStates(states),
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit)
    .all();
}

/** Returns at most `limit` replies to a note after one, oldest first: `comments_by_parent`. */
export function listReplies(db: Db, noteId: string, after: Place, limit: number): CommentRow[] {
  return selectComments(db)
    .where(
      and(
        eq(comments.parentId, noteId),
        sql`(${comments.createdAt}, ${comments.id}) > (${after.key}, ${after.id})`,
      ),
    )
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .all();
}

/** Returns a comment on a live track, with its place in a version. */
export function findComment(db: Db, id: string, versionId?: string): CommentRow | undefined {
  return selectComments(db, versionId)
    .where(and(eq(comments.id, id), onLiveTrack))
    .get();
}

const byIds = prepared((db) =>
  selectComments(db, sql.placeholder("versionId"))
    .where(sql`${comments.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`)
    .prepare(),
);

/** Returns comments with their places in a version, in the order of their ids in the list. */
export function selectByIds(db: Db, versionId: string, ids: readonly string[]): CommentRow[] {
  const rows = byIds(db).all({ versionId, ids: JSON.stringify(ids) });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Returns how many notes a track has, no more than `most`. */
export function countNotes(db: Db, trackId: string, most: number): number {
  const some = db
    .select({ one: sql`1` })
    .from(comments)
    .where(and(eq(comments.trackId, trackId), isNote))
    .limit(most)
    .as("some");
  return db.select({ total: sql<number>`count(*)` }).from(some).get()?.total ?? 0;
}

/** Adds a comment. Returns it as {@link listComments} does. */
export function insertComment(tx: Db, row: typeof comments.$inferInsert): CommentRow {
  tx.insert(comments).values(row).run();
  const added = selectComments(tx).where(eq(comments.id, row.id)).get();
  if (!added) throw new Error(`The comment ${row.id} was not written`);
  return added;
}

/** Who marked a note answered, when, and the version that answers it. */
export type Answer = Pick<
  typeof comments.$inferSelect,
  "resolvedAt" | "resolvedBy" | "resolvedName" | "resolvedIn"
>;

/** Marks an open note answered; returns false when it was answered already. */
export function answerNote(tx: Db, id: string, answer: Answer): boolean {
  const isOpen = and(eq(comments.id, id), isNull(comments.resolvedAt));
  return tx.update(comments).set(answer).where(isOpen).returning({ id: comments.id }).all().length > 0;
}

const amongIds = (ids: readonly string[]) =>
  sql`${comments.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Returns those of some comments that are on a track. */
export function listAmong(db: Db, trackId: string, ids: readonly string[]) {
  const { id, authorId, parentId, deletedAt } = comments;
  return db
    .select({ id, authorId, parentId, deletedAt })
    .from(comments)
    .where(and(eq(comments.trackId, trackId), amongIds(ids)))
    .all();
}

/** Marks open notes on a track answered: some, or all; `authorId`: only those by a person. Returns them. */
export function answerNotes(
  tx: Db,
  asked: {
    trackId: string;
    ids: readonly string[] | undefined;
    authorId: PersonId | undefined;
    answer: Answer;
  },
) {
  const { trackId, ids, authorId, answer } = asked;
  const isMeant = and(
    eq(comments.trackId, trackId),
    isNote,
    isNull(comments.resolvedAt),
    isNull(comments.deletedAt),
    ids && amongIds(ids),
    authorId && eq(comments.authorId, authorId),
  );
  return tx
    .update(comments)
    .set(answer)
    .where(isMeant)
    .returning({ id: comments.id, authorId: comments.authorId, shareId: comments.shareId })
    .all();
}

/** Returns how many notes of a person somebody, or the recipient of a link, has marked answered by a version since a time. */
export function countAnswered(
  db: Db,
  asked: { trackId: string; authorId: string; versionId: string; by: PersonId | null; since: number },
): number {
  const { trackId, authorId, versionId, by, since } = asked;
  const isMeant = and(
    eq(comments.trackId, trackId),
    eq(comments.authorId, authorId),
    eq(comments.resolvedIn, versionId),
    gte(comments.resolvedAt, since),
    by === null ? isNull(comments.resolvedBy) : eq(comments.resolvedBy, by),
  );
  return db.select({ total: count() }).from(comments).where(isMeant).get()?.total ?? 0;
}

const OPEN: Answer = { resolvedAt: null, resolvedBy: null, resolvedName: null, resolvedIn: null };

/** Opens those of some notes again that are answered as they were then. Returns how many. */
export function reopenNotes(
  tx: Db,
  { trackId, ids, at, by }: { trackId: string; ids: readonly string[]; at: number; by: PersonId },
): number {
  const isAsThen = and(
    eq(comments.trackId, trackId),
    amongIds(ids),
    eq(comments.resolvedAt, at),
    eq(comments.resolvedBy, by),
    isNull(comments.deletedAt),
  );
  return tx.update(comments).set(OPEN).where(isAsThen).returning({ id: comments.id }).all().length;
}

/** Opens a note again; returns false when it was open. */
export function reopenNote(tx: Db, id: string): boolean {
  const isAnswered = and(eq(comments.id, id), isNotNull(comments.resolvedAt));
  return tx.update(comments).set(OPEN).where(isAnswered).returning({ id: comments.id }).all().length > 0;
}

/** Returns what is written of a note's place in a version. */
export function findPlace(db: Db, commentId: string, versionId: string) {
  const { commentId: note, versionId: version } = commentPlaces;
  return db
    .select()
    .from(commentPlaces)
    .where(and(eq(note, commentId), eq(version, versionId)))
    .get();
}

/** Writes where a note is in a version, in the place of what was known. */
export function putPlace(tx: Db, row: typeof commentPlaces.$inferInsert): void {
  const { commentId, versionId, ...place } = row;
  tx.insert(commentPlaces)
    .values(row)
    .onConflictDoUpdate({ target: [commentPlaces.commentId, commentPlaces.versionId], set: place })
    .run();
}

/** Returns the length of a version in seconds, or undefined until it is analysed. */
export function findLength(db: Db, versionId: string): number | undefined {
  const { durationSec } = analyses;
  return db.select({ durationSec }).from(analyses).where(eq(analyses.versionId, versionId)).get()
    ?.durationSec;
}

/** Returns what decides how a comment is deleted; `isOfLibrary`: on a live track of the library. */
export function findDeletable(db: Db, id: string, accountId: LibraryId) {
  const { authorId, parentId, deletedAt } = comments;
  const hasReplies = sql<0 | 1>`EXISTS (SELECT 1 FROM comments r WHERE r.parent_id = comments.id)`;
  const isOfLibrary = sql<0 | 1>`EXISTS (SELECT 1 FROM tracks t
    WHERE t.id = comments.track_id AND t.owner_id = ${accountId} AND t.deleted_at IS NULL)`;
  return db
    .select({ authorId, parentId, deletedAt, hasReplies, isOfLibrary })
    .from(comments)
    .where(eq(comments.id, id))
    .get();
}

/** Deletes a comment, and the replies to it. */
export function deleteComment(tx: Db, id: string): void {
  tx.delete(comments).where(eq(comments.id, id)).run();
}

/** Takes everything from a note but its replies. */
export function emptyNote(tx: Db, id: string, at: number): void {
  tx.update(comments).set({ text: "", deletedAt: at }).where(eq(comments.id, id)).run();
  tx.delete(commentPlaces).where(eq(commentPlaces.commentId, id)).run();
}

/** Deletes a note that was emptied and has no replies any more. */
export function deleteEmptied(tx: Db, id: string): void {
  const hasReplies = sql`EXISTS (SELECT 1 FROM comments r WHERE r.parent_id = ${id})`;
  tx.delete(comments)
    .where(and(eq(comments.id, id), isNotNull(comments.deletedAt), sql`NOT ${hasReplies}`))
    .run();
}

export const onLiveTrack = sql`NOT EXISTS
  (SELECT 1 FROM tracks t WHERE t.id = ${comments.trackId} AND t.deleted_at IS NOT NULL)`;
