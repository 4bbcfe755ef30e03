import { eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../db/client.ts";
import { tracks, versions } from "../../../db/schema.ts";

export type VersionRow = typeof versions.$inferSelect;

const byId = prepared((db) =>
  db
    .select()
    .from(versions)
    .where(eq(versions.id, sql.placeholder("id")))
    .prepare(),
);

/** Returns a version whoever owns it: only for those who have proved otherwise that they may have it. */
export function findVersion(db: Db, id: string): VersionRow | undefined {
  return byId(db).get({ id });
}

/** Returns the account that owns a track. */
export function findOwnerId(db: Db, trackId: string): string | undefined {
  return db.select({ ownerId: tracks.ownerId }).from(tracks).where(eq(tracks.id, trackId)).get()?.ownerId;
}
