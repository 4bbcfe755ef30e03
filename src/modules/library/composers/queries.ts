import { and, count, desc, eq, isNull, lt, or } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { composers, type LibraryId, supplyRequests } from "../../../../db/schema.ts";
import { noteEdits, SPLITS_FIELD } from "../catalog/service.ts";

export type ComposerRow = typeof composers.$inferSelect;
type NewComposerRow = typeof composers.$inferInsert;

export function insertComposer(db: Db, row: NewComposerRow): ComposerRow {
  return db.insert(composers).values(row).returning().get();
}

export function updateComposer(db: Db, id: string, change: Partial<NewComposerRow>): ComposerRow {
  return db.update(composers).set(change).where(eq(composers.id, id)).returning().get();
}

/** Makes a composer's row a tombstone, which holds no data about the person. What they were asked for goes. */
export function buryComposer(tx: Db, id: string, at: number): void {
  const nobody = {
    fullName: "",
    email: null,
    artistName: null,
    publisher: null,
    pro: null,
    ipi: null,
    isni: null,
    lastName: null,
    publisherIpi: null,
  };
  updateComposer(tx, id, { ...nobody, deletedAt: at });
  tx.delete(supplyRequests).where(eq(supplyRequests.composerId, id)).run();
}

/** Gives what a composer was asked for to the one that it becomes. */
export function giveSupplyRequests(tx: Db, goneId: string, keptId: string): void {
  tx.update(supplyRequests).set({ composerId: keptId }).where(eq(supplyRequests.composerId, goneId)).run();
}

/** Finds a composer of the account, including a deleted one: its tombstone keeps cursors valid. */
export function findWithTombstones(db: Db, ownerId: LibraryId, id: string): ComposerRow | undefined {
  return db
    .select()
    .from(composers)
    .where(and(eq(composers.id, id), eq(composers.ownerId, ownerId)))
    .get();
}

export function findComposer(db: Db, ownerId: LibraryId, id: string): ComposerRow | undefined {
  const row = findWithTombstones(db, ownerId, id);
  return row?.deletedAt === null ? row : undefined;
}

/** Finds a composer by e-mail address in its stored form: trimmed, lower case. */
export function findByEmail(db: Db, ownerId: LibraryId, email: string): ComposerRow | undefined {
  return db
    .select()
    .from(composers)
    .where(and(eq(composers.ownerId, ownerId), eq(composers.email, email), isNull(composers.deletedAt)))
    .get();
}

/** Returns at most `limit` composers after `after`, newest first. Served by index `composers_by_owner`. */
export function listComposers(
  db: Db,
  ownerId: LibraryId,
  limit: number,
  after: Pick<ComposerRow, "createdAt" | "id"> | undefined,
): ComposerRow[] {
  const older =
    after &&
    or(
      lt(composers.createdAt, after.createdAt),
      and(eq(composers.createdAt, after.createdAt), lt(composers.id, after.id)),
    );
  return db
    .select()
    .from(composers)
    .where(and(eq(composers.ownerId, ownerId), isNull(composers.deletedAt), older))
    .orderBy(desc(composers.createdAt), desc(composers.id))
    .limit(limit)
    .all();
}

export function countComposers(db: Db, ownerId: LibraryId): number {
  const found = db
    .select({ total: count() })
    .from(composers)
    .where(and(eq(composers.ownerId, ownerId), isNull(composers.deletedAt)))
    .get();
  return found?.total ?? 0;
}

/** A composer's share of a track. */
export type LinkedTrack = {
  composerId: string;
  share: number;
  role: string;
  id: string;
  name: string;
  createdAt: number;
};

/** Returns the tracks of many composers, in the order they were linked. Served by `track_shareholders_by_composer`. */
export function selectTracksOf(db: Db, composerIds: readonly string[]): LinkedTrack[] {
  return db.$client
    .query<LinkedTrack, [string]>(
      `SELECT s.composer_id AS composerId, s.share, s.role, t.id, t.name, t.created_at AS createdAt
       FROM json_each(?1) i CROSS JOIN track_shareholders s ON s.composer_id = i.value
       JOIN tracks t ON t.id = s.track_id AND t.deleted_at IS NULL AND t.in_inbox = 0
       ORDER BY i.key, s.created_at, s.track_id, s.position`,
    )
    .all(JSON.stringify(composerIds));
}

/** A credit of a track, as stored. */
export type Credit = {
  share: number;
  role: string;
  id: string;
  fullName: string;
  pro: string | null;
  position: number;
};

const CREDIT = "s.share, s.role, c.id, c.full_name AS fullName, c.pro, s.position";

