import { and, desc, eq, isNull, lt, or } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, playlists, shares, tracks } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import type { SharedEntity } from "./shapes.ts";

export type ShareRow = typeof shares.$inferSelect;
export type NewShareRow = typeof shares.$inferInsert;

/** The columns of a public share that are needed to choose the newest. */
export type PublicShare = Pick<ShareRow, "id" | "token" | "createdAt">;

/** SQL condition: a share without a recipient that is live at the time `at`. */
const livePublic = (
  at: string,
) => `s.recipient IS NULL AND s.revoked_at IS NULL AND ifnull(s.turned, 'on') = 'on'
  AND (s.expires_at IS NULL OR s.expires_at > ${at}) AND (s.not_before IS NULL OR s.not_before <= ${at})
  AND (s.max_uses IS NULL OR s.uses < s.max_uses)`;

/**
 * Returns a scalar subquery: the token of an entity's newest live public share, or null. For statements where a
 * separate query would cost too much. Both arguments are SQL.
 */
export function publicTokenSql(entityId: string, at: string): string {
  return `(SELECT s.token FROM shares s INDEXED BY shares_public WHERE s.entity_id = ${entityId}
    AND ${livePublic(at)} ORDER BY s.created_at DESC, s.id DESC LIMIT 1)`;
}

const newestPublic = prepared((db) =>
  db.$client.prepare<{ token: string | null }, [string, number]>(
    `SELECT ${publicTokenSql("?1", "?2")} AS token`,
  ),
);

/** Returns the token of an entity's newest public share that is live at `at`. Ids of entities are unique. */
export function selectPublicToken(db: Db, entityId: string, at: number): string | undefined {
  return newestPublic(db).get(entityId, at)?.token ?? undefined;
}

const publicOfPage = prepared((db) =>
  db.$client.prepare<PublicShare & { place: number }, [string, number]>(
    `SELECT i.key AS place, s.id, s.token, s.created_at AS createdAt
     FROM json_each(?1) i CROSS JOIN shares s INDEXED BY shares_public ON s.entity_id = i.value AND ${livePublic("?2")}`,
  ),
);

/**
 * Returns every public share of the entities that is live at `at`, with its entity's index, in no particular order.
 * One query for a page costs a fifth of a subquery per row.
 */
export function selectPublicShares(
  db: Db,
  entityIds: readonly string[],
  at: number,
): (PublicShare & { place: number })[] {
  return publicOfPage(db).all(JSON.stringify(entityIds), at);
}

/** Returns an entity's public shares, live or ended, newest first. Served by index `shares_public`. */
export function listPublic(db: Db, ownerId: LibraryId, entityId: string): ShareRow[] {
  return publicOf(db, ownerId, entityId).all();
}

/** Returns an entity's newest public share, live or ended. Served by index `shares_public`. */
export function findNewestPublic(db: Db, ownerId: LibraryId, entityId: string): ShareRow | undefined {
  return publicOf(db, ownerId, entityId).limit(1).get();
}

/** Returns the public share of an entity that has never been turned on. */
export function findWaiting(db: Db, ownerId: LibraryId, entityId: string): ShareRow | undefined {
  return listPublic(db, ownerId, entityId).find(
    ({ turned, revokedAt }) => turned === "not-yet" && revokedAt === null,
  );
}

function publicOf(db: Db, ownerId: LibraryId, entityId: string) {
  return db
    .select()
    .from(shares)
    .where(and(eq(shares.entityId, entityId), eq(shares.ownerId, ownerId), isNull(shares.recipient)))
    .orderBy(desc(shares.createdAt), desc(shares.id));
}

export function insertShare(db: Db, row: NewShareRow): ShareRow {
  return db
    .insert(shares)
    .values({ madeBy: currentPerson(), ...row })
    .returning()
    .get();
}

export function updateShare(
  db: Db,
  ownerId: LibraryId,
  id: string,
  change: Partial<NewShareRow>,
): ShareRow | undefined {
  return db.update(shares).set(change).where(ownShare(ownerId, id)).returning().get();
}

export function findShare(db: Db, ownerId: LibraryId, id: string): ShareRow | undefined {
  return db.select().from(shares).where(ownShare(ownerId, id)).get();
}

const ownShare = (ownerId: LibraryId, id: string) => and(eq(shares.ownerId, ownerId), eq(shares.id, id));

/** Position in a list that is newest first. */
export type ShareCursor = { createdAt: number; id: string };

/** Returns at most `limit` shares of an account, newest first. Served by index `shares_by_owner`. */
export function listShares(
  db: Db,
  ownerId: LibraryId,
  { entityId, limit, after }: { entityId: string | undefined; limit: number; after: ShareCursor | undefined },
): ShareRow[] {
  const older =
    after &&
    or(
      lt(shares.createdAt, after.createdAt),
      and(eq(shares.createdAt, after.createdAt), lt(shares.id, after.id)),
    );
  return db
    .select()
    .from(shares)
    .where(
      and(
        eq(shares.ownerId, ownerId),
        entityId === undefined ? undefined : eq(shares.entityId, entityId),
        older,
      ),
    )
    .orderBy(desc(shares.createdAt), desc(shares.id))
    .limit(limit)
    .all();
}

/** Returns the name of an account's track or playlist, or undefined if the account does not have it. */
export function findEntityName(
  db: Db,
  ownerId: LibraryId,
  entity: SharedEntity,
  entityId: string,
): string | undefined {
  const table = entity === "track" ? tracks : playlists;
  return db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.id, entityId), eq(table.ownerId, ownerId), isNull(table.deletedAt)))
    .get()?.name;
}

/** Returns the names of tracks and playlists by id. */
export function selectEntityNames(db: Db, entityIds: readonly string[]): Map<string, string> {
  const rows = db.$client
    .query<{ id: string; name: string }, [string]>(
      `SELECT id, name FROM tracks WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))
       UNION ALL
       SELECT id, name FROM playlists WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))`,
    )
    .all(JSON.stringify(entityIds));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const titles = prepared((db) =>
  db.$client.prepare<{ id: string; title: string | null }, [string]>(
    "SELECT t.id, t.title FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value",
  ),
);

/** Returns the titles of tracks by their ids, also of those in the bin; null: the track has none but its name. */
export function selectTitles(db: Db, ids: readonly string[]): Map<string, string | null> {
  const rows = titles(db).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Returns the links among `ids` that were turned on, turned off or never on; others are live since they were made. */
export function selectTurned(db: Db, ownerId: LibraryId, ids: readonly string[]) {
  const rows = db.$client
    .query<{ id: string; turned: "not-yet" | "on" | "off" }, [string, string]>(
      `SELECT id, turned FROM shares
       WHERE owner_id = ?1 AND turned IS NOT NULL AND id IN (SELECT value FROM json_each(?2))`,
    )
    .all(ownerId, JSON.stringify(ids));
  return new Map(rows.map(({ id, turned }) => [id, turned]));
}

/** Returns who made each of an account's shares, by id. */
export function selectMakers(
  db: Db,
  ownerId: LibraryId,
  ids: readonly string[],
): Map<string, PersonId | null> {
  const rows = db.$client
    .query<{ id: string; madeBy: PersonId | null }, [string, string]>(
      "SELECT id, made_by AS madeBy FROM shares WHERE owner_id = ?1 AND id IN (SELECT value FROM json_each(?2))",
    )
    .all(ownerId, JSON.stringify(ids));
  return new Map(rows.map(({ id, madeBy }) => [id, madeBy]));
}
