import { asc, eq, inArray } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { commentPlaces, comments, reviews } from "../../../../db/schema.ts";
import { newId } from "../../../kernel/ids.ts";
import { requestCarrying } from "../../library/recordings/service.ts";

/** What {@link copyNotes} made, by ids. */
export type CopiedNotes = { commentIds: readonly string[]; reviewIds: readonly string[] };

/** Between which tracks notes are copied; `versions`: which versions of the second are those of the first. */
type Copying = { from: string; to: string; versions: ReadonlyMap<string, string>; at: number };

/**
 * Gives a track what was said of another one, on the versions that it got from it: notes with replies, answers and places, and
 * reviews. What was said through a link of the other track stays under its name, and belongs to no link here. Call it inside a
 * transaction.
 */
export function copyNotes(tx: Db, { from, to, versions, at }: Copying): CopiedNotes {
  const rows = tx
    .select()
    .from(comments)
    .where(eq(comments.trackId, from))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .all();
  // Ids break ties between equal times.
  const ids = rows.map(() => newId("cmt")).sort();
  const copyOf = new Map(rows.map(({ id }, index) => [id, ids[index] ?? ""]));
  const versionOf = (id: string | null) => (id === null ? null : (versions.get(id) ?? null));
  const noteOf = (id: string | null) => (id === null ? null : (copyOf.get(id) ?? null));
  for (const row of rows.toSorted(byNotesFirst))
    tx.insert(comments)
      .values({
        ...row,
        id: noteOf(row.id) ?? "",
        trackId: to,
        shareId: null,
        visit: null,
        versionId: versionOf(row.versionId),
        parentId: noteOf(row.parentId),
        resolvedIn: versionOf(row.resolvedIn),
      })
      .run();
  copyPlaces(tx, { from, noteOf, versionOf });
  for (const id of new Set(versions.values())) requestCarrying(tx, id, { isMissing: true }, at);
  return { commentIds: ids, reviewIds: copyReviews(tx, { from, to, versionOf }) };
}

/** Deletes copies of notes to which nobody has replied since, and copies of reviews. Call it inside a transaction. */
export function dropCopies(tx: Db, { commentIds, reviewIds }: CopiedNotes): void {
  dropNotes(tx).run({ ids: JSON.stringify(commentIds) });
  dropReviews(tx).run({ ids: JSON.stringify(reviewIds) });
}

const byNotesFirst = (one: { parentId: string | null }, other: { parentId: string | null }) =>
  Number(one.parentId !== null) - Number(other.parentId !== null);

type Mapped = (id: string | null) => string | null;

function copyPlaces(
  tx: Db,
  { from, noteOf, versionOf }: { from: string; noteOf: Mapped; versionOf: Mapped },
): void {
  const ofTrack = tx.select({ id: comments.id }).from(comments).where(eq(comments.trackId, from));
  for (const row of tx.select().from(commentPlaces).where(inArray(commentPlaces.commentId, ofTrack)).all()) {
    const [commentId, versionId] = [noteOf(row.commentId), versionOf(row.versionId)];
    if (commentId !== null && versionId !== null)
      tx.insert(commentPlaces)
        .values({ ...row, commentId, versionId })
        .onConflictDoNothing()
        .run();
  }
}

function copyReviews(
  tx: Db,
  { from, to, versionOf }: { from: string; to: string; versionOf: Mapped },
): string[] {
  const copied: string[] = [];
  for (const row of tx
    .select()
    .from(reviews)
    .where(eq(reviews.trackId, from))
    .orderBy(asc(reviews.at))
    .all()) {
    const versionId = versionOf(row.versionId);
    if (versionId === null) continue;
    const id = newId("rev");
    // What the person has said of the same bytes on the other track stands.
    const { shareId: _, ...said } = row;
    const { changes } = insertReview(tx).run({ ...said, id, trackId: to, versionId });
    if (changes > 0) copied.push(id);
  }
  return copied;
}

type Ids = { ids: string };
const insertReview = prepared((db) =>
  db.$client.prepare<unknown, Omit<typeof reviews.$inferSelect, "shareId">>(
    `INSERT OR IGNORE INTO reviews (id, track_id, version_id, person_id, share_id, name, state, text, at)
     VALUES ($id, $trackId, $versionId, $personId, NULL, $name, $state, $text, $at)`,
  ),
);
const dropNotes = prepared((db) =>
  db.$client.prepare<unknown, Ids>(
    `DELETE FROM comments WHERE parent_id IS NULL AND id IN (SELECT value FROM json_each($ids)) AND NOT EXISTS
       (SELECT 1 FROM comments r WHERE r.parent_id = comments.id AND r.id NOT IN (SELECT value FROM json_each($ids)))`,
  ),
);
const dropReviews = prepared((db) =>
  db.$client.prepare<unknown, Ids>("DELETE FROM reviews WHERE id IN (SELECT value FROM json_each($ids))"),
);
