import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

// Statements on sound_vectors, which is a virtual table of sqlite-vec. They are read whole: one that is left open would
// hold its read transaction. A list of tracks comes first in its join, or every vector would be read.

/** A vector of length 1 in its stored form: float32, little-endian. */
export type StoredSound = { seq: number; ownerId: LibraryId; space: number; embedding: Uint8Array };

/** How far the vectors have been made. */
export type FillState = {
  /** Whose vectors are made; null before the first. */
  space: number | null;
  /** Tracks up to this number have theirs; null: all of them. */
  soundSeq: number | null;
  packedAt: number;
};

/** Returns the number of a version of vectors; undefined while none is stored. */
export function findSpace({ $client }: Db, version: string): number | undefined {
  const found = $client.query<{ id: number }, [string]>("SELECT id FROM vector_spaces WHERE version = ?");
  return found.get(version)?.id;
}

/** Returns the number of a version of vectors, a new one where needed. */
export function spaceFor(tx: Db, version: string, dimensions: number): number {
  const known = findSpace(tx, version);
  if (known !== undefined) return known;
  const row = tx.$client
    .query<{ id: number }, [string, number]>(
      "INSERT INTO vector_spaces (version, dimensions) VALUES (?, ?) RETURNING id",
    )
    .get(version, dimensions);
  if (!row) throw new Error(`The version ${version} of vectors was not stored`);
  return row.id;
}

const COLUMNS = "v.seq, v.owner_id AS ownerId, v.space, v.embedding";

/** Returns the stored vectors of tracks, of any account, in no order. */
export function selectStored({ $client }: Db, seqs: readonly number[]): StoredSound[] {
  return $client
    .query<StoredSound, [string]>(
      `SELECT ${COLUMNS} FROM json_each(?) list CROSS JOIN sound_vectors v ON v.seq = list.value`,
    )
    .all(JSON.stringify(seqs));
}

/**
 * The vectors of one version that an account's tracks in a list have. The account is the track's, and the version is looked
 * at only while vectors of others may be left: sqlite-vec takes as long to read either from its table as the vector.
 */
const OWN = `FROM json_each(?1) list CROSS JOIN tracks t ON t.seq = list.value
  CROSS JOIN sound_vectors v ON v.seq = t.seq
  WHERE t.owner_id = ?2 AND (
    EXISTS (SELECT 1 FROM vector_fill f JOIN vector_spaces s ON s.id = f.space
            WHERE s.version = ?3 AND f.sound_seq IS NULL)
    OR v.space = (SELECT id FROM vector_spaces WHERE version = ?3))`;

/** Whose tracks, and which vectors of them. */
export type OwnSounds = { ownerId: LibraryId; version: string; seqs: readonly number[] };

/** Returns the vectors of one version that an account's tracks have, in no order. */
export function selectOwnStored(
  { $client }: Db,
  { ownerId, version, seqs }: OwnSounds,
): { seq: number; embedding: Uint8Array }[] {
  return $client
    .query<{ seq: number; embedding: Uint8Array }, [string, string, string]>(
      `SELECT t.seq, v.embedding ${OWN}`,
    )
    .all(JSON.stringify(seqs), ownerId, version);
}

/**
 * Returns the cosine distances, 0 to 2, from several vectors to those of one version that an account's tracks have: per
 * track its number and, under `d0`, `d1` and so on, the distance from each vector.
 */
export function selectDistances(
  { $client }: Db,
  { ownerId, version, seqs }: OwnSounds,
  embeddings: readonly Uint8Array[],
): ({ seq: number } & Record<`d${number}`, number>)[] {
  const distances = embeddings.map((_, i) => `vec_distance_cosine(v.embedding, ?${i + 4}) AS d${i}`);
  return $client
    .query<{ seq: number } & Record<`d${number}`, number>, (string | Uint8Array)[]>(
      `SELECT ${["t.seq", ...distances].join(", ")} ${OWN}`,
    )
    .all(JSON.stringify(seqs), ownerId, version, ...embeddings);
}

/** Adds a vector; the track may have none yet. */
export function insertSound({ $client }: Db, { seq, ownerId, space, embedding }: StoredSound): void {
  $client
    .query<void, [number, string, Uint8Array, number]>(
      "INSERT INTO sound_vectors (seq, owner_id, embedding, space) VALUES (?, ?, ?, ?)",
    )
    .run(seq, ownerId, embedding, space);
}

/** Replaces a track's vector in its place. The account cannot be changed so. */
export function updateSound({ $client }: Db, { seq, space, embedding }: Omit<StoredSound, "ownerId">): void {
  $client
    .query<void, [Uint8Array, number, number]>(
      "UPDATE sound_vectors SET embedding = ?, space = ? WHERE seq = ?",
    )
    .run(embedding, space, seq);
}

/** Deletes a track's vector, if it has one. */
export function deleteSound({ $client }: Db, seq: number): void {
  $client.query<void, [number]>("DELETE FROM sound_vectors WHERE seq = ?").run(seq);
}

/** Returns vectors without a track, or under another account than their track. Reads no vector. */
export function selectDangling({ $client }: Db): { seq: number; ownerId: LibraryId }[] {
  return $client
    .query<{ seq: number; ownerId: LibraryId }, []>(
      `SELECT v.seq, v.owner_id AS ownerId FROM sound_vectors v LEFT JOIN tracks t ON t.seq = v.seq
       WHERE t.owner_id IS NOT v.owner_id ORDER BY v.seq`,
    )
    .all();
}

/** Returns at most `limit` tracks of all accounts after a number, in the order of their numbers. */
export function selectTracksAfter(
  { $client }: Db,
  after: number,
  limit: number,
): { seq: number; id: string }[] {
  return $client
    .query<{ seq: number; id: string }, [number, number]>(
      "SELECT seq, id FROM tracks WHERE seq > ? ORDER BY seq LIMIT ?",
    )
    .all(after, limit);
}

/** Returns the lowest number of an account's tracks; undefined without any. */
export function firstSeqOf({ $client }: Db, ownerId: LibraryId): number | undefined {
  const row = $client
    .query<{ seq: number | null }, [string]>("SELECT min(seq) AS seq FROM tracks WHERE owner_id = ?")
    .get(ownerId);
  return row?.seq ?? undefined;
}

/** Returns how far the vectors have been made. */
export function readFill({ $client }: Db): FillState {
  const row = $client
    .query<FillState, []>(
      "SELECT space, sound_seq AS soundSeq, packed_at AS packedAt FROM vector_fill WHERE id = 1",
    )
    .get();
  if (!row) throw new Error("The row of vector_fill does not exist");
  return row;
}

/** Notes how far the vectors have been made. */
export function writeFill(tx: Db, change: Partial<FillState>): void {
  const { space, soundSeq, packedAt } = { ...readFill(tx), ...change };
  tx.$client
    .query<void, [number | null, number | null, number]>(
      "UPDATE vector_fill SET space = ?, sound_seq = ?, packed_at = ? WHERE id = 1",
    )
    .run(space, soundSeq, packedAt);
}
