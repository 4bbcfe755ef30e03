import { and, eq, gt, lte } from "drizzle-orm";
import { type Db, transact } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, undos } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import type { Step } from "./steps.ts";

/** Begins a change that can be undone. */
export function insertUndo(tx: Db, row: typeof undos.$inferInsert): void {
  tx.insert(undos)
    .values({ madeBy: currentPerson(), ...row })
    .run();
}

/** Notes a step on a track. */
export function insertSteps(tx: Db, undoId: string, trackId: string, steps: readonly Step[]): void {
  tx.$client
    .query("INSERT INTO undo_steps (undo_id, track_id, steps) VALUES (?1, ?2, ?3)")
    .run(undoId, trackId, JSON.stringify(steps));
}

/** Keeps a change from now on; returns false, and forgets it, when it did nothing that could be undone. */
export function keepUndo(
  db: Db,
  id: string,
  { createdAt, until }: { createdAt: number; until: number },
): boolean {
  return transact(db, (tx) => {
    const hasSteps = selectSteps(tx, id, 1).length > 0;
    if (hasSteps) tx.update(undos).set({ createdAt, until }).where(eq(undos.id, id)).run();
    else deleteUndo(tx, id);
    return hasSteps;
  });
}

/** Returns who made a change of the account that can still be undone. */
export function findUndo(
  db: Db,
  accountId: LibraryId,
  id: string,
  now: number,
): { madeBy: PersonId | null } | undefined {
  const own = and(eq(undos.id, id), eq(undos.accountId, accountId), gt(undos.until, now));
  return db.select({ madeBy: undos.madeBy }).from(undos).where(own).get();
}

/** A step on one track. */
export type TrackSteps = { seq: number; trackId: string; steps: Step[] };

/** Returns at most `limit` tracks of a change, the last changed first. */
export function selectSteps(db: Db, undoId: string, limit: number): TrackSteps[] {
  return db.$client
    .query<{ seq: number; trackId: string; steps: string }, [string, number]>(
      `SELECT seq, track_id AS trackId, steps FROM undo_steps WHERE undo_id = ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(undoId, limit)
    .map((row) => ({ ...row, steps: JSON.parse(row.steps) as Step[] })); // written by insertSteps
}

/** Forgets a step on a track; returns false when it was forgotten already. */
export function deleteSteps(tx: Db, seq: number): boolean {
  return tx.$client.query("DELETE FROM undo_steps WHERE seq = ?1").run(seq).changes > 0;
}

export function deleteUndo(tx: Db, id: string): void {
  tx.delete(undos).where(eq(undos.id, id)).run();
}

/** Deletes changes that can no longer be undone. */
export function deleteEndedUndos(tx: Db, now: number): void {
  tx.delete(undos).where(lte(undos.until, now)).run();
}
