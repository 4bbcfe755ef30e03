import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { MAX_PASSAGES } from "../../../audio/descriptors/passages.ts";

// Statements on passages, the measured ones and those in the virtual table of sqlite-vec. Its own table of ids is read
// where a range of them is asked for, for which it would read every vector.

/** A passage in its stored form: int8. */
export type StoredPassage = { id: number; ownerId: LibraryId; space: number; embedding: Uint8Array };
/** What was measured in every ten seconds of a track. */
export type MeasuredPassages = { seq: number; ownerId: LibraryId; vectors: Uint8Array };

/** Returns the number of a track's passage in the table of all. */
export const idOfPassage = (seq: number, number: number): number => MAX_PASSAGES * seq + number;
/** Returns the track and the place in it of a passage. */
export const placeOf = (id: number): { seq: number; number: number } => {
  const seq = Math.floor(id / MAX_PASSAGES);
  return { seq, number: id - MAX_PASSAGES * seq };
};

/** Writes what was measured in a track's passages. */
export function upsertMeasured({ $client }: Db, trackId: string, version: string, vectors: Uint8Array): void {
  $client
    .query<void, [string, string, Uint8Array]>(
      `INSERT INTO track_passages (track_id, version, vectors) VALUES (?, ?, ?)
       ON CONFLICT (track_id) DO UPDATE SET version = excluded.version, vectors = excluded.vectors`,
    )
    .run(trackId, version, vectors);
}

/** Deletes what was measured in a track's passages. */
export function deleteMeasured({ $client }: Db, trackId: string): void {
  $client.query<void, [string]>("DELETE FROM track_passages WHERE track_id = ?").run(trackId);
}

/** Returns what was measured in the passages of tracks, of one account or of all, in the order of the tracks. */
export function selectMeasured(
  { $client }: Db,
  version: string,
  seqs: readonly number[],
  ownerId: LibraryId | null = null,
): MeasuredPassages[] {
  return $client
    .query<MeasuredPassages, [string, string, LibraryId | null]>(
      `SELECT t.seq, t.owner_id AS ownerId, p.vectors FROM json_each(?1) list
       CROSS JOIN tracks t ON t.seq = list.value CROSS JOIN track_passages p ON p.track_id = t.id
       WHERE p.version = ?2 AND (?3 IS NULL OR t.owner_id = ?3) ORDER BY t.seq`,
    )
    .all(JSON.stringify(seqs), version, ownerId);
}

/** Returns the numbers of a track's passages in the table of all. */
export function selectIdsOf({ $client }: Db, seq: number): number[] {
  return $client
    .query<{ id: number }, [number, number]>(
      "SELECT rowid AS id FROM passage_vectors_rowids WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
    )
    .all(idOfPassage(seq, 0), idOfPassage(seq, MAX_PASSAGES - 1))
    .map(({ id }) => id);
}

const COLUMNS = "v.id, v.owner_id AS ownerId, v.embedding, v.space";

/** Returns stored passages by their numbers, in no order. */
export function selectPassages({ $client }: Db, ids: readonly number[]): StoredPassage[] {
  return $client
    .query<StoredPassage, [string]>(
      `SELECT ${COLUMNS} FROM json_each(?) list CROSS JOIN passage_vectors v ON v.id = list.value`,
    )
    .all(JSON.stringify(ids));
}

/** Adds a passage; there may be none of its number. */
export function insertPassage({ $client }: Db, { id, ownerId, embedding, space }: StoredPassage): void {
  $client
    .query<void, [number, string, Uint8Array, number]>(
      "INSERT INTO passage_vectors (id, owner_id, embedding, space) VALUES (?, ?, vec_int8(?), ?)",
    )
    .run(id, ownerId, embedding, space);
}

/** Deletes a passage, if it is there. */
export function deletePassage({ $client }: Db, id: number): void {
  $client.query<void, [number]>("DELETE FROM passage_vectors WHERE id = ?").run(id);
}

/** Returns the numbers of tracks that have passages in the table of all and do not exist. */
export function selectStray({ $client }: Db): number[] {
  return $client
    .query<{ seq: number }, []>(
      // The shift is that of idOfPassage.
      `SELECT list.seq FROM (SELECT DISTINCT rowid >> 10 AS seq FROM passage_vectors_rowids) list
       LEFT JOIN tracks t ON t.seq = list.seq WHERE t.seq IS NULL ORDER BY list.seq`,
    )
    .all()
    .map(({ seq }) => seq);
}

/** Returns an account's passages that are nearest to a direction, with their cosine distances, 0 to 2, nearest first. */
export function selectNearest(
  { $client }: Db,
  { ownerId, space }: { ownerId: LibraryId; space: number },
  direction: Uint8Array,
  count: number,
): { id: number; distance: number }[] {
  return $client
    .query<{ id: number; distance: number }, [Uint8Array, number, string, number]>(
      `SELECT id, distance FROM passage_vectors
       WHERE embedding MATCH vec_int8(?) AND k = ? AND owner_id = ? AND space = ? ORDER BY distance`,
    )
    .all(direction, count, ownerId, space);
}
