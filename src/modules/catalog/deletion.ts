import { asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { tracks, versions } from "../../../db/schema.ts";

/** What deleted tracks leave on the disk, unless something else names it. */
export type Remains = { trackIds: string[]; sha256s: string[]; covers: string[] };

/** Deletes at most `limit` tracks of an account with everything that belongs to them, the oldest first. */
export function deleteTracksOf(tx: Db, ownerId: string, limit: number): Remains {
  const { id, cover } = tracks;
  const found = tx.select({ id, cover }).from(tracks).where(eq(tracks.ownerId, ownerId));
  const rows = found.orderBy(asc(tracks.createdAt), asc(id)).limit(limit).all();
  const ids = rows.map((row) => row.id);
  const files = tx
    .select({ sha256: versions.sha256 })
    .from(versions)
    .where(inArray(versions.trackId, ids))
    .all();
  tx.delete(tracks).where(inArray(id, ids)).run();
  return {
    trackIds: ids,
    sha256s: [...new Set(files.map(({ sha256 }) => sha256))],
    covers: rows.flatMap((row) => row.cover ?? []),
  };
}
