import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { tracks } from "../../../../db/schema.ts";
import { createOwnWrites } from "../../../../db/writes.ts";
import { fold } from "../../../kernel/text.ts";
import { assignmentsOf } from "./columns.ts";
import { fieldsOf, noteEdits } from "./edits.ts";
import { addWords, holdsWords, replaceWords } from "./words.ts";

type TrackRow = typeof tracks.$inferInsert;
type Folded = "nameFold" | "titleFold" | "artistFold";
/** The columns that may change. The folded columns follow the name, title and artist by themselves. */
export type TrackColumns = Partial<Omit<TrackRow, "seq" | "id" | "ownerId" | "createdAt" | Folded>>;

/** Adds a track, and its words to the text index. */
export function insertTrack(tx: Db, row: Omit<TrackRow, "seq" | Folded>): void {
  tx.insert(tracks)
    .values({ ...row, nameFold: fold(row.name), ...folded(row) })
    .run();
  addWords(tx, row.id);
  noteEdits(tx, row.id, fieldsOf(row.ownerFields ?? []));
}

/**
 * Changes columns of a track, and updates the folded columns and the text index when they depend on them.
 * Columns that are undefined stay as they are; {@link noteEdits} takes those that are sent for changed.
 */
export function updateTrack(tx: Db, trackId: string, columns: TrackColumns): void {
  const nameFold = columns.name === undefined ? {} : { nameFold: fold(columns.name) };
  const { sets, values } = assignmentsOf(tracks, { ...columns, ...nameFold, ...folded(columns) });
  if (sets !== "") tx.$client.query(`UPDATE tracks SET ${sets} WHERE id = ?1`).run(trackId, ...values);
  noteEdits(tx, trackId, fieldsOf(Object.keys(columns)));
  if (holdsWords(columns)) replaceWords(tx, trackId);
  if (columns.analysisStatus === "completed" || columns.analysisStatus === "failed") analysed.report(tx);
}

const trackById = prepared((db) =>
  db
    .select()
    .from(tracks)
    .where(eq(tracks.id, sql.placeholder("id")))
    .prepare(),
);

/** Returns every column of a track without checking its owner; undefined when there is none. */
export function findTrackRow(db: Db, id: string): typeof tracks.$inferSelect | undefined {
  return trackById(db).get({ id });
}

const analysed = createOwnWrites();

/** Calls `listener` when an analysis on this connection has ended, see `OwnWrites`. */
export const onAnalysed = analysed.listen;

function folded({ title, artist }: TrackColumns): Partial<Record<"titleFold" | "artistFold", string | null>> {
  return {
    ...(title !== undefined && { titleFold: title === null ? null : fold(title) }),
    ...(artist !== undefined && { artistFold: artist === null ? null : fold(artist) }),
  };
}

/** Puts a track into the Inbox, or takes it out into the library. Triggers keep lists and totals. */
export function setInInbox(tx: Db, trackId: string, inInbox: boolean): void {
  tx.update(tracks)
    .set({ inInbox })
    .where(and(eq(tracks.id, trackId), ne(tracks.inInbox, inInbox)))
    .run();
}

/** Returns a processing track to `pending`. Other states stay as they are. */
export function stopProcessing(tx: Db, trackId: string): void {
  tx.update(tracks)
    .set({ analysisStatus: "pending" })
    .where(and(eq(tracks.id, trackId), eq(tracks.analysisStatus, "processing")))
    .run();
}

/** Adds a field to the list of fields that the owner wrote. */
export function addOwnerField(tx: Db, trackId: string, field: string): void {
  tx.$client
    .query(
      `UPDATE tracks SET owner_fields = json_insert(owner_fields, '$[#]', $field)
       WHERE id = $trackId AND NOT EXISTS (SELECT 1 FROM json_each(owner_fields) WHERE value = $field)`,
    )
    .run({ trackId, field });
}

/** Takes a field off the list of fields that the owner wrote. */
export function removeOwnerField(tx: Db, trackId: string, field: string): void {
  if (!hasOwnerField(tx, trackId, field)) return;
  tx.$client
    .query(
      `UPDATE tracks SET owner_fields =
         (SELECT json_group_array(value) FROM json_each(owner_fields) WHERE value <> $field)
       WHERE id = $trackId`,
    )
    .run({ trackId, field });
}

/** True when a field is on the list of fields that the owner wrote. */
export function hasOwnerField(db: Db, trackId: string, field: string): boolean {
  const sql = "SELECT 1 FROM tracks t, json_each(t.owner_fields) f WHERE t.id = ? AND f.value = ?";
  return db.$client.query<unknown, [string, string]>(sql).get(trackId, field) !== null;
}

/** Returns the id of the account that owns a track. */
export function findOwnerId(db: Db, trackId: string): string | undefined {
  return db.select({ ownerId: tracks.ownerId }).from(tracks).where(eq(tracks.id, trackId)).get()?.ownerId;
}

/** Changes when a track came into the library. */
export function setCreatedAt(tx: Db, trackId: string, at: number): void {
  tx.update(tracks).set({ createdAt: at }).where(eq(tracks.id, trackId)).run();
}
