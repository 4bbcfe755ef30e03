import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { analyses, versions } from "../../../../db/schema.ts";
import type { VersionRow } from "../catalog/service.ts";

/** The measurements of a version. */
export type Measured = typeof analyses.$inferSelect;

/** Returns the measurements of a version; undefined when it was never analysed. */
export function findMeasured(db: Db, versionId: string): Measured | undefined {
  return db.select().from(analyses).where(eq(analyses.versionId, versionId)).get();
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
