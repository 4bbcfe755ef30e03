import { and, asc, count, desc, eq, exists, gt, isNull, lt, lte, not, or, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import {
  type LibraryId,
  oauthClients,
  oauthCodes,
  oauthGrants,
  oauthRequests,
  oauthTokens,
  type PersonId,
} from "../../../../db/schema.ts";
import { joinMaker, type Maker, makerColumns } from "../team/service.ts";

export type ClientRow = typeof oauthClients.$inferSelect;
export type RequestRow = typeof oauthRequests.$inferSelect;
export type GrantRow = typeof oauthGrants.$inferSelect;
export type CodeRow = typeof oauthCodes.$inferSelect;
export type TokenRow = typeof oauthTokens.$inferSelect;

export function findClient(db: Db, id: string): ClientRow | undefined {
  return db.select().from(oauthClients).where(eq(oauthClients.id, id)).get();
}

export function insertClient(tx: Db, row: typeof oauthClients.$inferInsert): ClientRow {
  return tx.insert(oauthClients).values(row).returning().get();
}

/** Records that an owner let a client in. Does nothing for a client without a row. */
export function touchClient(tx: Db, id: string, at: number): void {
  tx.update(oauthClients).set({ lastUsedAt: at }).where(eq(oauthClients.id, id)).run();
}

/** Returns when clients registered from an address after `since`, oldest first. Index `oauth_clients_by_address`. */
export function listRegistrationTimes(db: Db, registeredFrom: string, since: number): number[] {
  return db
    .select({ at: oauthClients.createdAt })
    .from(oauthClients)
    .where(and(eq(oauthClients.registeredFrom, registeredFrom), gt(oauthClients.createdAt, since)))
    .orderBy(asc(oauthClients.createdAt))
    .all()
    .map(({ at }) => at);
}

export function countClients(db: Db): number {
  return db.select({ total: count() }).from(oauthClients).get()?.total ?? 0;
}

/**
 * Deletes clients registered before `unusedBefore` and never let in, and those last let in before `idleBefore` that
 * have no grant left.
 */
export function deleteOldClients(
  db: Db,
  { unusedBefore, idleBefore }: { unusedBefore: number; idleBefore: number },
): number {
  const hasGrant = exists(
    db.select({ one: sql`1` }).from(oauthGrants).where(eq(oauthGrants.clientId, oauthClients.id)),
  );
  const isUnused = and(isNull(oauthClients.lastUsedAt), lt(oauthClients.createdAt, unusedBefore));
  return db
    .delete(oauthClients)
    .where(or(isUnused, and(lt(oauthClients.lastUsedAt, idleBefore), not(hasGrant))))
    .returning({ id: oauthClients.id })
    .all().length;
}

/** Stores a request and deletes the session's expired ones. */
export function insertRequest(tx: Db, row: RequestRow, at: number): void {
  tx.delete(oauthRequests)
    .where(and(eq(oauthRequests.sessionId, row.sessionId), lte(oauthRequests.expiresAt, at)))
    .run();
  tx.insert(oauthRequests).values(row).run();
}

export function findRequest(db: Db, tokenHash: Buffer, sessionId: string): RequestRow | undefined {
  return db
    .select()
    .from(oauthRequests)
    .where(and(eq(oauthRequests.tokenHash, tokenHash), eq(oauthRequests.sessionId, sessionId)))
    .get();
}

export function deleteRequest(tx: Db, tokenHash: Buffer): void {
  tx.delete(oauthRequests).where(eq(oauthRequests.tokenHash, tokenHash)).run();
}

export function insertGrant(tx: Db, row: typeof oauthGrants.$inferInsert): void {
  tx.insert(oauthGrants).values(row).run();
}

/** Returns the valid grants of an account, newest first. Served by index `oauth_grants_by_account`. */
export function listGrants(db: Db, accountId: LibraryId, at: number): GrantRow[] {
  return db
    .select()
    .from(oauthGrants)
    .where(and(eq(oauthGrants.accountId, accountId), gt(oauthGrants.expiresAt, at)))
    .orderBy(desc(oauthGrants.createdAt), desc(oauthGrants.id))
    .all();
}

/** Deletes a grant with its code and tokens; returns the deleted grant. */
/** Returns the grants that a person made in any library. */
export function listGrantsOf(db: Db, personId: PersonId): GrantRow[] {
  return db.select().from(oauthGrants).where(eq(oauthGrants.personId, personId)).all();
}

export function deleteGrant(tx: Db, id: string): GrantRow | undefined {
  return tx.delete(oauthGrants).where(eq(oauthGrants.id, id)).returning().get();
}

export function updateGrant(
  tx: Db,
  id: string,
  change: Partial<Pick<GrantRow, "lastUsedAt" | "expiresAt">>,
): void {
  tx.update(oauthGrants).set(change).where(eq(oauthGrants.id, id)).run();
}

export function insertCode(tx: Db, row: typeof oauthCodes.$inferInsert): void {
  tx.insert(oauthCodes).values(row).run();
}

export function findCode(db: Db, codeHash: Buffer): { code: CodeRow; grant: GrantRow } | undefined {
  return db
    .select({ code: oauthCodes, grant: oauthGrants })
    .from(oauthCodes)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthCodes.grantId))
    .where(eq(oauthCodes.codeHash, codeHash))
    .get();
}

