import { and, eq, gt, lte } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { emailChanges, type PersonId, people } from "../../../../db/schema.ts";
import type { PersonRow } from "./queries.ts";

/** Stores the address that a person wants to have. It replaces an earlier one, whose link works no more. */
export function placeAddressChange(tx: Db, row: typeof emailChanges.$inferInsert): void {
  const { personId, ...change } = row;
  tx.insert(emailChanges)
    .values(row)
    .onConflictDoUpdate({ target: emailChanges.personId, set: change })
    .run();
}

/** Returns the address that waits for a person's confirmation at `at`. */
export function findAwaitedAddress(db: Db, personId: PersonId, at: number): string | undefined {
  return db
    .select({ email: emailChanges.email })
    .from(emailChanges)
    .where(and(eq(emailChanges.personId, personId), gt(emailChanges.expiresAt, at)))
    .get()?.email;
}

/** Returns who wants which address by a link; undefined for a link that does not work at `at`. */
export function findAddressChange(
  db: Db,
  tokenHash: Buffer,
  at: number,
): { person: PersonRow; email: string } | undefined {
  return db
    .select({ person: people, email: emailChanges.email })
    .from(emailChanges)
    .innerJoin(people, and(eq(people.id, emailChanges.personId), eq(people.active, true)))
    .where(and(eq(emailChanges.tokenHash, tokenHash), gt(emailChanges.expiresAt, at)))
    .get();
}

/** Forgets the address that a person wanted to have. Returns whether there was one. */
export function deleteAddressChange(tx: Db, personId: PersonId): boolean {
  const gone = tx.delete(emailChanges).where(eq(emailChanges.personId, personId));
  return gone.returning({ id: emailChanges.personId }).all().length > 0;
}

/** Deletes what nobody has confirmed in time. */
export function pruneAddressChanges(db: Db, at: number): void {
  db.delete(emailChanges).where(lte(emailChanges.expiresAt, at)).run();
}
