import { and, desc, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../../../db/client.ts";
import { type LibraryId, supplyRequests } from "../../../../../db/schema.ts";

export type RequestRow = typeof supplyRequests.$inferSelect;

export function insertRequest(tx: Db, row: typeof supplyRequests.$inferInsert): RequestRow {
  return tx.insert(supplyRequests).values(row).returning().get();
}

export function updateRequest(tx: Db, id: string, change: Partial<RequestRow>): void {
  tx.update(supplyRequests).set(change).where(eq(supplyRequests.id, id)).run();
}

export function findByToken(db: Db, tokenHash: Buffer): RequestRow | undefined {
  return db.select().from(supplyRequests).where(eq(supplyRequests.tokenHash, tokenHash)).get();
}

export function findRequest(
  db: Db,
  ownerId: LibraryId,
  { composerId, id }: { composerId: string; id: string },
): RequestRow | undefined {
  const isOwn = and(eq(supplyRequests.ownerId, ownerId), eq(supplyRequests.composerId, composerId));
  return db
    .select()
    .from(supplyRequests)
    .where(and(isOwn, eq(supplyRequests.id, id)))
    .get();
}

/** Returns what a composer is asked for and has not been decided on, the newest first. */
export function selectOpen(db: Db, composerId: string): RequestRow[] {
  return db
    .select()
    .from(supplyRequests)
    .where(
      and(
        eq(supplyRequests.composerId, composerId),
        isNull(supplyRequests.takenAt),
        isNull(supplyRequests.withdrawnAt),
      ),
    )
    .orderBy(desc(supplyRequests.createdAt), desc(supplyRequests.id))
    .all();
}

/** What a composer has of a track, as stored. */
export type AskedShare = { trackId: string; title: string | null; name: string; role: string; share: number };

/** Returns a composer's shares of those of the tracks that are in the account's library. */
export function selectShares(
  db: Db,
  { ownerId, composerId, trackIds }: Pick<RequestRow, "ownerId" | "composerId" | "trackIds">,
): AskedShare[] {
  return db.$client
    .query<AskedShare, [string, string, string]>(
      `SELECT t.id AS trackId, t.title, t.name, s.role, s.share FROM json_each(?1) i
       CROSS JOIN tracks t ON t.id = i.value JOIN track_shareholders s ON s.track_id = t.id
       WHERE t.owner_id = ?2 AND t.deleted_at IS NULL AND s.composer_id = ?3 ORDER BY i.key, s.position`,
    )
    .all(JSON.stringify(trackIds), ownerId, composerId);
}
