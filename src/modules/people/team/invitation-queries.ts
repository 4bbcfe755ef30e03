import { and, asc, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { accounts, invitations, type LibraryId, type PersonId, people } from "../../../../db/schema.ts";

export type InvitationRow = typeof invitations.$inferSelect;

/** Neither accepted nor withdrawn. Its link may have ended. */
export const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));

export function insertInvitation(tx: Db, row: typeof invitations.$inferInsert): InvitationRow {
  return tx.insert(invitations).values(row).returning().get();
}

/** Finds an invitation into the library that is neither accepted nor withdrawn. */
export function findPending(db: Db, accountId: LibraryId, id: string): InvitationRow | undefined {
  return db
    .select()
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), eq(invitations.id, id), isPending))
    .get();
}

/** An invitation, and the library that it is for. */
export type FoundInvitation = InvitationRow & { library: string; isLibraryActive: boolean };

/** Finds an invitation by its link, whatever has become of it. */
export function findByToken(db: Db, tokenHash: Buffer): FoundInvitation | undefined {
  return db
    .select({ ...getTableColumns(invitations), library: accounts.name, isLibraryActive: accounts.active })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(eq(invitations.tokenHash, tokenHash))
    .get();
}

/** Finds an invitation by its id, whatever has become of it. */
export function findById(db: Db, id: string): FoundInvitation | undefined {
  return db
    .select({ ...getTableColumns(invitations), library: accounts.name, isLibraryActive: accounts.active })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(eq(invitations.id, id))
    .get();
}

/** Returns the ids of the open invitations of an address into any library, the oldest first. */
export function listOpenTo(db: Db, email: string, at: number): string[] {
  return db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.email, email), isOpen(at)))
    .orderBy(asc(invitations.createdAt), asc(invitations.id))
    .all()
    .map(({ id }) => id);
}

/** An invitation as lists show it. */
export type ListedInvitation = InvitationRow & { makerName: string | null };

/** Returns the pending invitations into a library, the newest first. Served by index `invitations_by_account`. */
export function listPending(db: Db, accountId: LibraryId): ListedInvitation[] {
  return db
    .select({ ...getTableColumns(invitations), makerName: people.name })
    .from(invitations)
    .leftJoin(people, eq(people.id, invitations.madeBy))
    .where(and(eq(invitations.accountId, accountId), isNull(invitations.playlistId), isPending))
    .orderBy(desc(invitations.createdAt), asc(invitations.id))
    .all();
}

const isOpen = (at: number) =>
  and(isPending, isNotNull(invitations.tokenHash), gt(invitations.expiresAt, at));

/** Returns how many invitations of a library, into rooms too, can be accepted at `at`. */
export function countOpen(db: Db, accountId: LibraryId, at: number): number {
  const found = db
    .select({ total: count() })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), isOpen(at)))
    .get();
  return found?.total ?? 0;
}

/** Returns how many open invitations of a library a person made. */
export function countOpenBy(db: Db, accountId: LibraryId, personId: PersonId, at: number): number {
  const found = db
    .select({ total: count() })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), eq(invitations.madeBy, personId), isOpen(at)))
    .get();
  return found?.total ?? 0;
}

type InvitationColumns = Partial<
  Pick<InvitationRow, "tokenHash" | "expiresAt" | "madeBy" | "acceptedAt" | "acceptedBy" | "withdrawnAt">
>;

export function updateInvitation(tx: Db, id: string, columns: InvitationColumns): void {
  tx.update(invitations).set(columns).where(eq(invitations.id, id)).run();
}

/** Withdraws the pending invitations of an address into the same library, or into the same room of it. */
export function withdrawTo(
  tx: Db,
  { accountId, email, playlistId }: Pick<InvitationRow, "accountId" | "email" | "playlistId">,
  at: number,
): void {
  const sameReach =
    playlistId === null ? isNull(invitations.playlistId) : eq(invitations.playlistId, playlistId);
  tx.update(invitations)
    .set({ withdrawnAt: at })
    .where(and(eq(invitations.accountId, accountId), eq(invitations.email, email), sameReach, isPending))
    .run();
}

/** Withdraws the pending invitations that a person made; returns how many of them were open. */
export function withdrawOf(tx: Db, accountId: LibraryId, personId: PersonId, at: number): number {
  const open = countOpenBy(tx, accountId, personId, at);
  tx.update(invitations)
    .set({ withdrawnAt: at })
    .where(and(eq(invitations.accountId, accountId), eq(invitations.madeBy, personId), isPending))
    .run();
  return open;
}

/** Deletes what ended before `before`: accepted, withdrawn, or with a link that nobody used. */
export function deleteOver(tx: Db, before: number): void {
  const { acceptedAt, withdrawnAt, expiresAt, tokenHash } = invitations;
  const unused = and(isNotNull(tokenHash), lte(expiresAt, before));
  tx.delete(invitations)
    .where(or(lte(acceptedAt, before), lte(withdrawnAt, before), unused))
    .run();
}
