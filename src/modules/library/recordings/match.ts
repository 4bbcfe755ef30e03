import type { Db } from "../../../../db/client.ts";
import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";
import { alignFingerprints } from "../../../audio/fingerprint/fingerprint-match.ts";
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
/** An excerpt of less than half does not count as a copy. */
const MIN_OVERLAP = 0.5;
/** The most recordings that one is compared with. */
const MAX_COMPARED = 32;

/**
 * Stores the recording found in a version's file, and finds the account's other recordings of the same mix. Call it in
 * the transaction that stores the analysis. Only the look-up of 256 keys grows with the library.
 */
export function storeRecording(
  tx: Db,
  version: { ownerId: string; versionId: string },
  recording: NewRecording,
): void {
  const { ownerId, versionId } = version;
  const recordingId = queries.putRecording(tx, ownerId, recording);
  queries.setRecordingOf(tx, versionId, recordingId);
  pairUp(tx, ownerId, recordingId);
}

/** Writes the keys of a recording for its owner, and finds the owner's other recordings of the same mix. */
export function pairUp(tx: Db, ownerId: string, recordingId: number): void {
  const own = queries.findFingerprint(tx, recordingId);
  if (!own) return;
  const keys = sketchKeys(ownerId, own.codes);
  queries.replaceKeys(tx, recordingId, keys);
  for (const other of queries.listCandidates(tx, { ownerId, recordingId, keys }, MAX_COMPARED)) {
    const fingerprint = queries.findFingerprint(tx, other);
    const similarity = fingerprint && similarityOf(own, fingerprint);
    if (similarity !== undefined) queries.putPair(tx, recordingId, other, similarity);
  }
}

/** Returns the similarity, 0 to 1, of two recordings of the same mix; undefined for different mixes. */
export function similarityOf(one: Fingerprint, other: Fingerprint): number | undefined {
  const alignment = alignFingerprints(one, other);
  if (!alignment) return undefined;
  const { bitErrorRate, deviationDb, overlap } = alignment;
  const difference = bitErrorRate / MAX_BIT_ERROR_RATE + deviationDb / MAX_DEVIATION_DB;
  return difference <= 1 && overlap >= MIN_OVERLAP ? 1 - 2 * bitErrorRate : undefined;
}
