import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { submissionUploads } from "../../../../db/schema.ts";
import type { SentFile } from "./shapes.ts";

export type UploadRow = typeof submissionUploads.$inferSelect;

export function insertUpload(tx: Db, row: typeof submissionUploads.$inferInsert): UploadRow {
  return tx.insert(submissionUploads).values(row).returning().get();
}

/** Finds an unexpired upload to a brief. */
export function findUpload(db: Db, briefId: string, id: string, at: number): UploadRow | undefined {
  return findUploads(db, briefId, [id], at)[0];
}

/** Returns the unexpired uploads with these ids that belong to the brief, in the order of `ids`. */
export function findUploads(db: Db, briefId: string, ids: readonly string[], at: number): UploadRow[] {
  const rows = db
    .select()
    .from(submissionUploads)
    .where(
      and(
        eq(submissionUploads.briefId, briefId),
        inArray(submissionUploads.id, [...ids]),
        gt(submissionUploads.expiresAt, at),
      ),
    )
    .all();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function updateUpload(tx: Db, id: string, change: Partial<UploadRow>): void {
  tx.update(submissionUploads).set(change).where(eq(submissionUploads.id, id)).run();
}

/** Deletes an upload that was not submitted. */
export function deleteUpload(tx: Db, id: string): void {
  tx.delete(submissionUploads).where(eq(submissionUploads.id, id)).run();
}

/** Returns a batch's files in the order sent. */
export function listBatchFiles(db: Db, batchId: string): SentFile[] {
  return db
    .select({ name: submissionUploads.name, sizeBytes: submissionUploads.sizeBytes })
    .from(submissionUploads)
    .where(eq(submissionUploads.batchId, batchId))
    .orderBy(sql`rowid`)
    .all();
}

export type Usage = { files: number; bytes: number };

/** Returns how much one client, or all clients of one brief, announced within the day. */
export function usageOf(db: Db, side: "client" | "brief_id", value: string, at: number): Usage {
  const row = db.$client
    .query<Usage, [string, number]>(
      `SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes
       FROM submission_uploads WHERE ${side} = ? AND expires_at > ?`,
    )
    .get(value, at);
  return row ?? { files: 0, bytes: 0 };
}

/**
 * Returns unsubmitted uploads that have expired, or that were announced before `idleBefore` and apparently never begun.
 */
export function listOver(db: Db, at: number, idleBefore: number): UploadRow[] {
  const neverBegun = and(
    eq(submissionUploads.receivedBytes, 0),
    lte(submissionUploads.createdAt, idleBefore),
  );
  return db
    .select()
    .from(submissionUploads)
    .where(and(isNull(submissionUploads.batchId), or(lte(submissionUploads.expiresAt, at), neverBegun)))
    .all();
}

/** Clears the client addresses of expired uploads: the limits need them for one day only. */
export function forgetClients(db: Db, at: number): void {
  db.update(submissionUploads)
    .set({ client: "" })
    .where(and(lte(submissionUploads.expiresAt, at), ne(submissionUploads.client, "")))
    .run();
}

/** Returns an upload, whether submitted, expired or neither. */
export function findById(db: Db, id: string): UploadRow | undefined {
  return db.select().from(submissionUploads).where(eq(submissionUploads.id, id)).get();
}
