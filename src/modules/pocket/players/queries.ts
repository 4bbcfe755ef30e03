import { and, count, desc, eq, isNull } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, people, players } from "../../../../db/schema.ts";
import { joinMaker, type Maker, makerColumns } from "../../people/team/service.ts";

export type PlayerRow = typeof players.$inferSelect;

/** What a request needs to know about the music app that sends it. */
export type PlayerProof = Pick<PlayerRow, "id" | "name" | "username" | "sound" | "client" | "revokedAt"> & {
  accountId: LibraryId;
  secretHash: Uint8Array;
  secretCopy: Uint8Array;
  isAccountActive: 0 | 1;
  isLetIn: 0 | 1;
} & Maker;

// Plain SQL and a sub-select, as for keys: it runs for every request.
const proofOfPlayer = prepared((db) =>
  db.$client.prepare<PlayerProof, [string]>(`
    SELECT p.id, p.name, p.username, p.sound, p.client, p.account_id AS accountId, p.secret_hash AS secretHash,
      p.secret_copy AS secretCopy, p.revoked_at AS revokedAt, a.active AS isAccountActive, a.music_apps AS isLetIn,
      ${makerColumns("p.person_id")}
    FROM players p JOIN accounts a ON a.id = p.account_id ${joinMaker("p.account_id", "p.person_id")}
    WHERE p.username = (SELECT ?)`),
);

export function findPlayerProof(db: Db, username: string): PlayerProof | null {
  return proofOfPlayer(db).get(username);
}

/** True when an active library lets music apps in. Served by index `accounts_with_apps`. */
export function isAnyLetIn(db: Db): boolean {
  return (
    db.$client.query("SELECT 1 FROM accounts WHERE music_apps = 1 AND active = 1 LIMIT 1").get() !== null
  );
}

/** True when the library lets music apps in. */
export function isLetIn(db: Db, accountId: LibraryId): boolean {
  return db.$client.query("SELECT 1 FROM accounts WHERE id = ? AND music_apps = 1").get(accountId) !== null;
}

export function insertPlayer(tx: Db, row: typeof players.$inferInsert): PlayerRow {
  return tx.insert(players).values(row).returning().get();
}

/** True when a music app of any library has this user name, also one that was removed. */
export function hasUsername(db: Db, username: string): boolean {
  return db.$client.query("SELECT 1 FROM players WHERE username = ?").get(username) !== null;
}

/** Finds a music app of the library that was not removed. */
export function findPlayer(db: Db, accountId: LibraryId, id: string): PlayerRow | undefined {
  return db
    .select()
    .from(players)
    .where(and(eq(players.accountId, accountId), eq(players.id, id), isNull(players.revokedAt)))
    .get();
}

/** Finds a music app of any library, also one that was removed. */
export function findAnyPlayer(db: Db, id: string): PlayerRow | undefined {
  return db.select().from(players).where(eq(players.id, id)).get();
}

/** Returns the music apps of a library that were not removed, newest first. */
export function listPlayers(db: Db, accountId: LibraryId): PlayerRow[] {
  return db
    .select()
    .from(players)
    .where(and(eq(players.accountId, accountId), isNull(players.revokedAt)))
    .orderBy(desc(players.createdAt), desc(players.id))
    .all();
}

/** Returns the music apps of every library that were not removed, with the addresses of their people; none before there were any. */
export function listEveryPlayer(db: Db): { id: string; name: string; username: string; email: string }[] {
  const isThere = db.$client.query("SELECT 1 FROM sqlite_schema WHERE name = 'players'").get() !== null;
  if (!isThere) return [];
  const { id, name, username, personId } = players;
  return db
    .select({ id, name, username, email: people.email })
    .from(players)
    .innerJoin(people, eq(people.id, personId))
    .where(isNull(players.revokedAt))
    .orderBy(players.createdAt, players.id)
    .all();
}

/** Returns how many music apps of a person in a library were not removed. */
export function countPlayers(db: Db, accountId: LibraryId, personId: PersonId): number {
  const isTheirs = and(eq(players.accountId, accountId), eq(players.personId, personId));
  const found = db
    .select({ total: count() })
    .from(players)
    .where(and(isTheirs, isNull(players.revokedAt)))
    .get();
  return found?.total ?? 0;
}

/** Returns the sealed part of every music app, also of those that were removed. */
export function listSealed(db: Db): Pick<PlayerRow, "id" | "secretCopy">[] {
  const { id, secretCopy } = players;
  return db.select({ id, secretCopy }).from(players).all();
}

export function updatePlayer(
  tx: Db,
  id: string,
  change: Partial<Omit<typeof players.$inferInsert, "id" | "accountId" | "personId">>,
): void {
  tx.update(players).set(change).where(eq(players.id, id)).run();
}
