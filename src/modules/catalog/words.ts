import type { Db } from "../../../db/client.ts";
import type { tracks } from "../../../db/schema.ts";

/** The columns of a track that text search reads. */
const WORDS: readonly (keyof typeof tracks.$inferSelect)[] = [
  "name",
  "title",
  "artist",
  "album",
  "composer",
  "lyrics",
  "notes",
];
const COLUMNS = WORDS.join(", ");

/** True when one of the columns is in the text index. */
export function holdsWords(columns: object): boolean {
  return WORDS.some((column) => column in columns);
}

/** Puts the words of a new track into the text index. */
export function addWords(tx: Db, trackId: string): void {
  tx.$client
    .query(
      `INSERT INTO track_text (rowid, ${COLUMNS}, owner)
       SELECT seq, ${COLUMNS}, hex(owner_id) FROM tracks WHERE id = ?`,
    )
    .run(trackId);
}

/** Writes a track's words anew: the index holds no copy of them and so cannot be updated. */
export function replaceWords(tx: Db, trackId: string): void {
  tx.$client.query("DELETE FROM track_text WHERE rowid = (SELECT seq FROM tracks WHERE id = ?)").run(trackId);
  addWords(tx, trackId);
}
