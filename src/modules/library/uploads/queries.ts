import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, ownerUploads, type PersonId } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";

export type UploadRow = typeof ownerUploads.$inferSelect;

/** Adds an upload; undefined when the account already has one with the same key. */
export function insertUpload(tx: Db, row: typeof ownerUploads.$inferInsert): UploadRow | undefined {
  return tx
    .insert(ownerUploads)
    .values({ madeBy: currentPerson(), ...row })
    .onConflictDoNothing()
    .returning()
    .get();
}

/** Finds an account's upload that has not expired. */
export function findUpload(db: Db, accountId: LibraryId, id: string, at: number): UploadRow | undefined {
  return db
    .select()
    .from(ownerUploads)
    .where(
      and(eq(ownerUploads.id, id), eq(ownerUploads.accountId, accountId), gt(ownerUploads.expiresAt, at)),
    )
    .get();
}

export function findUploadByKey(db: Db, accountId: LibraryId, senderKey: string): UploadRow | undefined {
  return db
    .select()
    .from(ownerUploads)
    .where(and(eq(ownerUploads.accountId, accountId), eq(ownerUploads.senderKey, senderKey)))
    .get();
}

export function updateUpload(tx: Db, id: string, change: Partial<UploadRow>): void {
  tx.update(ownerUploads).set(change).where(eq(ownerUploads.id, id)).run();
}

/** Changes an upload, which lasts until `expiresAt` at least. One that is over at `at` stays so: its sender may have been removed. */
export function prolongUpload(
  tx: Db,
  id: string,
  change: Partial<UploadRow> & { expiresAt: number },
  at: number,
): void {
  const expiresAt = sql`max(expires_at, ${change.expiresAt})`;
  tx.update(ownerUploads)
    .set({ ...change, expiresAt })
    .where(and(eq(ownerUploads.id, id), gt(ownerUploads.expiresAt, at)))
    .run();
}

/** Somebody who sends files into a library. */
type Sender = { accountId: LibraryId; personId: PersonId };

const sentBy = ({ accountId, personId }: Sender, at: number) =>
  and(
    eq(ownerUploads.accountId, accountId),
    eq(ownerUploads.madeBy, personId),
    isNull(ownerUploads.outcome),
    gt(ownerUploads.expiresAt, at),
  );

/** Returns how many uploads of somebody are not finished. */
export function countUploadsOf(db: Db, sender: Sender, at: number): number {
  return db.select({ id: ownerUploads.id }).from(ownerUploads).where(sentBy(sender, at)).all().length;
}

/**
 * Ends the unfinished uploads of somebody; returns how many. What has arrived whole goes into the library all the same, the rest is
 * deleted: `pruneOwnerUploads` does both.
 */
export function endUploadsOf(tx: Db, sender: Sender, at: number): number {
  const ended = tx.update(ownerUploads).set({ expiresAt: at }).where(sentBy(sender, at));
  return ended.returning({ id: ownerUploads.id }).all().length;
}

export function deleteUpload(tx: Db, id: string): void {
  tx.delete(ownerUploads).where(eq(ownerUploads.id, id)).run();
}

/** Returns the uploads that have expired. */
export function listExpired(db: Db, at: number): UploadRow[] {
  return db.select().from(ownerUploads).where(lte(ownerUploads.expiresAt, at)).all();
}

/** True when a row names the file of an upload. */
export function hasUpload(db: Db, id: string): boolean {
  return (
    db
      .select({ id: ownerUploads.id })
      .from(ownerUploads)
      .where(and(eq(ownerUploads.id, id), isNull(ownerUploads.outcome)))
      .get() !== undefined
  );
}

/** Returns which of these uploads are finished. */
export function finishedAmong(db: Db, ids: readonly string[]): string[] {
  return db
    .select({ id: ownerUploads.id })
    .from(ownerUploads)
    .where(and(inArray(ownerUploads.id, [...ids]), isNotNull(ownerUploads.outcome)))
    .all()
    .map(({ id }) => id);
}

/** An upload that waits, and what the track that it looks like a version of is called, where that is still in the library. */
export type WaitingRow = Pick<UploadRow, "id" | "path" | "sizeBytes" | "expiresAt" | "madeBy"> & {
  waitingSince: number;
  trackId: string | null;
  name: string | null;
  title: string | null;
};

