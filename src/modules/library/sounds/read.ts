import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { bytesOf, type ComposedSound, composeSounds, floatsOf } from "./compose.ts";
import { type OwnSounds, selectDistances, selectOwnStored } from "./queries.ts";
import { SOUND_DIMENSIONS, SOUND_VERSION, type Sound } from "./sound-vector.ts";

/**
 * Returns the sounds of an account's tracks by their numbers. They are read from the table of vectors; those that it does
 * not have yet, or has in another version, are made of what was measured.
 */
export function soundsOf(db: Db, ownerId: LibraryId, seqs: readonly number[]): Map<number, Sound> {
  const sounds = new Map<number, Sound>();
  for (const { seq, embedding } of selectOwnStored(db, { ownerId, version: SOUND_VERSION, seqs })) {
    const unit = floatsOf(embedding, SOUND_DIMENSIONS);
    if (unit) sounds.set(seq, { version: SOUND_VERSION, unit });
  }
  for (const { seq, version, unit } of composeSounds(db, missingIn(sounds, seqs), ownerId))
    sounds.set(seq, { version, unit });
  return sounds;
}

/** Vectors per statement: each number of them is a statement of its own. */
const TARGETS_AT_ONCE = 8;

/**
 * Returns the cosine distances, 0 to 2, from each of several vectors of length 1 to the sounds of an account's tracks, by
 * the numbers of the tracks. sqlite-vec computes them; only what its table does not have is computed here. A track whose
 * sound has another version than a vector has no distance from it.
 */
export function distancesTo(
  db: Db,
  ownerId: LibraryId,
  targets: readonly Sound[],
  seqs: readonly number[],
): Map<number, number>[] {
  const measured = targets.map((target) => ({ target, distances: new Map<number, number>() }));
  const stored = measured.filter(({ target }) => isStored(target));
  for (let from = 0; from < stored.length; from += TARGETS_AT_ONCE)
    measureStored(db, { ownerId, version: SOUND_VERSION, seqs }, stored.slice(from, from + TARGETS_AT_ONCE));
  const isComplete = stored.length === measured.length;
  const missing = isComplete ? missingIn(measured[0]?.distances ?? new Map(), seqs) : seqs;
  for (const sound of composeSounds(db, missing, ownerId)) measureComposed(sound, measured);
  return measured.map(({ distances }) => distances);
}

type Measured = { target: Sound; distances: Map<number, number> };

function measureStored(db: Db, own: OwnSounds, measured: readonly Measured[]): void {
  const embeddings = measured.map(({ target }) => bytesOf(target.unit));
  for (const row of selectDistances(db, own, embeddings))
    for (const [i, { distances }] of measured.entries()) distances.set(row.seq, row[`d${i}`] as number);
}

function measureComposed(sound: ComposedSound, measured: readonly Measured[]): void {
  for (const { target, distances } of measured)
    if (isComparable(sound, target) && !distances.has(sound.seq))
      distances.set(sound.seq, 1 - cosineOf(sound.unit, target.unit));
}

const isStored = ({ version, unit }: Sound) => version === SOUND_VERSION && unit.length === SOUND_DIMENSIONS;
const isComparable = (one: Sound, other: Sound) =>
  one.version === other.version && one.unit.length === other.unit.length;

function missingIn(found: ReadonlyMap<number, unknown>, seqs: readonly number[]): readonly number[] {
  return found.size === 0 ? seqs : seqs.filter((seq) => !found.has(seq));
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
