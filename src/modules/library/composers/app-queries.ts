import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";
import type { ComposerRow } from "./queries.ts";

export type CountedRow = ComposerRow & { trackCount: number };

const COUNTED = `SELECT c.id, c.owner_id AS ownerId, c.full_name AS fullName, c.artist_name AS artistName, c.email,
    c.publisher, c.publisher_ipi AS publisherIpi, c.pro, c.ipi, c.isni, c.last_name AS lastName, c.created_at AS createdAt, c.deleted_at AS deletedAt,
    (SELECT count(DISTINCT s.track_id) FROM track_shareholders s JOIN tracks t ON t.id = s.track_id
      WHERE s.composer_id = c.id AND t.deleted_at IS NULL AND t.in_inbox = 0) AS trackCount
  FROM composers c WHERE c.owner_id = $ownerId AND c.deleted_at IS NULL`;

/** Returns at most `limit` composers added before `after`, newest first. */
export function listCounted(db: Db, ownerId: LibraryId, after: Place, limit: number): CountedRow[] {
  return db.$client
    .query<CountedRow, [Record<string, string | number>]>(
      `${COUNTED} AND (c.created_at, c.id) < ($key, $id) ORDER BY c.created_at DESC, c.id DESC LIMIT $limit`,
    )
    .all({ ownerId, key: after.key, id: after.id, limit });
}

export function findCounted(db: Db, ownerId: LibraryId, id: string): CountedRow | undefined {
  const row = db.$client
    .query<CountedRow, [Record<string, string>]>(`${COUNTED} AND c.id = $id`)
    .get({ ownerId, id });
  return row ?? undefined;
}

export type SharedRow = {
  trackId: string;
  name: string;
  title: string | null;
  artist: string | null;
  role: string;
  share: number;
  total: number;
};

/** Returns the tracks of a composer, newest first, each with what all its shares add up to. */
export function selectShared(db: Db, composerId: string): SharedRow[] {
  return db.$client
    .query<SharedRow, [string]>(
      `SELECT t.id AS trackId, t.name, t.title, t.artist, s.role, s.share,
         (SELECT sum(o.share) FROM track_shareholders o WHERE o.track_id = t.id) AS total
       FROM track_shareholders s JOIN tracks t ON t.id = s.track_id
       WHERE s.composer_id = ? AND t.deleted_at IS NULL AND t.in_inbox = 0 ORDER BY t.created_at DESC, t.id, s.position`,
    )
    .all(composerId);
}

export type SplitRow = Pick<SharedRow, "trackId" | "name" | "title" | "artist" | "total"> & { names: string };

/** Returns the account's tracks whose shares do not add up to 100 per cent, the newest first. */
export function selectSplits(db: Db, ownerId: LibraryId, limit: number): SplitRow[] {
  return db.$client
    .query<SplitRow, [string, number]>(
      `SELECT t.id AS trackId, t.name, t.title, t.artist, sum(s.share) AS total,
         json_group_array(DISTINCT c.full_name) AS names
       FROM composers c CROSS JOIN track_shareholders s ON s.composer_id = c.id CROSS JOIN tracks t ON t.id = s.track_id
       WHERE c.owner_id = ?1 AND t.owner_id = ?1 AND t.deleted_at IS NULL AND t.in_inbox = 0
       GROUP BY t.id HAVING abs(sum(s.share) - 100) > 0.001 ORDER BY t.created_at DESC LIMIT ?2`,
    )
    .all(ownerId, limit);
}
