import { type Db, prepared } from "../../../../db/client.ts";
import type { PersonId, tracks } from "../../../../db/schema.ts";
import { currentEdit } from "../../../kernel/current-request.ts";

/** The columns of a track that people change, by the names that the API gives them. */
const FIELDS: Partial<Record<keyof typeof tracks.$inferSelect, string>> = {
  name: "name",
  title: "title",
  artist: "artist",
  bpm: "bpm",
  key: "key",
  album: "album",
  albumArtist: "album_artist",
  composer: "composer",
  albumComposer: "album_composer",
  year: "year",
  albumYear: "album_year",
  isrc: "isrc",
  trackGenre: "trackGenre",
  trackNumber: "track_number",
  discNumber: "disc_number",
  totalTracksAlbum: "total_tracks_album",
  totalDiscsAlbum: "total_discs_album",
  recordLabel: "recordLabel",
  language: "language",
  cover: "cover",
  notes: "notes",
  lyrics: "lyrics",
  activeVersionId: "activeVersionId",
};

/** The field of a track's shareholders. */
export const SPLITS_FIELD = "shareholders";

/** Returns the fields that a change of columns changes. */
export function fieldsOf(columns: readonly string[]): string[] {
  return columns.flatMap((column) => FIELDS[column as keyof typeof FIELDS] ?? []);
}

const put = prepared((db) =>
  db.$client.prepare<void, [string, string, string | null, string | null, number]>(
    `INSERT INTO track_edits (track_id, field, person_id, key_id, at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (track_id, field) DO UPDATE SET person_id = ?3, key_id = ?4, at = ?5`,
  ),
);

const forget = prepared((db) =>
  db.$client.prepare<void, [string, string]>(
    "DELETE FROM track_edits WHERE track_id = ?1 AND field IN (SELECT value FROM json_each(?2))",
  ),
);

/**
 * Notes that fields of a track were changed, and by whom. What a job or a command changes is nobody's. Call it in the transaction of
 * the change.
 */
export function noteEdits(tx: Db, trackId: string, fields: readonly string[]): void {
  if (fields.length === 0) return;
  const edit = currentEdit();
  if (!edit) forget(tx).run(trackId, JSON.stringify(fields));
  else for (const field of fields) put(tx).run(trackId, field, edit.personId, edit.keyId, edit.at);
}

/** Who changed a field of a track last. */
export type TrackEdit = { field: string; personId: PersonId | null; at: number };

const ofTrack = prepared((db) =>
  db.$client.prepare<TrackEdit, [string]>(
    "SELECT field, person_id AS personId, at FROM track_edits WHERE track_id = ?1 ORDER BY at DESC, field",
  ),
);

/** Returns the last edit of each field of a track, newest first. The caller must be allowed to see the track. */
export function listEdits(db: Db, trackId: string): TrackEdit[] {
  return ofTrack(db).all(trackId);
}

/** Returns the last edit of a field of a track. */
export function findEdit(db: Db, trackId: string, field: string): TrackEdit | undefined {
  return listEdits(db, trackId).find((edit) => edit.field === field);
}
