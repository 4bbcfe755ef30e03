import { and, asc, desc, eq, getTableColumns, gt, inArray, ne, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import {
  accounts,
  type LibraryId,
  members,
  type PersonId,
  passwordResets,
  people,
  type Role,
  sessions,
} from "../../../../db/schema.ts";

export type PersonRow = typeof people.$inferSelect;
export type SessionDbRow = typeof sessions.$inferSelect;

export function insertPerson(tx: Db, row: typeof people.$inferInsert): PersonRow {
  return tx.insert(people).values(row).returning().get();
}

export function findPerson(db: Db, id: PersonId): PersonRow | undefined {
  return db.select().from(people).where(eq(people.id, id)).get();
}

export function findPersonByEmail(db: Db, email: string): PersonRow | undefined {
  return db.select().from(people).where(eq(people.email, email)).get();
}

/** Returns the operator, active or not. Served by index `people_operator`. */
export function findOperator(db: Db): PersonRow | undefined {
  return db.select().from(people).where(eq(people.operator, true)).get();
}

/** Returns everybody in the order in which they came, with when each was last here. */
export function listPeople(db: Db): (PersonRow & { lastSeenAt: number | null })[] {
  const lastSeenAt = sql<
    number | null
  >`(SELECT max(s.last_used_at) FROM sessions s WHERE s.person_id = people.id)`;
  return db
    .select({ ...getTableColumns(people), lastSeenAt })
    .from(people)
    .orderBy(asc(people.createdAt), asc(people.id))
    .all();
}

type PersonColumns = Partial<Pick<PersonRow, "passwordHash" | "active" | "email" | "name" | "operator">>;

export function updatePerson(tx: Db, id: PersonId, columns: PersonColumns): PersonRow | undefined {
  return tx.update(people).set(columns).where(eq(people.id, id)).returning().get();
}

/** Takes the mark of the operator from whoever has it. */
export function clearOperator(tx: Db): void {
  tx.update(people).set({ operator: false }).where(eq(people.operator, true)).run();
}

export function deletePerson(tx: Db, id: PersonId): void {
  tx.delete(people).where(eq(people.id, id)).run();
}

/** The membership has not ended. */
const isUnended = (at: number) => sql`ifnull(${members.endsAt} > ${at}, 1)`;

/** Where a person is when they sign in: null when in no library. */
type Entry = { accountId: LibraryId | null };

/**
 * Returns the library that a person enters at `at`: of those they can enter, the one joined first. The operator may be in none;
 * undefined for everybody else who can enter none.
 */
export function findEntry(
  db: Db,
  { id, operator }: Pick<PersonRow, "id" | "operator">,
  at: number,
): Entry | undefined {
  const entry = db
    .select({ accountId: members.accountId })
    .from(members)
    .innerJoin(accounts, and(eq(accounts.id, members.accountId), accounts.active))
    .where(and(eq(members.personId, id), isUnended(at)))
    .orderBy(asc(members.joinedAt), asc(members.id))
    .get();
  return entry ?? (operator && isInNone(db, id, at) ? { accountId: null } : undefined);
}

/** True for somebody who is in no library at `at`, not even a closed one. */
export function isInNone(db: Db, id: PersonId, at: number): boolean {
  const own = db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.personId, id), isUnended(at)));
  return own.get() === undefined;
}

export function insertSession(db: Db, row: typeof sessions.$inferInsert): SessionDbRow {
  return db.insert(sessions).values(row).returning().get();
}

/** What a request needs to know about its session, and about the member that it stands for. */
export type SessionProof = {
  sessionId: string;
  personId: PersonId;
  lastUsedAt: number;
  absoluteExpiresAt: number;
  isPersonActive: 0 | 1;
  isOperator: 0 | 1;
  /** Null: the person is not in the library that is meant. */
  memberId: string | null;
  accountId: LibraryId | null;
  role: string | null;
  seesSplits: 0 | 1 | null;
  seesListening: 0 | 1 | null;
  reach: string | null;
  endsAt: number | null;
  isLibraryActive: 0 | 1 | null;
};

// Plain SQL, because it runs for every request. SQLite plans a join over a bound parameter again at each run, but not a join
// over a sub-select.
const proofOfSession = prepared((db) =>
  db.$client.prepare<SessionProof, [Uint8Array, string | null, number]>(`
    SELECT s.id AS sessionId, s.person_id AS personId, s.last_used_at AS lastUsedAt,
      s.absolute_expires_at AS absoluteExpiresAt, p.active AS isPersonActive, p.operator AS isOperator,
      m.id AS memberId, m.account_id AS accountId, m.role, m.sees_splits AS seesSplits,
      m.sees_listening AS seesListening, m.reach, m.ends_at AS endsAt, a.active AS isLibraryActive
    FROM sessions s JOIN people p ON p.id = s.person_id
    LEFT JOIN members m ON m.person_id = s.person_id AND m.account_id = coalesce((SELECT ?2), s.account_id,
      (SELECT f.account_id FROM members f JOIN accounts fa ON fa.id = f.account_id AND fa.active = 1
       WHERE f.person_id = s.person_id AND ifnull(f.ends_at > ?3, 1)
       ORDER BY f.joined_at, f.id LIMIT 1))
    LEFT JOIN accounts a ON a.id = m.account_id
    WHERE s.token_hash = (SELECT ?1)`),
);