export function markCodeUsed(tx: Db, codeHash: Buffer, at: number): void {
  tx.update(oauthCodes).set({ usedAt: at }).where(eq(oauthCodes.codeHash, codeHash)).run();
}

export function insertToken(tx: Db, row: typeof oauthTokens.$inferInsert): void {
  tx.insert(oauthTokens).values(row).run();
}

export function findToken(db: Db, tokenHash: Buffer): { token: TokenRow; grant: GrantRow } | undefined {
  return db
    .select({ token: oauthTokens, grant: oauthGrants })
    .from(oauthTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthTokens.grantId))
    .where(eq(oauthTokens.tokenHash, tokenHash))
    .get();
}

export function markTokenUsed(tx: Db, tokenHash: Buffer, at: number): void {
  tx.update(oauthTokens).set({ usedAt: at }).where(eq(oauthTokens.tokenHash, tokenHash)).run();
}

export function deleteToken(tx: Db, tokenHash: Buffer): void {
  tx.delete(oauthTokens).where(eq(oauthTokens.tokenHash, tokenHash)).run();
}

/** What a tool call needs to know about its access token. */
export type AccessProof = {
  grantId: string;
  accountId: LibraryId;
  resource: string;
  /** JSON array. */
  scopes: string;
  expiresAt: number;
  lastUsedAt: number | null;
} & Maker;

// Plain SQL because it runs for every tool call; the sub-select keeps the query plan (keys/queries.ts).
const accessProof = prepared((db) =>
  db.$client.prepare<AccessProof, [Uint8Array]>(`
    SELECT t.grant_id AS grantId, g.account_id AS accountId, g.resource, t.scopes, t.expires_at AS expiresAt,
      g.last_used_at AS lastUsedAt, ${makerColumns("g.person_id")}
    FROM oauth_tokens t
    JOIN oauth_grants g ON g.id = t.grant_id
    JOIN accounts a ON a.id = g.account_id AND a.active = 1 ${joinMaker("g.account_id", "g.person_id")}
    WHERE t.token_hash = (SELECT ?) AND t.kind = 'access'`),
);

export function findAccessProof(db: Db, tokenHash: Buffer): AccessProof | null {
  return accessProof(db).get(tokenHash);
}

/** Deletes requests, tokens and grants that expired before `at`. */
export function deleteExpired(tx: Db, at: number): void {
  tx.delete(oauthRequests).where(lt(oauthRequests.expiresAt, at)).run();
  tx.delete(oauthTokens).where(lt(oauthTokens.expiresAt, at)).run();
  tx.delete(oauthGrants).where(lt(oauthGrants.expiresAt, at)).run();
}
