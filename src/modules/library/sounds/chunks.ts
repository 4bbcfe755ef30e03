import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

// sqlite-vec keeps the rows of a table in chunks, a table of its own. It offers no other way to learn where rows lie.

/** The tables of vectors. */
export const VECTOR_TABLES = ["sound_vectors", "passage_vectors"] as const;
export type VectorTable = (typeof VECTOR_TABLES)[number];

/** Recreates a table of vectors, empty, even where its own tables are damaged. */
export function recreateTable({ $client }: Db, table: VectorTable): void {
  const row = $client
    .query<{ sql: string }, [string]>("SELECT sql FROM sqlite_master WHERE name = ?")
    .get(table);
  if (!row) throw new Error(`There is no table ${table}`);
  $client.run(`DROP TABLE ${table}`);
  $client.run(row.sql);
}

/** Vectors that lie together: `rows` of `size` places are in use. */
export type Chunk = { id: number; ownerId: LibraryId; size: number; rows: number };

/** Returns the chunks of all accounts, the oldest first. New vectors of an account go into its newest one. */
export function selectChunks({ $client }: Db, table: VectorTable): Chunk[] {
  return $client
    .query<Omit<Chunk, "rows"> & { validity: Uint8Array }, []>(
      `SELECT chunk_id AS id, partition00 AS ownerId, size, validity FROM ${table}_chunks ORDER BY chunk_id`,
    )
    .all()
    .map(({ validity, ...chunk }) => ({ ...chunk, rows: countBits(validity) }));
}

/** Returns the numbers of the rows in a chunk. */
export function selectIdsIn({ $client }: Db, table: VectorTable, chunkId: number): number[] {
  const row = $client
    .query<{ size: number; validity: Uint8Array; rowids: Uint8Array }, [number]>(
      `SELECT size, validity, rowids FROM ${table}_chunks WHERE chunk_id = ?`,
    )
    .get(chunkId);
  if (!row) return [];
  const rowids = new DataView(row.rowids.buffer, row.rowids.byteOffset, row.rowids.byteLength);
  const ids: number[] = [];
  for (let place = 0; place < row.size; place++)
    if (((row.validity[place >> 3] ?? 0) >> (place & 7)) & 1)
      ids.push(Number(rowids.getBigInt64(place * BigInt64Array.BYTES_PER_ELEMENT, true)));
  return ids;
}

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