/** @param accountId The library that the request names; null: the one chosen last, or else of those open at `at` the one joined first. */
export function findSessionProof(
  db: Db,
  tokenHash: Buffer,
  accountId: LibraryId | null,
  at: number,
): SessionProof | null {
  return proofOfSession(db).get(tokenHash, accountId, at);
}

/** A session, and a membership of its person. */
export type ActiveSession = Pick<SessionDbRow, "id" | "lastUsedAt" | "absoluteExpiresAt"> & {
  memberId: string;
  role: Role;
  reach: "library" | "rooms";
  seesSplits: boolean;
  seesListening: boolean;
  endsAt: number | null;
};

/** Returns those of the sessions whose person is active, with each membership that is meant and can be entered at `at`. */
export function findActiveSessions(
  db: Db,
  streams: readonly { sessionId: string; memberId: string }[],
  at: number,
): ActiveSession[] {
  const { id, lastUsedAt, absoluteExpiresAt } = sessions;
  const { id: memberId, role, reach, seesSplits, seesListening, endsAt } = members;
  const isMeant = inArray(memberId, [...new Set(streams.map((stream) => stream.memberId))]);
  return db
    .select({ id, lastUsedAt, absoluteExpiresAt, memberId, role, reach, seesSplits, seesListening, endsAt })
    .from(sessions)
    .innerJoin(people, and(eq(people.id, sessions.personId), people.active))
    .innerJoin(members, and(eq(members.personId, sessions.personId), isMeant, isUnended(at)))
    .innerJoin(accounts, and(eq(accounts.id, members.accountId), accounts.active))
    .where(
      inArray(
        id,
        streams.map(({ sessionId }) => sessionId),
      ),
    )
    .all();
}

export function findSession(db: Db, personId: PersonId, id: string): SessionDbRow | undefined {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
    .get();
}

/** A session with the library that it is in, if the person is in it at the time. */
type ListedSession = { session: SessionDbRow; library: { id: string; name: string } | null };

/** Returns the sessions of a person, newest first. Served by index `sessions_by_person`. */
export function listSessions(db: Db, personId: PersonId, at: number): ListedSession[] {
  const { id, name } = accounts;
  const isOwn = and(eq(members.personId, personId), eq(members.accountId, sessions.accountId), isUnended(at));
  return db
    .select({ session: sessions, library: { id, name } })
    .from(sessions)
    .leftJoin(members, isOwn)
    .leftJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(sessions.personId, personId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .all();
}

export function deleteSession(db: Db, personId: PersonId, id: string): boolean {
  const deleted = db
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
    .all();
  return deleted.length > 0;
}

/** Deletes a person's other sessions; returns how many there were. */
export function deleteOtherSessions(db: Db, personId: PersonId, currentId: string): number {
  return db
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), ne(sessions.id, currentId)))
    .returning({ id: sessions.id })
    .all().length;
}

/** Deletes every session of a person; returns how many there were. */
export function deleteSessions(db: Db, personId: PersonId): number {
  const ended = db.delete(sessions).where(eq(sessions.personId, personId));
  return ended.returning({ id: sessions.id }).all().length;
}

/** Deletes the sessions of a person whose library this is; returns how many there were. */
export function deleteSessionsIn(tx: Db, personId: PersonId, accountId: LibraryId): number {
  const ended = tx
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.accountId, accountId)));
  return ended.returning({ id: sessions.id }).all().length;
}

export function updateSessionLastUsed(db: Db, id: string, at: number): void {
  db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, id)).run();
}

export function updateSessionLibrary(tx: Db, id: string, accountId: LibraryId | null): void {
  tx.update(sessions).set({ accountId }).where(eq(sessions.id, id)).run();
}

/** Records a proof, as later than the sign-in. */
export function updateSessionProvedAt(tx: Db, id: string, at: number): void {
  tx.update(sessions)
    .set({ provedAt: sql`max(${at}, ${sessions.createdAt} + 1)` })
    .where(eq(sessions.id, id))
    .run();
}

/** Stores the reset link of a person; it replaces an earlier one. */
export function replaceReset(db: Db, row: typeof passwordResets.$inferInsert): void {
  const { tokenHash, expiresAt } = row;
  db.insert(passwordResets)
    .values(row)
    .onConflictDoUpdate({ target: passwordResets.personId, set: { tokenHash, expiresAt } })
    .run();
}

/** Returns the person that a reset link is for; undefined for a link that does not work at `at`. */
export function findReset(db: Db, tokenHash: Buffer, at: number): PersonRow | undefined {
  return db
    .select({ person: people })
    .from(passwordResets)
    .innerJoin(people, and(eq(people.id, passwordResets.personId), eq(people.active, true)))
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, at)))
    .get()?.person;
}

export function deleteReset(db: Db, personId: PersonId): void {
  db.delete(passwordResets).where(eq(passwordResets.personId, personId)).run();
}