const WAITING = `SELECT u.id, u.path, u.size_bytes AS sizeBytes, u.waiting_since AS waitingSince, u.expires_at AS expiresAt, u.made_by AS madeBy,
    t.id AS trackId, t.name, t.title
  FROM owner_uploads u
  LEFT JOIN tracks t ON t.id = u.offered_track_id AND t.owner_id = u.account_id AND t.deleted_at IS NULL AND t.in_inbox = 0
  WHERE u.account_id = $accountId AND u.waiting_since IS NOT NULL AND u.outcome IS NULL`;

type WaitingPage = { accountId: LibraryId; at: number; since: number; before: string; limit: number };
const waitingPage = prepared((db) =>
  db.$client.prepare<WaitingRow, [WaitingPage]>(
    `${WAITING} AND u.expires_at > $at AND (u.waiting_since, u.id) < ($since, $before)
     ORDER BY u.waiting_since DESC, u.id DESC LIMIT $limit`,
  ),
);

/** Returns an account's uploads that wait, the newest first, after `since` and `before`. */
export function selectWaiting(db: Db, page: WaitingPage): WaitingRow[] {
  return waitingPage(db).all(page);
}

const waitingOne = prepared((db) =>
  db.$client.prepare<WaitingRow, [{ accountId: LibraryId; id: string }]>(`${WAITING} AND u.id = $id`),
);

/** Returns an account's upload if it waits. */
export function findWaiting(db: Db, accountId: LibraryId, id: string): WaitingRow | undefined {
  return waitingOne(db).get({ accountId, id }) ?? undefined;
}

/** What a track is called. */
export type TrackNames = { id: string; name: string; title: string | null; artist: string | null };

const tracksNamed = prepared((db) =>
  db.$client.prepare<TrackNames, [string, string, number]>(
    `SELECT t.id, t.name, t.title, t.artist FROM track_text JOIN tracks t ON t.seq = track_text.rowid
     WHERE track_text MATCH ?1 AND t.owner_id = ?2 AND t.deleted_at IS NULL AND t.in_inbox = 0 LIMIT ?3`,
  ),
);

/** Words in their order; `isPart`: of the last one, only its beginning. */
type Named = { words: string; isPart: boolean; limit: number };

/** Returns at most `limit` tracks of the account whose name or title has these words in this order. */
export function selectTracksNamed(db: Db, ownerId: LibraryId, { words, isPart, limit }: Named): TrackNames[] {
  const owner = Buffer.from(ownerId).toString("hex");
  const phrase = `"${words.replaceAll('"', '""')}"${isPart ? " *" : ""}`;
  return tracksNamed(db).all(`{name title} : ${phrase} AND owner : "${owner}"`, ownerId, limit);
}

const namesOf = prepared((db) =>
  db.$client.prepare<TrackNames, [string, string]>(
    "SELECT id, name, title, artist FROM tracks WHERE id = ? AND owner_id = ?",
  ),
);

/** Returns what a track of the account is called, also one in the bin. */
export function selectNames(db: Db, ownerId: LibraryId, trackId: string): TrackNames | undefined {
  return namesOf(db).get(trackId, ownerId) ?? undefined;
}

const sameBytes = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string]>(
    "SELECT id FROM versions WHERE sha256 = ? AND track_id = ? LIMIT 1",
  ),
);

/** True when a version of the track has these bytes. */
export function hasVersionWithBytes(db: Db, trackId: string, sha256: string): boolean {
  return sameBytes(db).get(sha256, trackId) !== null;
}

const knownSizes = prepared((db) =>
  db.$client.prepare<{ size: number }, [string, string]>(
    `SELECT s.value AS size FROM json_each(?1) s WHERE EXISTS (
       SELECT 1 FROM versions v INDEXED BY versions_by_size JOIN tracks t ON t.id = v.track_id
       WHERE v.size_bytes = s.value AND t.owner_id = ?2 AND t.deleted_at IS NULL AND t.in_inbox = 0)`,
  ),
);

/** Returns those of the sizes that a file of the account has. */
export function sizesAmong(db: Db, ownerId: LibraryId, sizes: readonly number[]): Set<number> {
  return new Set(
    knownSizes(db)
      .all(JSON.stringify([...new Set(sizes)]), ownerId)
      .map(({ size }) => size),
  );
}
