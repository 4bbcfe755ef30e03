import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";
import { alignFingerprints, alignMixes } from "../../../audio/fingerprint/fingerprint-match.ts";
import * as queries from "./queries.ts";
import type { NewRecording } from "./recording.ts";
import { sketchKeys } from "./sketch.ts";

/**
 * How much two recordings may differ and still be the same mix: the limit for bits alone, for balance alone, and in
 * proportion for both together. Copies of one recording (other codec, other gain, a second cut off) stay below it;
 * other mixes of a song exceed it (docs/decisions/0012-recordings.md).
 */
const MAX_BIT_ERROR_RATE = 0.3;
const MAX_DEVIATION_DB = 0.4;
/**
 * How many bits two mixes of one song may differ in: those that lack a stem or balance it otherwise differ in up to 0.33, other
 * songs in 0.40 and more (docs/decisions/0065-names-of-bounces.md).
 */
const MAX_MIX_ERROR_RATE = 0.36;
/** An excerpt of less than half does not count as a copy. */
const MIN_OVERLAP = 0.5;
/** The most recordings that one is compared with for what they share, and for being as long. */
const MAX_COMPARED = 32;
/** Of those that came just before or after it: what belongs together often comes together. */
const MAX_NEIGHBOURS = 12;

/**
 * Stores the recording found in a version's file, and finds the account's other recordings of the same mix. Call it in
 * the transaction that stores the analysis. Only the look-up of 256 keys and of a length grows with the library.
 */
export function storeRecording(
  tx: Db,
  version: { ownerId: LibraryId; versionId: string },
  recording: NewRecording,
): void {
  const { ownerId, versionId } = version;
  const recordingId = queries.putRecording(tx, ownerId, recording);
  queries.setRecordingOf(tx, versionId, recordingId);
  pairUp(tx, ownerId, recordingId);
}

/** Writes the keys of a recording for its owner, and finds the owner's other recordings of the same mix. */
export function pairUp(tx: Db, ownerId: LibraryId, recordingId: number): void {
  const own = queries.findFingerprint(tx, recordingId);
  if (!own) return;
  const keys = sketchKeys(ownerId, own.codes);
  queries.replaceKeys(tx, recordingId, keys);
  const sharing = queries.listCandidates(tx, { ownerId, recordingId, keys }, MAX_COMPARED);
  const asLong = queries.listAsLong(tx, { ownerId, recordingId, codes: own.codes.length }, MAX_COMPARED);
  for (const other of new Set([...sharing, ...asLong])) {
    const fingerprint = queries.findFingerprint(tx, other);
    const likeness = fingerprint && likenessOf(own, fingerprint);
    if (likeness) queries.putPair(tx, recordingId, other, likeness);
  }
}

/** How alike two recordings of one song are, 0 to 1. */
export type Likeness = { similarity: number; isSameMix: boolean };

/** Compares two recordings; undefined for different songs, and for two performances of one. */
export function likenessOf(one: Fingerprint, other: Fingerprint): Likeness | undefined {
  const copied = alignFingerprints(one, other);
  const isNear = copied !== undefined && copied.bitErrorRate <= MAX_MIX_ERROR_RATE;
  const alignment = isNear ? copied : alignMixes(one, other);
  if (!alignment || alignment.overlap < MIN_OVERLAP) return undefined;
  const { bitErrorRate, deviationDb } = alignment;
  const difference = bitErrorRate / MAX_BIT_ERROR_RATE + deviationDb / MAX_DEVIATION_DB;
  if (difference > 1 && bitErrorRate > MAX_MIX_ERROR_RATE) return undefined;
  return { similarity: 1 - 2 * bitErrorRate, isSameMix: difference <= 1 };
}

/** Returns an account's track that has the recording of a sound that is not in the library. */
export function sameRecording(db: Db, ownerId: LibraryId, sound: Fingerprint): string | undefined {
  const keys = sketchKeys(ownerId, sound.codes);
  for (const recordingId of queries.listCandidates(db, { ownerId, recordingId: NONE, keys }, MAX_COMPARED)) {
    const fingerprint = queries.findFingerprint(db, recordingId);
    const isSame = fingerprint && likenessOf(sound, fingerprint)?.isSameMix;
    const trackId = isSame ? queries.trackWith(db, ownerId, recordingId) : undefined;
    if (trackId !== undefined) return trackId;
  }
  return undefined;
}

/** The number of no recording. */
const NONE = -1;

/** Returns the fingerprint of a recording. */
export const fingerprintOf = (db: Db, recordingId: number): Fingerprint | undefined =>
  queries.findFingerprint(db, recordingId);

/**
 * Returns the recordings of an account that may have something of a recording in them, or be in it: those that share keys with it,
 * are as long, or came last.
 */
export function kindredRecordings(db: Db, ownerId: LibraryId, recordingId: number): number[] {
  const own = queries.findFingerprint(db, recordingId);
  if (!own) return [];
  const keys = sketchKeys(ownerId, own.codes);
  return [
    ...new Set([
      ...queries.listCandidates(db, { ownerId, recordingId, keys }, MAX_COMPARED),
      ...queries.listAsLong(db, { ownerId, recordingId, codes: own.codes.length }, MAX_COMPARED),
      ...queries.listNeighbours(db, { ownerId, recordingId }, MAX_NEIGHBOURS),
    ]),
  ];
}
