import { and, eq } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { tracks } from "../../../db/schema.ts";
import { fold } from "../../kernel/text.ts";
import { addWords, holdsWords, replaceWords } from "./words.ts";

type TrackRow = typeof tracks.$inferInsert;
/** Columns that may be changed. The folded ones follow the name and the title. */
export type TrackColumns = Partial<
  Omit<TrackRow, "seq" | "id" | "ownerId" | "createdAt" | "nameFold" | "titleFold">
>;

/** Adds a track and its words. */
export function insertTrack(tx: Db, row: Omit<TrackRow, "seq" | "nameFold" | "titleFold">): void {
  tx.insert(tracks)
    .values({ ...row, nameFold: fold(row.name), ...foldedTitle(row) })
    .run();
  addWords(tx, row.id);
}

/** Changes columns of a track, and with them the folded ones and the words that text search finds. */
export function updateTrack(tx: Db, trackId: string, columns: TrackColumns): void {
  const nameFold = columns.name === undefined ? {} : { nameFold: fold(columns.name) };
  tx.update(tracks)
    .set({ ...columns, ...nameFold, ...foldedTitle(columns) })
    .where(eq(tracks.id, trackId))
    .run();
  if (holdsWords(columns)) replaceWords(tx, trackId);
}

function foldedTitle({ title }: TrackColumns): { titleFold?: string | null } {
  return title === undefined ? {} : { titleFold: title === null ? null : fold(title) };
}

/** Returns processing tracks to `pending`: all of them, or the one that is named. Other states stay. */
export function stopProcessing(tx: Db, trackId?: string): void {
  const isProcessing = eq(tracks.analysisStatus, "processing");
  tx.update(tracks)
    .set({ analysisStatus: "pending" })
    .where(trackId === undefined ? isProcessing : and(eq(tracks.id, trackId), isProcessing))
    .run();
}

/** Adds a field to those that the owner wrote. */
export function addOwnerField(tx: Db, trackId: string, field: string): void {
  tx.$client
    .query(
      `UPDATE tracks SET owner_fields = json_insert(owner_fields, '$[#]', $field)
       WHERE id = $trackId AND NOT EXISTS (SELECT 1 FROM json_each(owner_fields) WHERE value = $field)`,
    )
    .run({ trackId, field });
}

/** Notes which model a track's suggestions are of; null: it has none. */
export function setSuggestionModel(tx: Db, trackId: string, modelVersion: string | null): void {
  tx.$client.query("UPDATE tracks SET suggestion_model = ? WHERE id = ?").run(modelVersion, trackId);
}

/** Returns the account that owns a track. */
export function findOwnerId(db: Db, trackId: string): string | undefined {
  return db.select({ ownerId: tracks.ownerId }).from(tracks).where(eq(tracks.id, trackId)).get()?.ownerId;
}
