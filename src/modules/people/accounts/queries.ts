import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { accounts, type LibraryId, members, people } from "../../../../db/schema.ts";

/** A library, with what is shown of its owner. */
export type AccountRow = NonNullable<ReturnType<typeof findAccount>>;

const COLUMNS = {
  ...getTableColumns(accounts),
  ownerId: people.id,
  ownerName: people.name,
  email: people.email,
  operator: people.operator,
};

const withOwners = (db: Db) =>
  db
    .select(COLUMNS)
    .from(accounts)
    .innerJoin(members, and(eq(members.accountId, accounts.id), eq(members.role, "owner")))
    .innerJoin(people, eq(people.id, members.personId));

export function insertAccount(tx: Db, row: typeof accounts.$inferInsert): void {
  tx.insert(accounts).values(row).run();
}

export function findAccount(db: Db, id: string) {
  return withOwners(db).where(eq(accounts.id, id)).get();
}

/** Returns the libraries that the person with an address owns, the oldest first. */
export function listAccountsOf(db: Db, email: string): AccountRow[] {
  return withOwners(db).where(eq(people.email, email)).orderBy(asc(members.joinedAt), asc(members.id)).all();
}

/** Finds the library that the operator owns, active or not: the oldest, where there are several. */
export function findOperator(db: Db): AccountRow | undefined {
  return withOwners(db)
    .where(eq(people.operator, true))
    .orderBy(asc(members.joinedAt), asc(members.id))
    .limit(1)
    .get();
}

/** Returns every account, oldest first. */
export function listAccounts(db: Db): AccountRow[] {
  return withOwners(db).orderBy(asc(accounts.createdAt), asc(accounts.id)).all();
}

/** Returns true until the first account exists; until then the set-up code works. */
export function isUnclaimed(db: Db): boolean {
  return db.$client.query("SELECT 1 FROM accounts LIMIT 1").get() === null;
}

type AccountColumns = Partial<
  Pick<
    typeof accounts.$inferSelect,
    "active" | "name" | "credits" | "firstStepsDismissedAt" | "thanks" | "assistantConfirm" | "musicApps"
  >
>;

export function updateAccount(tx: Db, id: string, columns: AccountColumns): void {
  tx.update(accounts).set(columns).where(eq(accounts.id, id)).run();
}

export function deleteAccount(db: Db, id: string): void {
  db.delete(accounts).where(eq(accounts.id, id)).run();
}

/** Adds to the credits in one statement, so that no concurrent charge is lost. Unlimited stays unlimited. */
export function addToCredits(db: Db, id: string, amount: number): void {
  const credits = sql`max(0, ${accounts.credits} + ${amount})`;
  db.update(accounts).set({ credits }).where(eq(accounts.id, id)).run();
}

/** Returns the credits of an account, null for unlimited. */
export function selectCredits(db: Db, accountId: LibraryId): number | null {
  const row = db.$client
    .query<{ credits: number | null }, [string]>("SELECT credits FROM accounts WHERE id = ?")
    .get(accountId);
  return row ? row.credits : 0;
}

/**
 * Takes one credit. Returns the credits left (null for unlimited), or undefined when no credit was left. A single
 * statement does it, so the balance never goes below zero.
 */
export function takeCredit(tx: Db, accountId: LibraryId): number | null | undefined {
  const row = tx.$client
    .query<{ credits: number | null }, [string]>(
      "UPDATE accounts SET credits = credits - 1 WHERE id = ? AND (credits IS NULL OR credits > 0) RETURNING credits",
    )
    .get(accountId);
  return row ? row.credits : undefined;
}

/** True when an active account has this id. */
export function isActive(db: Db, id: string): boolean {
  return db.$client.query("SELECT 1 FROM accounts WHERE id = ? AND active = 1").get(id) !== null;
}

/** True when an account has this id, active or not. */
export function isThere(db: Db, id: string): boolean {
  return db.$client.query("SELECT 1 FROM accounts WHERE id = ?").get(id) !== null;
}
