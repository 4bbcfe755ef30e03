import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../../../db/client.ts";
import type { ExcerptPart, ExcerptPlace } from "../../../audio/fingerprint/excerpt.ts";
import type { Ask } from "./ask.ts";
import { listStored } from "./queries.ts";
import type { Found } from "./task.ts";

/** A recording that a sound is a part of, or has a part of. */
export type Excerpt = {
  recordingId: number;
  /** The part of the recording, and where it is in the sound; seconds. */
  excerpt: { from: number; to: number };
  at: { from: number; to: number };
  /** How much later the same moment comes in the recording, seconds. */
  offsetSec: number;
  bitErrorRate: number;
};

/** A few milliseconds of reading on the event loop, and half a megabyte to a thread. */
const BATCH = 64;
/** Places whose offsets are as near are of one excerpt: sounds may be a little fast or slow. */
const NEAR_SEC = 0.3;
const MOST_DRIFT = 0.003;

/** Of a long sound, so many parts are looked for at first. */
const FEW_PARTS = 3;

type Search = { parts: readonly ExcerptPart[]; among: readonly number[] };

/**
 * Looks for parts of a sound in recordings, in a thread.
 *
 * @returns What it is an excerpt of, the surest first; several for copies and mixes of one song.
 */
export async function findExcerpts(db: Db, { parts, among }: Search, ask: Ask): Promise<Excerpt[]> {
  if (parts.length <= FEW_PARTS) return findAll(db, { parts, among }, ask);
  const few = parts.filter((_, at) => at % Math.ceil(parts.length / FEW_PARTS) === 1);
  const found = await findAll(db, { parts: few, among }, ask);
  return findAll(
    db,
    { parts, among: found.length > 0 ? found.map(({ recordingId }) => recordingId) : among },
    ask,
  );
}

async function findAll(db: Db, { parts, among }: Search, ask: Ask): Promise<Excerpt[]> {
  const all: Excerpt[] = [];
  for (let first = 0; first < among.length; first += BATCH) {
    const recordings = listStored(db, among.slice(first, first + BATCH));
    const found = await ask<Found[]>({ kind: "find", parts, recordings });
    all.push(...found.flatMap((each) => excerptOf(each) ?? []));
    await nextTurn();
  }
  return all.sort((one, other) => one.bitErrorRate - other.bitErrorRate);
}

/** Joins the places that are of one excerpt with the surest; undefined when that may be chance. */
function excerptOf({ recordingId, places }: Found): Excerpt | undefined {
  const surest = places.reduce((best, place) => (place.bitErrorRate < best.bitErrorRate ? place : best));
  if (!surest.isSure) return undefined;
  const along = places.filter((place) => isNear(place, surest));
  const [from, to] = [
    Math.min(...along.map(({ fromSec }) => fromSec)),
    Math.max(...along.map(({ toSec }) => toSec)),
  ];
  const { offsetSec, bitErrorRate } = surest;
  return {
    recordingId,
    excerpt: { from: Math.max(0, from + offsetSec), to: to + offsetSec },
    at: { from, to },
    ...{ offsetSec, bitErrorRate },
  };
}

const isNear = (place: ExcerptPlace, { fromSec, offsetSec }: ExcerptPlace) =>
  Math.abs(place.offsetSec - offsetSec) <= NEAR_SEC + MOST_DRIFT * Math.abs(place.fromSec - fromSec);
