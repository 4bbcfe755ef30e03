import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { HEARD_TAGS, SAME_TAGS_VERSIONS } from "../../../ears/tags.ts";
import { type Sound, soundVector } from "./sound-vector.ts";

const FLOAT_BYTES = 4;

/** A sound made of measurements and of the values heard. */
export type ComposedSound = Sound & { seq: number; ownerId: LibraryId };

type MeasuredRow = {
  seq: number;
  ownerId: LibraryId;
  version: string;
  dimensions: number;
  embedding: Uint8Array;
  heard: Uint8Array | null;
};

/**
 * Makes the vectors of tracks from what was measured and heard in them, of one account or of all, in the order of the
 * tracks. Left out are tracks without a sound: silent ones, and those that were never analysed.
 */
export function composeSounds(
  db: Db,
  seqs: readonly number[],
  ownerId: LibraryId | null = null,
): ComposedSound[] {
  return selectMeasured(db, seqs, ownerId).flatMap((row) => {
    const measured = floatsOf(row.embedding, row.dimensions);
    const heard = row.heard === null ? undefined : heardIn(row.heard);
    const sound = measured && soundVector(row.version, measured, heard);
    return sound ? [{ seq: row.seq, ownerId: row.ownerId, ...sound }] : [];
  });
}

/** Returns the log-odds of the networks' tags, of which every version has the same, from what the ears heard. */
export function heardIn(bytes: Uint8Array): Float32Array | undefined {
  return floatsOf(bytes.subarray(0, FLOAT_BYTES * HEARD_TAGS.length), HEARD_TAGS.length);
}

/** Returns the numbers of a stored vector; undefined for the wrong length. */
export function floatsOf(bytes: Uint8Array, length: number): Float32Array | undefined {
  if (length === 0 || bytes.length !== length * FLOAT_BYTES) return undefined;
  // Copied where the driver's bytes are not aligned to four.
  const { buffer, byteOffset } = bytes.byteOffset % FLOAT_BYTES === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, length);
}

/** Returns a vector in its stored form. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The descriptors that every analysed track has, and what the ears heard in it. */
function selectMeasured({ $client }: Db, seqs: readonly number[], ownerId: LibraryId | null): MeasuredRow[] {
  return $client
    .query<MeasuredRow, { list: string; ownerId: LibraryId | null; ears: string }>(
      `SELECT t.seq, t.owner_id AS ownerId, v.version, v.dimensions, v.embedding, h.embedding AS heard
       FROM json_each($list) list CROSS JOIN tracks t ON t.seq = list.value
       CROSS JOIN track_vectors v ON v.track_id = t.id AND v.provider = 'descriptors'
       LEFT JOIN track_vectors h ON h.track_id = t.id AND h.provider = 'ears' AND h.dimensions > 1
                                  AND h.version IN (SELECT value FROM json_each($ears))
       WHERE $ownerId IS NULL OR t.owner_id = $ownerId
       ORDER BY t.seq`,
    )
    .all({ list: JSON.stringify(seqs), ownerId, ears: JSON.stringify(SAME_TAGS_VERSIONS) });
}
