import { and, asc, eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../db/client.ts";
import { analyses, tagSuggestions, tracks, versions } from "../../../db/schema.ts";
import type { VersionRow } from "../files/service.ts";

/** What was measured on a version. */
export type Measured = typeof analyses.$inferSelect;

/** The parts of a track that working with versions needs. */
export type VersionedTrack = Pick<
  typeof tracks.$inferSelect,
  "id" | "ownerId" | "name" | "activeVersionId" | "analysisVersionId"
>;

const ownedTrack = prepared((db) =>
  db
    .select({
      id: tracks.id,
      ownerId: tracks.ownerId,
      name: tracks.name,
      activeVersionId: tracks.activeVersionId,
      analysisVersionId: tracks.analysisVersionId,
    })
    .from(tracks)
    .where(and(eq(tracks.id, sql.placeholder("trackId")), eq(tracks.ownerId, sql.placeholder("ownerId"))))
    .prepare(),
);

/** Returns a track that the account owns. */
export function findOwnedTrack(db: Db, ownerId: string, trackId: string): VersionedTrack | undefined {
  return ownedTrack(db).get({ trackId, ownerId });
}

/** Returns what was measured on a version; undefined when it was never analysed. */
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

/** Returns the next place in a track's history. Places are never reused, even after a version is deleted. */
export function takeOrder(tx: Db, trackId: string): number {
  const { next } = tx
    .update(tracks)
    .set({ nextVersionOrder: sql`${tracks.nextVersionOrder} + 1` })
    .where(eq(tracks.id, trackId))
    .returning({ next: tracks.nextVersionOrder })
    .get();
  return next - 1;
}

/** Adds a version. */
export function insertVersion(tx: Db, row: typeof versions.$inferInsert): VersionRow {
  return tx.insert(versions).values(row).returning().get();
}

/** Makes a version the one that its track plays. `cid` becomes the track's; pass `""` for a file never analysed. */
export function setActiveVersion(tx: Db, trackId: string, versionId: string, cid: string): void {
  tx.update(tracks).set({ activeVersionId: versionId, cid }).where(eq(tracks.id, trackId)).run();
}

/** Changes a version's name, label or visibility. */
export function updateVersion(
  tx: Db,
  id: string,
  columns: Partial<Pick<VersionRow, "name" | "label" | "visible">>,
): VersionRow {
  return tx.update(versions).set(columns).where(eq(versions.id, id)).returning().get();
}

/** Deletes a version and its measurements. */
export function deleteVersion(tx: Db, id: string): void {
  tx.delete(versions).where(eq(versions.id, id)).run();
}

/** Deletes the suggestions for a track's former audio. */
export function deleteSuggestions(tx: Db, trackId: string): void {
  tx.delete(tagSuggestions).where(eq(tagSuggestions.trackId, trackId)).run();
}
