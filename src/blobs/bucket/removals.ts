import { and, asc, eq, gt, lt, lte, or } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { bucketRemovals } from "../../../db/schema.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";

/** An object that no version names, or not yet. */
export type Removal = typeof bucketRemovals.$inferSelect;

/** A process that began to delete an object longer ago than this is no longer at it. */
const DELETING_MS = 10 * MINUTE_MS;
/** `since` of objects that do not wait. */
const AT_ONCE = 0;

export function findRemoval(db: Db, sha256: string): Removal | undefined {
  return db.select().from(bucketRemovals).where(eq(bucketRemovals.sha256, sha256)).get();
}

/**
 * Notes an object that is about to be uploaded: it goes again unless a version names it. Returns false while another
 * process deletes it.
 */
export function claim(tx: Db, sha256: string, at: number): boolean {
  const found = findRemoval(tx, sha256);
  if (found && !found.isDeleted && found.deletingAt !== null && found.deletingAt > at - DELETING_MS)
    return false;
  const fresh = { since: at, deletingAt: null, isDeleted: false };
  tx.insert(bucketRemovals)
    .values({ sha256, ...fresh })
    .onConflictDoUpdate({ target: bucketRemovals.sha256, set: fresh })
    .run();
  return true;
}

/** Notes that no version names an object any more. Returns false when that was known. */
export function insertRemoval(tx: Db, sha256: string, at: number): boolean {
  return (
    tx.insert(bucketRemovals).values({ sha256, since: at }).onConflictDoNothing().returning().all().length > 0
  );
}

/** Has an object deleted as soon as possible. */
export function insertErasure(tx: Db, sha256: string): void {
  tx.insert(bucketRemovals)
    .values({ sha256, since: AT_ONCE })
    .onConflictDoUpdate({ target: bucketRemovals.sha256, set: { since: AT_ONCE } })
    .run();
}

/** Returns false when there was none, or its object is gone. */
export function deleteRemoval(tx: Db, sha256: string): boolean {
  const found = tx.delete(bucketRemovals).where(eq(bucketRemovals.sha256, sha256)).returning().get();
  return found !== undefined && !found.isDeleted;
}

/** Returns the objects that are still there, in the order of their hashes. */
export function listRemovals(db: Db): { sha256: string; since: number }[] {
  const { sha256, since } = bucketRemovals;
  return db
    .select({ sha256, since })
    .from(bucketRemovals)
    .where(eq(bucketRemovals.isDeleted, false))
    .orderBy(asc(sha256))
    .all();
}

/** Returns hashes after `after` of objects that are due. Served by the primary key. */
export function listDue(
  db: Db,
  { until, after, limit }: { until: number; after: string; limit: number },
): string[] {
  const { sha256, since, isDeleted } = bucketRemovals;
  return db
    .select({ sha256 })
    .from(bucketRemovals)
    .where(and(gt(sha256, after), eq(isDeleted, false), or(lte(since, until), eq(since, AT_ONCE))))
    .orderBy(asc(sha256))
    .limit(limit)
    .all()
    .map((row) => row.sha256);
}

/** From now on no version may name the object, until it is uploaded again. */
export function beginDeleting(tx: Db, sha256: string, at: number): void {
  tx.update(bucketRemovals).set({ deletingAt: at }).where(eq(bucketRemovals.sha256, sha256)).run();
}

/**
 * Notes that the object is gone, unless it was claimed meanwhile. Keeps the row for a day: an upload that was under way
 * must notice.
 *
 * @param at As in {@link beginDeleting}.
 */
export function endDeleting(tx: Db, sha256: string, at: number): void {
  const isMine = and(eq(bucketRemovals.sha256, sha256), eq(bucketRemovals.deletingAt, at));
  tx.update(bucketRemovals).set({ isDeleted: true }).where(isMine).run();
  tx.delete(bucketRemovals)
    .where(and(eq(bucketRemovals.isDeleted, true), lt(bucketRemovals.deletingAt, at - DAY_MS)))
    .run();
}

/** Begins all waiting times again: the rows may be older than the bucket. */
export function restartRemovals(tx: Db, at: number): void {
  const isThere = eq(bucketRemovals.isDeleted, false);
  tx.update(bucketRemovals).set({ since: at, deletingAt: null }).where(isThere).run();
}

/** Forgets everything, for a restored library: its rows say nothing about the bucket of today. */
export function forgetRemovals(tx: Db): void {
  tx.delete(bucketRemovals).run();
}
