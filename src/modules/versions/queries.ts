import { and, asc, eq, sql } from "drizzle-orm";
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

/** Returns the active version's id of a track that the account owns. */
export function findActiveVersionId(db: Db, ownerId: string, trackId: string): string | undefined {
  return db
    .select({ id: tracks.activeVersionId })
    .from(tracks)
    .where(and(eq(tracks.id, trackId), eq(tracks.ownerId, ownerId)))
    .get()?.id;
}

/** Every version of a track, oldest first. */
export function listVersions(db: Db, trackId: string): VersionRow[] {
  return db
    .select()
    .from(versions)
    .where(eq(versions.trackId, trackId))
    .orderBy(asc(versions.versionOrder))
    .all();
}
