import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { members, type PersonId, people } from "../../../../db/schema.ts";

export type MemberRow = typeof members.$inferSelect;

export function insertMember(tx: Db, row: typeof members.$inferInsert): MemberRow {
  return tx.insert(members).values(row).returning().get();
}

/** Returns the people in a library, ended memberships included. */
export function listPeopleOf(db: Db, accountId: string): PersonId[] {
  const own = db.select({ id: members.personId }).from(members).where(eq(members.accountId, accountId));
  return own.all().map(({ id }) => id);
}

/** True when a person is in a library, ended memberships included. */
export function isInAny(db: Db, personId: PersonId): boolean {
  return (
    db.select({ id: members.id }).from(members).where(eq(members.personId, personId)).get() !== undefined
  );
}

/** Returns the owner of a library. */
export function findOwner(db: Db, accountId: string): MemberRow | undefined {
  return db
    .select()
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")))
    .get();
}

/** True when an active person is in a library at `at`. */
export function isMember(db: Db, accountId: string, personId: PersonId, at: number): boolean {
  const found = db
    .select({ id: members.id })
    .from(members)
    .innerJoin(people, and(eq(people.id, members.personId), people.active))
    .where(
      and(
        eq(members.accountId, accountId),
        eq(members.personId, personId),
        eq(members.reach, "library"),
        or(isNull(members.endsAt), gt(members.endsAt, at)),
      ),
    )
    .get();
  return found !== undefined;
}
