import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type PersonId, reviews } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

export type ReviewRow = typeof reviews.$inferSelect;

/** Whose a verdict is: a person's, or a link's. */
export type Reviewer = { personId: PersonId } | { shareId: string };

const isBy = (by: Reviewer) =>
  "shareId" in by ? eq(reviews.shareId, by.shareId) : eq(reviews.personId, by.personId);

/** Returns what a person or a link says of a version. */
export function findReview(db: Db, versionId: string, by: Reviewer): ReviewRow | undefined {
  return db
    .select()
    .from(reviews)
    .where(and(eq(reviews.versionId, versionId), isBy(by)))
    .get();
}

/** Writes what a person or a link says of a version, instead of what they said before. */
export function putReview(tx: Db, row: ReviewRow): ReviewRow {
  const { name, state, text, at } = row;
  const written = tx
    .update(reviews)
    .set({ name, state, text, at })
    .where(eq(reviews.id, row.id))
    .returning()
    .get();
  return written ?? tx.insert(reviews).values(row).returning().get();
}

export function deleteReview(tx: Db, id: string): void {
  tx.delete(reviews).where(eq(reviews.id, id)).run();
}

/** Returns at most `limit` verdicts on the versions of a track, the newest first. Index `reviews_by_track`. */
export function listTrackReviews(db: Db, trackId: string, after: Place, limit: number): ReviewRow[] {
  return db
    .select()
    .from(reviews)
    .where(
      and(eq(reviews.trackId, trackId), sql`(${reviews.at}, ${reviews.id}) < (${after.key}, ${after.id})`),
    )
    .orderBy(desc(reviews.at), desc(reviews.id))
    .limit(limit)
    .all();
}

/** Returns what people and links say of a version, the newest first. */
export function listReviews(db: Db, trackId: string, versionId: string): ReviewRow[] {
  return db
    .select()
    .from(reviews)
    .where(and(eq(reviews.trackId, trackId), eq(reviews.versionId, versionId)))
    .orderBy(desc(reviews.at), desc(reviews.id))
    .all();
}

/** Returns what a person or a link says of some versions; without `versionIds`, of all. */
export function listReviewsBy(db: Db, by: Reviewer, versionIds?: readonly string[]): ReviewRow[] {
  const ofThese =
    versionIds && sql`${reviews.versionId} IN (SELECT value FROM json_each(${JSON.stringify(versionIds)}))`;
  return db
    .select()
    .from(reviews)
    .where(and(isBy(by), ofThese))
    .all();
}
