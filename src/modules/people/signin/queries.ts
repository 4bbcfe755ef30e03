import { and, asc, eq, gt, lt, lte, or, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type FlowKind, type PersonId, passkeys, signInFlows } from "../../../../db/schema.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;
export type FlowRow = typeof signInFlows.$inferSelect;

export function insertFlow(tx: Db, row: typeof signInFlows.$inferInsert): void {
  tx.insert(signInFlows).values(row).run();
}

/** Deletes the flows that end first, until there are no more than `most`. Served by index `sign_in_flows_by_end`. */
export function deleteFlowsAbove(tx: Db, most: number): void {
  const first = sql`SELECT expires_at FROM sign_in_flows ORDER BY expires_at DESC LIMIT 1 OFFSET ${most}`;
  tx.delete(signInFlows)
    .where(lte(signInFlows.expiresAt, sql`(${first})`))
    .run();
}

export function deleteEndedFlows(tx: Db, at: number): void {
  tx.delete(signInFlows).where(lte(signInFlows.expiresAt, at)).run();
}

/** Takes a flow that has not ended: nobody can take it again. */
export function takeFlow(tx: Db, tokenHash: Buffer, kind: FlowKind, at: number): FlowRow | undefined {
  return tx
    .delete(signInFlows)
    .where(
      and(eq(signInFlows.tokenHash, tokenHash), eq(signInFlows.kind, kind), gt(signInFlows.expiresAt, at)),
    )
    .returning()
    .get();
}

export function insertPasskey(tx: Db, row: typeof passkeys.$inferInsert): PasskeyRow | undefined {
  return tx.insert(passkeys).values(row).onConflictDoNothing().returning().get();
}

export function findPasskey(db: Db, id: string): PasskeyRow | undefined {
  return db.select().from(passkeys).where(eq(passkeys.id, id)).get();
}

/** Returns the passkeys of a person, oldest first. Served by index `passkeys_by_person`. */
export function listPasskeys(db: Db, personId: PersonId): PasskeyRow[] {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .all();
}

export function renamePasskey(tx: Db, personId: PersonId, id: string, name: string): PasskeyRow | undefined {
  return tx
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.personId, personId), eq(passkeys.id, id)))
    .returning()
    .get();
}

export function deletePasskey(tx: Db, personId: PersonId, id: string): PasskeyRow | undefined {
  return tx
    .delete(passkeys)
    .where(and(eq(passkeys.personId, personId), eq(passkeys.id, id)))
    .returning()
    .get();
}

/** Records a use; returns false when the counter did not move on, as that of a copy does not. */
export function usePasskey(
  tx: Db,
  { id, counter, backedUp }: Pick<PasskeyRow, "id" | "counter" | "backedUp">,
  at: number,
): boolean {
  const isCounting = or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`));
  const used = tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: at })
    .where(and(eq(passkeys.id, id), isCounting))
    .returning({ id: passkeys.id })
    .get();
  return used !== undefined;
}
