import { and, eq, gte, notExists, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { tracks, versions } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import { meter } from "../../../kernel/meter.ts";
import { assignmentsOf } from "./columns.ts";
import { noteEdits } from "./edits.ts";

export type VersionRow = typeof versions.$inferSelect;

const byId = prepared((db) =>
  db
    .select()
    .from(versions)
    .where(
      and(
        eq(versions.id, sql.placeholder("id")),
        sql`NOT EXISTS (SELECT 1 FROM tracks t WHERE t.id = ${versions.trackId} AND t.deleted_at IS NOT NULL)`,
      ),
    )
    .prepare(),
);

/** Returns a version without checking its owner, unless its track is in the bin. Call it only when the caller's right to it is already proven. */
export function findVersion(db: Db, id: string): VersionRow | undefined {
  return byId(db).get({ id });
}

/** Returns the next place in a track's history. Places are never reused, even after a version is deleted. */
export function takeVersionOrder(tx: Db, trackId: string): number {
  const { next } = tx
    .update(tracks)
    .set({ nextVersionOrder: sql`${tracks.nextVersionOrder} + 1` })
    .where(eq(tracks.id, trackId))
    .returning({ next: tracks.nextVersionOrder })
    .get();
  return next - 1;
}

/** Gives back the numbers of versions from one on, unless a version has one of them. */
export function giveBackVersionOrders(tx: Db, trackId: string, from: number): void {
  const taken = tx
    .select({ id: versions.id })
    .from(versions)
    .where(and(eq(versions.trackId, trackId), gte(versions.versionOrder, from)));
  tx.update(tracks)
    .set({ nextVersionOrder: from })
    .where(and(eq(tracks.id, trackId), notExists(taken)))
    .run();
}

/** Adds a version. */
export function insertVersion(tx: Db, row: typeof versions.$inferInsert): VersionRow {
  meter(tx, { kind: "upload", bytes: row.sizeBytes });
  return tx
    .insert(versions)
    .values({ madeBy: currentPerson(), ...row })
    .returning()
    .get();
}

type VersionColumns = Partial<Pick<VersionRow, "name" | "label" | "visible" | "analysedAt">>;

/** Changes a version; returns false when it was deleted meanwhile. */
export function updateVersion(tx: Db, id: string, columns: VersionColumns): boolean {
  const { sets, values } = assignmentsOf(versions, columns);
  const isThere =
    tx.$client.query(`UPDATE versions SET ${sets} WHERE id = ?1`).run(id, ...values).changes > 0;
  noteVersionEdits(tx, id, Object.keys(columns));
  return isThere;
}

const trackOfVersion = prepared((db) =>
  db.$client.prepare<{ trackId: string; isActive: 0 | 1 }, [string]>(
    `SELECT v.track_id AS trackId, t.active_version_id = v.id AS isActive
     FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = ?1`,
  ),
);

/** Notes an edit of a version's columns: a track is visible when the version that it plays is. */
export function noteVersionEdits(tx: Db, versionId: string, columns: readonly string[]): void {
  const edited = columns.filter((column) => ["name", "label", "visible"].includes(column));
  const version = edited.length > 0 ? trackOfVersion(tx).get(versionId) : null;
  if (!version) return;
  const fieldOf = (column: string) =>
    column === "visible" && version.isActive === 1 ? "visible" : "versions";
  noteEdits(tx, version.trackId, [...new Set(edited.map(fieldOf))]);
}

/** Deletes a version and its measurements. */
export function deleteVersion(tx: Db, id: string): void {
  tx.delete(versions).where(eq(versions.id, id)).run();
}
