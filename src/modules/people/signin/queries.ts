import { and, asc, eq, gt, lt, lte, or, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import {
  type FlowKind,
  identities,
  type PersonId,
  passkeys,
  recoveryCodes,
  signInFlows,
} from "../../../../db/schema.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;
export type FlowRow = typeof signInFlows.$inferSelect;
export type IdentityRow = typeof identities.$inferSelect;

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

/** Deletes every passkey of a person; returns how many there were. */
export function deletePasskeys(tx: Db, personId: PersonId): number {
  const deleted = tx.delete(passkeys).where(eq(passkeys.personId, personId));
  return deleted.returning({ id: passkeys.id }).all().length;
}

export function deleteFlowsOf(tx: Db, personId: PersonId): void {
  tx.delete(signInFlows).where(eq(signInFlows.personId, personId)).run();
}

/** Finds who somebody at a provider is here. The address is no part of it. */
export function findIdentity(db: Db, issuer: string, subject: string): IdentityRow | undefined {
  const { issuer: of, subject: is } = identities;
  return db
    .select()
    .from(identities)
    .where(and(eq(of, issuer), eq(is, subject)))
    .get();
}

/** Finds what a person is at a provider. Served by index `identities_by_person`. */
export function findIdentityOf(db: Db, issuer: string, personId: PersonId): IdentityRow | undefined {
  return db
    .select()
    .from(identities)
    .where(and(eq(identities.personId, personId), eq(identities.issuer, issuer)))
    .get();
}

export function insertIdentity(tx: Db, row: typeof identities.$inferInsert): void {
  tx.insert(identities).values(row).run();
}

/** Records a use, and the address that the provider says now, if it says one. */
export function useIdentity(
  tx: Db,
  { issuer, subject }: Pick<IdentityRow, "issuer" | "subject">,
  email: string | null,
  at: number,
): void {
  tx.update(identities)
    .set({ lastUsedAt: at, ...(email !== null && { email }) })
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .run();
}

export function deleteIdentity(tx: Db, issuer: string, personId: PersonId): boolean {
  const deleted = tx
    .delete(identities)
    .where(and(eq(identities.personId, personId), eq(identities.issuer, issuer)));
  return deleted.returning({ subject: identities.subject }).all().length > 0;
}

/** Deletes what a person is at any provider. */
export function deleteIdentities(tx: Db, personId: PersonId): void {
  tx.delete(identities).where(eq(identities.personId, personId)).run();
}

export function insertRecoveryCodes(tx: Db, rows: (typeof recoveryCodes.$inferInsert)[]): void {
  tx.insert(recoveryCodes).values(rows).run();
}

/** Returns the codes of a person that have not been used. Served by index `recovery_codes_by_person`. */
export function listRecoveryCodes(db: Db, personId: PersonId) {
  return db.select().from(recoveryCodes).where(eq(recoveryCodes.personId, personId)).all();
}

/** Takes a code of a person: nobody can take it again. */
export function takeRecoveryCode(tx: Db, personId: PersonId, codeHash: Buffer): boolean {
  const taken = tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.codeHash, codeHash), eq(recoveryCodes.personId, personId)));
  return taken.returning({ createdAt: recoveryCodes.createdAt }).all().length > 0;
}

/** Deletes the codes of a person; returns how many had not been used. */
export function deleteRecoveryCodes(tx: Db, personId: PersonId): number {
  const deleted = tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  return deleted.returning({ createdAt: recoveryCodes.createdAt }).all().length;
}
