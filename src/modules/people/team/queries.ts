import { and, asc, count, eq, getTableColumns, gt, isNull, lte, or, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import {
  accounts,
  type LibraryId,
  members,
  type PersonId,
  people,
  type Role,
} from "../../../../db/schema.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";

export type MemberRow = typeof members.$inferSelect;

export function insertMember(tx: Db, row: typeof members.$inferInsert): MemberRow {
  return tx.insert(members).values(row).returning().get();
}

/** Returns the people in a library, ended memberships included. */
export function listPeopleOf(db: Db, accountId: LibraryId): PersonId[] {
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
export function findOwner(db: Db, accountId: LibraryId): MemberRow | undefined {
  return db
    .select()
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")))
    .get();
}

/** True when an active person is in a library at `at`. */
export function isMember(db: Db, accountId: LibraryId, personId: PersonId, at: number): boolean {
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

/** A place of a person in a library, which may be disabled. */
export type Membership = Pick<MemberRow, "personId" | "role"> & {
  id: LibraryId;
  name: string;
  active: boolean;
};

/** Returns where people are, or where one of them is, in the order in which they joined; ended memberships included. */
export function listMemberships(db: Db, personId?: PersonId): Membership[] {
  return db
    .select({
      personId: members.personId,
      role: members.role,
      id: accounts.id,
      name: accounts.name,
      active: accounts.active,
    })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(personId === undefined ? undefined : eq(members.personId, personId))
    .orderBy(asc(members.joinedAt), asc(members.id))
    .all();
}

/** Returns how many people are in each library at `at`. */
export function countMembersByLibrary(db: Db, at: number): Map<LibraryId, number> {
  const rows = db
    .select({ id: members.accountId, total: count() })
    .from(members)
    .where(or(isNull(members.endsAt), gt(members.endsAt, at)))
    .groupBy(members.accountId)
    .all();
  return new Map(rows.map(({ id, total }) => [id, total]));
}

const isUnended = (at: number) => or(isNull(members.endsAt), gt(members.endsAt, at));

/** Finds a member of a library by their id, also one whose membership has ended. */
export function findMember(db: Db, accountId: LibraryId, id: string): MemberRow | undefined {
  return db
    .select()
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.id, id)))
    .get();
}

/** Finds the membership of a person in a library, also one that has ended. */
export function findMembership(db: Db, accountId: LibraryId, personId: PersonId): MemberRow | undefined {
  return db
    .select()
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.personId, personId)))
    .get();
}

/** Returns how many members a library has at `at`. */
export function countMembers(db: Db, accountId: LibraryId, at: number): number {
  const own = and(eq(members.accountId, accountId), isUnended(at));
  return db.select({ total: count() }).from(members).where(own).get()?.total ?? 0;
}

/** Returns how many libraries a person is in. */
export function countLibraries(db: Db, personId: PersonId): number {
  const own = eq(members.personId, personId);
  return db.select({ total: count() }).from(members).where(own).get()?.total ?? 0;
}

type MemberColumns = Partial<Pick<MemberRow, "role" | "reach" | "seesSplits" | "seesListening" | "endsAt">>;

export function updateMember(tx: Db, id: string, columns: MemberColumns): void {
  tx.update(members).set(columns).where(eq(members.id, id)).run();
}

/** How exactly it is known when a member was last here. */
const SEEN_MS = 5 * MINUTE_MS;

/** Notes that a member was here, unless they were a few minutes ago. */
export function touchMember(tx: Db, id: string, at: number): void {
  const isStale = or(isNull(members.seenAt), lte(members.seenAt, at - SEEN_MS));
  tx.update(members)
    .set({ seenAt: at })
    .where(and(eq(members.id, id), isStale))
    .run();
}

export function deleteMember(tx: Db, id: string): void {
  tx.delete(members).where(eq(members.id, id)).run();
}

/** Returns the memberships that have ended at `at`. */
export function listEnded(db: Db, at: number): MemberRow[] {
  return db.select().from(members).where(lte(members.endsAt, at)).all();
}

/** A member as lists show them. */
export type ListedMember = MemberRow & { name: string; email: string; lastSeenAt: number | null };

/** Returns the members of a library at `at`, the owner first, then by when they joined. */
export function listMembers(db: Db, accountId: LibraryId, at: number): ListedMember[] {
  const { name, email } = people;
  // A session is noted at once, a member every few minutes.
  const lastUsedAt = sql`(SELECT max(s.last_used_at) FROM sessions s
    WHERE s.person_id = ${members.personId} AND s.account_id = ${members.accountId})`;
  const lastSeenAt = sql<
    number | null
  >`nullif(max(ifnull(${members.seenAt}, 0), ifnull(${lastUsedAt}, 0)), 0)`;
  return db
    .select({ ...getTableColumns(members), name, email, lastSeenAt })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.accountId, accountId), or(isNull(members.endsAt), gt(members.endsAt, at))))
    .orderBy(sql`${members.role} <> 'owner'`, asc(members.joinedAt), asc(members.id))
    .all();
}

export function findLibraryName(db: Db, accountId: LibraryId): string {
  const row = db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId)).get();
  return row?.name ?? "";
}

/** A library of a person, and what they are there. */
type LibraryRow = { id: LibraryId; name: string; role: Role };

/** Returns the libraries that a person can enter at `at`, the one joined first first. Served by index `members_by_person`. */
export function listLibraries(db: Db, personId: PersonId, at: number): LibraryRow[] {
  return db
    .select({ id: accounts.id, name: accounts.name, role: members.role })
    .from(members)
    .innerJoin(accounts, and(eq(accounts.id, members.accountId), accounts.active))
    .where(and(eq(members.personId, personId), or(isNull(members.endsAt), gt(members.endsAt, at))))
    .orderBy(asc(members.joinedAt), asc(members.id))
    .all();
}

const presence = prepared((db) =>
  db.$client.prepare<{ role: Role }, [string, number]>(
    `SELECT m.role FROM members m JOIN people p ON p.id = m.person_id AND p.active = 1
     JOIN accounts a ON a.id = m.account_id AND a.active = 1
     WHERE m.id = (SELECT ?1) AND ifnull(m.ends_at > ?2, 1)`,
  ),
);

/** Returns the role of whoever is the member with this id at `at`. */
export function findPresentRole(db: Db, memberId: string, at: number): Role | undefined {
  return presence(db).get(memberId, at)?.role;
}
