import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { selectChunks, selectIdsIn } from "./chunks.ts";
import { bytesOf, composeSounds } from "./compose.ts";
import { deletePassage } from "./passage-queries.ts";
import { deletePassagesOf, fillPassages } from "./passages.ts";
import {
  deleteSound,
  insertSound,
  type StoredSound,
  selectStored,
  spaceFor,
  updateSound,
} from "./queries.ts";
import { SOUND_DIMENSIONS, SOUND_VERSION } from "./sound-vector.ts";

/**
 * Makes the stored vectors of tracks what was measured and heard in them. A track without a sound, or with measurements of
 * a version that this program does not know, has none. Call it in the transaction that changes `track_vectors`.
 */
export function putSounds(tx: Db, seqs: readonly number[]): void {
  if (seqs.length === 0) return;
  const composed = composeSounds(tx, seqs).filter(({ version }) => version === SOUND_VERSION);
  const wanted = new Map(composed.map((sound) => [sound.seq, sound]));
  const stored = new Map(selectStored(tx, seqs).map((row) => [row.seq, row]));
  const space = spaceFor(tx, SOUND_VERSION, SOUND_DIMENSIONS);
  for (const seq of seqs) {
    const sound = wanted.get(seq);
    const row = sound && { seq, ownerId: sound.ownerId, space, embedding: bytesOf(sound.unit) };
    put(tx, seq, stored.get(seq), row);
  }
}

/** The table takes no INSERT OR REPLACE, and an account's vector cannot be given to another in its place. */
function put(tx: Db, seq: number, before: StoredSound | undefined, after: StoredSound | undefined): void {
  if (before && after && isSame(before, after)) return;
  if (before && after && before.ownerId === after.ownerId) updateSound(tx, after);
  else {
    if (before) deleteSound(tx, seq);
    if (after) insertSound(tx, after);
  }
}

const isSame = (one: StoredSound, other: StoredSound) =>
  one.ownerId === other.ownerId &&
  one.space === other.space &&
  Buffer.compare(one.embedding, other.embedding) === 0;

/** Makes the stored vector of a track what was measured and heard in it, see {@link putSounds}. */
export function putSound(tx: Db, trackId: string): void {
  const track = tx.$client
    .query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?")
    .get(trackId);
  if (track) putSounds(tx, [track.seq]);
}

/** Deletes the vectors of a track and of its passages. Call it in the transaction that deletes the track. */
export function dropSound(tx: Db, seq: number): void {
  deleteSound(tx, seq);
  deletePassagesOf(tx, seq);
}

/** Deletes the vectors of an account that still has some, although its tracks are gone. */
export function dropSoundsOf(tx: Db, ownerId: LibraryId): void {
  for (const [table, drop] of [
    ["sound_vectors", deleteSound],
    ["passage_vectors", deletePassage],
  ] as const)
    for (const chunk of selectChunks(tx, table))
      if (chunk.ownerId === ownerId) for (const id of selectIdsIn(tx, table, chunk.id)) drop(tx, id);
}

/** Gives the vectors of a track, and of its passages, to another account, under the number that the track has there. */
export function giveSound(tx: Db, from: number, to: Pick<StoredSound, "seq" | "ownerId">): void {
  moveSound(tx, from, to);
  deletePassagesOf(tx, from);
  fillPassages(tx, [to.seq]);
}

/**
 * Takes the vector of a track out of its place and adds it again: under the track's new number, for another account, or as
 * it was.
 */
export function moveSound(
  tx: Db,
  from: number,
  to: Partial<Pick<StoredSound, "seq" | "ownerId">> = {},
): void {
  const [row] = selectStored(tx, [from]);
  if (!row) return;
  deleteSound(tx, from);
  insertSound(tx, { ...row, ...to });
}
