import { and, asc, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { accounts, passwordResets, sessions } from "../../../../db/schema.ts";

export type AccountRow = typeof accounts.$inferSelect;
export type SessionDbRow = typeof sessions.$inferSelect;

export function insertAccount(db: Db, row: typeof accounts.$inferInsert): AccountRow {
  return db.insert(accounts).values(row).returning().get();
}

export function findAccountByEmail(db: Db, email: string): AccountRow | undefined {
  return db.select().from(accounts).where(eq(accounts.email, email)).get();
}

export function findAccount(db: Db, id: string): AccountRow | undefined {
  return db.select().from(accounts).where(eq(accounts.id, id)).get();
}

/** Returns the operator's account, active or not. */
export function findOperator(db: Db): AccountRow | undefined {
  return db.select().from(accounts).where(eq(accounts.operator, true)).get();
}

/** Returns every account, oldest first. */
export function listAccounts(db: Db): AccountRow[] {
  return db.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id)).all();
}

/** Returns true until the first account exists; until then the set-up code works. */
export function isUnclaimed(db: Db): boolean {
  return db.$client.query("SELECT 1 FROM accounts LIMIT 1").get() === null;
}

type AccountColumns = Partial<
  Pick<
    AccountRow,
    "passwordHash" | "active" | "email" | "name" | "credits" | "firstStepsDismissedAt" | "operator" | "thanks"
  >
>;

export function updateAccount(db: Db, id: string, columns: AccountColumns): AccountRow | undefined {
  return db.update(accounts).set(columns).where(eq(accounts.id, id)).returning().get();
}

export function deleteAccount(db: Db, id: string): void {
  db.delete(accounts).where(eq(accounts.id, id)).run();
}

/** Adds to the credits in one statement, so that no concurrent charge is lost. Unlimited stays unlimited. */
export function addToCredits(db: Db, id: string, amount: number): AccountRow | undefined {
  const credits = sql`max(0, ${accounts.credits} + ${amount})`;
  return db.update(accounts).set({ credits }).where(eq(accounts.id, id)).returning().get();
}

/** Returns the credits of an account, null for unlimited. */
export function selectCredits(db: Db, accountId: string): number | null {
  const row = db.$client
    .query<{ credits: number | null }, [string]>("SELECT credits FROM accounts WHERE id = ?")
    .get(accountId);
  return row ? row.credits : 0;
}

/**
 * Takes one credit. Returns the credits left (null for unlimited), or undefined when no credit was left. A single
 * statement does it, so the balance never goes below zero.
 */
export function takeCredit(tx: Db, accountId: string): number | null | undefined {
  const row = tx.$client
    .query<{ credits: number | null }, [string]>(
      "UPDATE accounts SET credits = credits - 1 WHERE id = ? AND (credits IS NULL OR credits > 0) RETURNING credits",
    )
    .get(accountId);
  return row ? row.credits : undefined;
}

export function insertSession(db: Db, row: typeof sessions.$inferInsert): SessionDbRow {
  return db.insert(sessions).values(row).returning().get();
}

const sessionByToken = prepared((db) =>
  db
    .select({ session: sessions, account: accounts })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(eq(sessions.tokenHash, sql.placeholder("tokenHash")))
    .prepare(),
);

export function findSessionByToken(db: Db, tokenHash: Buffer) {
  return sessionByToken(db).get({ tokenHash });
}

/** Returns those of the sessions that exist, unless their account is disabled. */
export function findActiveSessions(db: Db, ids: readonly string[]): SessionDbRow[] {
  return db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(accounts, and(eq(accounts.id, sessions.accountId), accounts.active))
    .where(inArray(sessions.id, [...ids]))
    .all()
    .map(({ session }) => session);
}

/** Returns the sessions of an account, newest first. Served by index `sessions_by_account`. */
export function listSessions(db: Db, accountId: string): SessionDbRow[] {
  return db
    .select()
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .all();
}

export function deleteSession(db: Db, accountId: string, id: string): boolean {
  const deleted = db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
    .all();
  return deleted.length > 0;
}

/** Deletes an account's other sessions; returns how many there were. */
export function deleteOtherSessions(db: Db, accountId: string, currentId: string): number {
  return db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), ne(sessions.id, currentId)))
    .returning({ id: sessions.id })
    .all().length;
}

/** Deletes every session of an account; returns how many there were. */
export function deleteSessions(db: Db, accountId: string): number {
  const ended = db.delete(sessions).where(eq(sessions.accountId, accountId));
  return ended.returning({ id: sessions.id }).all().length;
}

export function updateSessionLastUsed(db: Db, id: string, at: number): void {
  db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, id)).run();
}

/** Stores the reset link of an account; it replaces an earlier one. */
export function replaceReset(db: Db, row: typeof passwordResets.$inferInsert): void {
  const { tokenHash, expiresAt } = row;
  db.insert(passwordResets)
    .values(row)
    .onConflictDoUpdate({ target: passwordResets.accountId, set: { tokenHash, expiresAt } })
    .run();
}

/** Returns the enabled account that a reset link is for; undefined for a link that does not work at `at`. */
export function findReset(db: Db, tokenHash: Buffer, at: number): AccountRow | undefined {
  return db
    .select({ account: accounts })
    .from(passwordResets)
    .innerJoin(accounts, and(eq(accounts.id, passwordResets.accountId), eq(accounts.active, true)))
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, at)))
    .get()?.account;
}

export function deleteReset(db: Db, accountId: string): void {
  db.delete(passwordResets).where(eq(passwordResets.accountId, accountId)).run();
}
