import type { Db } from "../../../../db/client.ts";
import { PASSAGE_DIMENSIONS, PASSAGE_VERSION } from "../../../audio/descriptors/passages.ts";
import {
  deleteMeasured,
  deletePassage,
  idOfPassage,
  insertPassage,
  type MeasuredPassages,
  type StoredPassage,
  selectIdsOf,
  selectMeasured,
  selectPassages,
  upsertMeasured,
} from "./passage-queries.ts";
import { spaceFor } from "./queries.ts";

/**
 * Stores what was measured in the passages of a track, none of a short one. Call it in the transaction that stores its
 * measurements.
 */
export function putPassages(tx: Db, trackId: string, { buffer, byteOffset, byteLength }: Int8Array): void {
  upsertMeasured(tx, trackId, PASSAGE_VERSION, new Uint8Array(buffer, byteOffset, byteLength));
  remake(tx, trackId);
}

/** Deletes what was measured in the passages of a track. */
export function dropPassages(tx: Db, trackId: string): void {
  deleteMeasured(tx, trackId);
  remake(tx, trackId);
}

function remake(tx: Db, trackId: string): void {
  const track = tx.$client
    .query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?")
    .get(trackId);
  if (!track) return;
  deletePassagesOf(tx, track.seq);
  fillPassages(tx, [track.seq]);
}

/** Takes a track's passages out of the table of all. */
export function deletePassagesOf(tx: Db, seq: number): void {
  for (const id of selectIdsOf(tx, seq)) deletePassage(tx, id);
}

/** Adds the passages of tracks to the table of all, where those that it has are not as many as were measured. */
export function fillPassages(tx: Db, seqs: readonly number[]): void {
  const wanted = wantedOf(tx, seqs);
  for (const seq of seqs) {
    const passages = wanted.get(seq) ?? [];
    const ids = selectIdsOf(tx, seq);
    if (ids.length === passages.length && passages.every(({ id }, i) => id === ids[i])) continue;
    deletePassagesOf(tx, seq);
    for (const passage of passages) insertPassage(tx, passage);
  }
}

/** Returns, by tracks, the rows that the table of all should have. */
function wantedOf(tx: Db, seqs: readonly number[]): Map<number, StoredPassage[]> {
  const space = spaceFor(tx, PASSAGE_VERSION, PASSAGE_DIMENSIONS);
  return new Map(
    selectMeasured(tx, PASSAGE_VERSION, seqs).map((measured) => [measured.seq, rowsOf(measured, space)]),
  );
}

function rowsOf({ seq, ownerId, vectors }: MeasuredPassages, space: number): StoredPassage[] {
  const rows: StoredPassage[] = [];
  for (let number = 0; number * PASSAGE_DIMENSIONS < vectors.length; number++) {
    const embedding = vectors.subarray(number * PASSAGE_DIMENSIONS, (number + 1) * PASSAGE_DIMENSIONS);
    if (embedding.some((value) => value !== 0))
      rows.push({ id: idOfPassage(seq, number), ownerId, space, embedding });
  }
  return rows;
}

/** Takes a passage out of its place and adds it again. */
export function movePassage(tx: Db, id: number): void {
  const [row] = selectPassages(tx, [id]);
  if (!row) return;
  deletePassage(tx, id);
  insertPassage(tx, row);
}

/** What the table of all lacks of a track, or has and should not have; undefined when it is right. */
export type PassageFault = "missing" | "damaged";

/** Compares the table of all with what was measured in tracks. Returns the tracks for which they differ. */
export function faultsOfPassages(db: Db, seqs: readonly number[], space: number): Map<number, PassageFault> {
  const faults = new Map<number, PassageFault>();
  const measured = new Map(selectMeasured(db, PASSAGE_VERSION, seqs).map((each) => [each.seq, each]));
  for (const seq of seqs) {
    const each = measured.get(seq);
    const wanted = each ? rowsOf(each, space) : [];
    const stored = new Map(selectPassages(db, selectIdsOf(db, seq)).map((row) => [row.id, row]));
    if (wanted.some(({ id }) => !stored.has(id))) faults.set(seq, "missing");
    else if (stored.size !== wanted.length || !wanted.every((row) => isSame(row, stored.get(row.id))))
      faults.set(seq, "damaged");
  }
  return faults;
}

const isSame = (one: StoredPassage, other: StoredPassage | undefined) =>
  other !== undefined &&
  one.ownerId === other.ownerId &&
  one.space === other.space &&
  Buffer.compare(one.embedding, other.embedding) === 0;
