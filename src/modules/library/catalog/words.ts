import type { Db } from "../../../../db/client.ts";
import type { LibraryId, tracks } from "../../../../db/schema.ts";

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

/** True when the text index holds one of the columns. */
export function holdsWords(columns: object): boolean {
  return WORDS.some((column) => column in columns);
}

/** Adds the words of a new track to the text index. */
export function addWords(tx: Db, trackId: string): void {
  tx.$client
    .query(
      `INSERT INTO track_text (rowid, ${COLUMNS}, owner)
       SELECT seq, ${COLUMNS}, hex(owner_id) FROM tracks WHERE id = ?`,
    )
    .run(trackId);
}

/** Adds the words of all tracks of an account that has none in the text index. */
export function addWordsOf(tx: Db, ownerId: LibraryId): void {
  tx.$client
    .query(
      `INSERT INTO track_text (rowid, ${COLUMNS}, owner)
       SELECT seq, ${COLUMNS}, hex(owner_id) FROM tracks WHERE owner_id = ?`,
    )
    .run(ownerId);
}

/** Rewrites a track's words in the text index, which stores no copy of them and so cannot be updated. */
export function replaceWords(tx: Db, trackId: string): void {
  tx.$client.query("DELETE FROM track_text WHERE rowid = (SELECT seq FROM tracks WHERE id = ?)").run(trackId);
  addWords(tx, trackId);
}

/** Rewrites the text indices, which keep the words of deleted rows until then. */
export function dropDeletedWords({ $client }: Db): void {
  $client.run("INSERT INTO track_text (track_text) VALUES ('optimize')");
  $client.run("INSERT INTO library_words (library_words) VALUES ('optimize')");
}
