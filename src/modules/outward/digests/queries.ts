import { and, eq, lt, ne } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, mailWishes, type PersonId } from "../../../../db/schema.ts";

export type WishRow = typeof mailWishes.$inferSelect;

/** Whose wish, and of which library. */
export type Whose = { accountId: LibraryId; personId: PersonId };

const isOf = ({ accountId, personId }: Whose) =>
  and(eq(mailWishes.accountId, accountId), eq(mailWishes.personId, personId));

export function findWish(db: Db, whose: Whose): WishRow | undefined {
  return db.select().from(mailWishes).where(isOf(whose)).get();
}

export function putWish(tx: Db, { every, kinds, sentUntil, ...whose }: WishRow): void {
  const change = { every, kinds, sentUntil };
  tx.insert(mailWishes)
    .values({ ...whose, ...change })
    .onConflictDoUpdate({ target: [mailWishes.personId, mailWishes.accountId], set: change })
    .run();
}

/** Lets all digests begin at a time: what came before may have been told already. */
export function skipTo(tx: Db, at: number): void {
  tx.update(mailWishes).set({ sentUntil: at }).where(lt(mailWishes.sentUntil, at)).run();
}

/** Returns the wishes of everybody who wants to hear of anything. */
export function listWishes(db: Db): WishRow[] {
  return db.select().from(mailWishes).where(ne(mailWishes.every, "off")).all();
}
