import { eq } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, rightsSender, trackRights } from "../../../../db/schema.ts";

export type RightsRow = typeof trackRights.$inferSelect;

/** A track's rights with its ISRC; all null where nothing was written. */
export type StoredRights = Omit<RightsRow, "updatedAt" | "aiUse"> & {
  updatedAt: number | null;
  /** JSON. */
  aiUse: string;
  isrc: string | null;
};

const ofTracks = prepared((db) =>
  db.$client.prepare<StoredRights, [string]>(
    `SELECT t.id AS trackId, t.isrc, r.iswc, r.upc, r.release_date AS releaseDate, r.p_line AS pLine, r.c_line AS cLine,
       r.explicit, r.work_number AS workNumber, coalesce(r.ai_use, '[]') AS aiUse, r.updated_at AS updatedAt
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value LEFT JOIN track_rights r ON r.track_id = t.id
     ORDER BY i.key`,
  ),
);

/** Returns the rights of tracks, in the order given. The caller must be allowed to see the tracks. */
export const selectRights = (db: Db, trackIds: readonly string[]): StoredRights[] =>
  ofTracks(db).all(JSON.stringify(trackIds));

/** Writes a track's rights, all of them. */
export function putRights(tx: Db, row: RightsRow): void {
  tx.insert(trackRights).values(row).onConflictDoUpdate({ target: trackRights.trackId, set: row }).run();
}

export type SenderRow = typeof rightsSender.$inferSelect;

export function findSender(db: Db, ownerId: LibraryId): SenderRow | undefined {
  return db.select().from(rightsSender).where(eq(rightsSender.ownerId, ownerId)).get();
}

export function putSender(tx: Db, row: SenderRow): void {
  tx.insert(rightsSender).values(row).onConflictDoUpdate({ target: rightsSender.ownerId, set: row }).run();
}
