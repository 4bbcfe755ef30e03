import type { Db } from "../../../db/client.ts";
import type { Fingerprint } from "../../audio/fingerprint/fingerprint.ts";
import { alignFingerprints } from "../../audio/fingerprint/fingerprint-match.ts";
import * as queries from "./queries.ts";
import type { NewRecording } from "./recording.ts";
import { sketchKeys } from "./sketch.ts";

/**
 * What two recordings may differ in and still be the same mix: in bits alone, in balance alone, and of both together in
 * proportion. Copies of one recording (codecs, gain, a second cut off) stay under it; other mixes of a song are over
 * it (docs/decisions/0012-recordings.md).
 */
const MAX_BIT_ERROR_RATE = 0.3;
const MAX_DEVIATION_DB = 0.4;
/** An excerpt of less than half is no copy. */
const MIN_OVERLAP = 0.5;
/** Recordings that one is compared with. */
const MAX_COMPARED = 32;

/**
 * Keeps what was heard in a version's file, and finds the account's other recordings that are the same mix. Call it in
 * the transaction that stores the analysis. The work does not grow with the library, but for the look-up of 256 keys.
 */
export function storeRecording(
  tx: Db,
  version: { ownerId: string; versionId: string },
  heard: NewRecording,
): void {
  const { ownerId, versionId } = version;
  const recordingId = queries.putRecording(tx, ownerId, heard);
  queries.setRecordingOf(tx, versionId, recordingId);
  const keys = sketchKeys(ownerId, heard.fingerprint.codes);
  queries.replaceKeys(tx, recordingId, keys);
  for (const other of queries.listCandidates(tx, { ownerId, recordingId, keys }, MAX_COMPARED)) {
    const fingerprint = queries.findFingerprint(tx, other);
    const similarity = fingerprint && similarityOf(heard.fingerprint, fingerprint);
    if (similarity !== undefined) queries.putPair(tx, recordingId, other, similarity);
  }
}

/** Returns how like two recordings of the same mix are, 0 to 1; undefined when they are not the same mix. */
export function similarityOf(one: Fingerprint, other: Fingerprint): number | undefined {
  const alignment = alignFingerprints(one, other);
  if (!alignment) return undefined;
  const { bitErrorRate, deviationDb, overlap } = alignment;
  const difference = bitErrorRate / MAX_BIT_ERROR_RATE + deviationDb / MAX_DEVIATION_DB;
  return difference <= 1 && overlap >= MIN_OVERLAP ? 1 - 2 * bitErrorRate : undefined;
}