const creditsOfTrack = prepared((db) =>
  db.$client.prepare<Credit, [string]>(
    `SELECT ${CREDIT} FROM track_shareholders s JOIN composers c ON c.id = s.composer_id WHERE s.track_id = ?1`,
  ),
);

/** Returns a track's credits in the order written. The caller must be allowed to see the track. */
export function selectCredits(db: Db, trackId: string): Credit[] {
  return creditsOfTrack(db)
    .all(trackId)
    .sort((a, b) => a.position - b.position);
}

/** Returns the credits of many tracks in the order written, each with its track's index in `trackIds`. */
export function selectCreditsOfPage(db: Db, trackIds: readonly string[]): (Credit & { place: number })[] {
  return db.$client
    .query<Credit & { place: number }, [string]>(
      `SELECT i.key AS place, ${CREDIT} FROM json_each(?1) i
       CROSS JOIN track_shareholders s ON s.track_id = i.value JOIN composers c ON c.id = s.composer_id`,
    )
    .all(JSON.stringify(trackIds))
    .sort((a, b) => a.position - b.position);
}

/** One share of a track: the composer, the share and the role. */
export type Link = { composerId: string; share: number; role: string };
export type StoredLink = Link & { createdAt: number };

/** Returns a track's links in the order written. */
export function selectLinks(db: Db, trackId: string): StoredLink[] {
  return db.$client
    .query<StoredLink, [string]>(
      `SELECT composer_id AS composerId, share, role, created_at AS createdAt
       FROM track_shareholders WHERE track_id = ?1 ORDER BY position`,
    )
    .all(trackId);
}

/** True when both are the same links in the same order. */
export function isSameLinks(some: readonly Link[], others: readonly Link[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ composerId, share, role }, at) => {
      const other = others[at];
      return other?.composerId === composerId && other.share === share && other.role === role;
    })
  );
}

/** Replaces a track's links with `links`. */
export function replaceLinks(tx: Db, trackId: string, links: readonly StoredLink[]): void {
  if (!isSameLinks(selectLinks(tx, trackId), links)) noteEdits(tx, trackId, [SPLITS_FIELD]);
  tx.$client.query("DELETE FROM track_shareholders WHERE track_id = ?1").run(trackId);
  const insert = tx.$client.query(
    `INSERT INTO track_shareholders (track_id, composer_id, share, role, position, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
  );
  for (const [position, { composerId, share, role, createdAt }] of links.entries())
    insert.run(trackId, composerId, share, role, position, createdAt);
}

/** Returns a composer's links, track by track. */
export function selectLinksOfComposer(db: Db, composerId: string): (Link & { trackId: string })[] {
  return db.$client
    .query<Link & { trackId: string }, [string]>(
      `SELECT track_id AS trackId, composer_id AS composerId, share, role
       FROM track_shareholders WHERE composer_id = ?1 ORDER BY created_at, track_id, position`,
    )
    .all(composerId);
}

/** True when the shares of one of the tracks come to more than `most` per cent, or one of its composers was deleted. */
export function hasBrokenShares(db: Db, trackIds: readonly string[], most: number): boolean {
  const sql = `SELECT 1 FROM track_shareholders s JOIN composers c ON c.id = s.composer_id
    WHERE s.track_id IN (SELECT value FROM json_each(?1))
    GROUP BY s.track_id HAVING sum(s.share) > ?2 OR max(c.deleted_at IS NOT NULL)`;
  return db.$client.query<unknown, [string, number]>(sql).get(JSON.stringify(trackIds), most) !== null;
}

export function deleteLinksOfComposer(tx: Db, composerId: string): void {
  const gone = tx.$client
    .query<{ trackId: string }, [string]>(
      "DELETE FROM track_shareholders WHERE composer_id = ?1 RETURNING track_id AS trackId",
    )
    .all(composerId);
  for (const trackId of new Set(gone.map((link) => link.trackId))) noteEdits(tx, trackId, [SPLITS_FIELD]);
}

/** Returns the composers of the account among `ids`, with their publishers. */
export function selectPublishers(
  db: Db,
  ownerId: LibraryId,
  ids: readonly string[],
): Map<string, string | null> {
  const rows = db.$client
    .query<{ id: string; publisher: string | null }, [string, string]>(
      `SELECT id, publisher FROM composers
       WHERE id IN (SELECT value FROM json_each(?1)) AND owner_id = ?2 AND deleted_at IS NULL`,
    )
    .all(JSON.stringify(ids), ownerId);
  return new Map(rows.map(({ id, publisher }) => [id, publisher]));
}
