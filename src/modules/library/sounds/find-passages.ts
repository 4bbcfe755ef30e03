import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { PASSAGE_DIMENSIONS, PASSAGE_SEC, PASSAGE_VERSION } from "../../../audio/descriptors/passages.ts";
import { placeOf, selectMeasured, selectNearest } from "./passage-queries.ts";
import { findSpace } from "./queries.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** A part of a sound, in seconds. */
export type Span = { fromSec: number; toSec: number };
/** What passages are compared with: PASSAGE_DIMENSIONS numbers; only their direction counts. */
export type PassageTarget = Float32Array;
/** The part of a track that is most like a target; `likeness` is 0 to 1. */
type LikestPassage = Span & { likeness: number };

/** More passages than this in a row are looked for as if they were as many. */
const MOST_IN_A_ROW = 6;

/** Returns how many passages in a row a span of so many seconds is compared with. */
export function passagesIn({ fromSec, toSec }: Span): number {
  return Math.min(MOST_IN_A_ROW, Math.max(1, Math.round((toSec - fromSec) / PASSAGE_SEC)));
}

/**
 * Returns the part of each track, of `count` passages in a row, that is most like a target, by the numbers of the tracks.
 * Tracks without passages are left out.
 */
export function likestPassages(
  db: Db,
  ownerId: LibraryId,
  target: PassageTarget,
  count: number,
  seqs: readonly number[],
): Map<number, LikestPassage> {
  const likest = new Map<number, LikestPassage>();
  for (const { seq, vectors } of selectMeasured(db, PASSAGE_VERSION, seqs, ownerId)) {
    const found = likestIn(cosinesOf(vectors, target), count);
    if (found) likest.set(seq, found);
  }
  return likest;
}

/** Passages without sound are like nothing. */
function likestIn(cosines: readonly number[], count: number): LikestPassage | undefined {
  const width = Math.min(count, cosines.length);
  let best: LikestPassage | undefined;
  for (let first = 0; width > 0 && first + width <= cosines.length; first++) {
    const likeness = cosines.slice(first, first + width).reduce((sum, each) => sum + each, 0) / width;
    if (likeness > (best?.likeness ?? 0))
      best = { fromSec: first * PASSAGE_SEC, toSec: (first + width) * PASSAGE_SEC, likeness };
  }
  return best;
}

function cosinesOf(vectors: Uint8Array, target: PassageTarget): number[] {
  const numbers = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const length = Math.sqrt(target.reduce((sum, value) => sum + value ** 2, 0));
  return Array.from({ length: numbers.length / PASSAGE_DIMENSIONS }, (_, passage) => {
    let [dot, squares] = [0, 0];
    for (let i = 0; i < PASSAGE_DIMENSIONS; i++) {
      const value = numbers[passage * PASSAGE_DIMENSIONS + i] as number;
      dot += value * (target[i] as number);
      squares += value ** 2;
    }
    return squares === 0 ? 0 : dot / (Math.sqrt(squares) * length);
  });
}

/**
 * Returns what a part of a track sounds like, of its passages as far as they lie in it; undefined where none of them does,
 * or none is known.
 */
export function passageTarget(
  db: Db,
  ownerId: LibraryId,
  seq: number,
  { fromSec, toSec }: Span,
): PassageTarget | undefined {
  const [measured] = selectMeasured(db, PASSAGE_VERSION, [seq], ownerId);
  if (!measured) return undefined;
  const { buffer, byteOffset, byteLength } = measured.vectors;
  const numbers = new Int8Array(buffer, byteOffset, byteLength);
  const sum = new Float32Array(PASSAGE_DIMENSIONS);
  for (let passage = 0; passage * PASSAGE_DIMENSIONS < numbers.length; passage++) {
    const from = passage * PASSAGE_SEC;
    const shared = Math.min(toSec, from + PASSAGE_SEC) - Math.max(fromSec, from);
    if (shared <= 0) continue;
    for (let i = 0; i < PASSAGE_DIMENSIONS; i++)
      sum[i] = (sum[i] as number) + shared * (numbers[passage * PASSAGE_DIMENSIONS + i] as number);
  }
  return sum.some((value) => value !== 0) ? sum : undefined;
}

/** Passages of an account that are near to a target, at first and where their tracks are too few. */
const [AT_FIRST, AT_MOST] = [64, 512];

/**
 * Returns an account's tracks with passages that are among the nearest to a target, with the largest cosine of each, and
 * the cosine that all others stay below; sqlite-vec finds them. `isEnough` looks at the tracks found first.
 */
export function tracksNear(
  db: Db,
  ownerId: LibraryId,
  target: PassageTarget,
  isEnough: (seqs: readonly number[]) => boolean,
): { cosines: Map<number, number>; others: number } {
  const space = findSpace(db, PASSAGE_VERSION);
  const cosines = new Map<number, number>();
  if (space === undefined) return { cosines, others: 0 };
  const direction = directionOf(target);
  let asked = AT_FIRST;
  let nearest = selectNearest(db, { ownerId, space }, direction, asked);
  if (nearest.length === asked && !isEnough([...new Set(nearest.map(({ id }) => placeOf(id).seq))])) {
    asked = AT_MOST;
    nearest = selectNearest(db, { ownerId, space }, direction, asked);
  }
  for (const { id, distance } of nearest) {
    const { seq } = placeOf(id);
    cosines.set(seq, Math.max(1 - distance, cosines.get(seq) ?? -1));
  }
  const last = nearest.at(-1);
  return { cosines, others: last && nearest.length === asked ? Math.max(0, 1 - last.distance) : 0 };
}

/** Returns a target in the form that stored passages have: as large as it may be, since only its direction counts. */
function directionOf(target: PassageTarget): Uint8Array {
  const largest = Math.max(...target.map(Math.abs));
  return new Uint8Array(Int8Array.from(target, (value) => Math.round((value * 127) / largest)).buffer);
}
