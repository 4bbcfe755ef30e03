import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, playlists, saves, tracks } from "../../../../db/schema.ts";
import type { SavedEntity } from "./shapes.ts";

/** True when the account owns the track or playlist. */
export function isOwn(db: Db, accountId: LibraryId, entity: SavedEntity, id: string): boolean {
  const table = entity === "track" ? tracks : playlists;
  const found = db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.ownerId, accountId), isNull(table.deletedAt)))
    .get();
  return found !== undefined;
}

/** Saves a track or playlist. Returns false when it was already saved. */
export function insertSave(tx: Db, row: typeof saves.$inferInsert): boolean {
  return tx.insert(saves).values(row).onConflictDoNothing().returning().all().length > 0;
}

export function deleteSave(tx: Db, personId: PersonId, entity: SavedEntity, id: string): void {
  tx.delete(saves)
    .where(and(eq(saves.personId, personId), eq(saves.entity, entity), eq(saves.entityId, id)))
    .run();
}
