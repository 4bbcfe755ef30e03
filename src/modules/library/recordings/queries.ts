import { and, eq } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, recordingCodes, recordings, versionRecordings } from "../../../../db/schema.ts";
import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";
import type { NewRecording } from "./recording.ts";

/** The most recordings read per key: a sound shared by many tracks is not worth more. */
const MAX_PER_KEY = 200;

/** Writes a recording over the result of an earlier analysis. Returns its id. */
export function putRecording(tx: Db, ownerId: LibraryId, recording: NewRecording): number {
  const row = {
    codes: bufferOf(recording.fingerprint.codes),
    columns: bufferOf(recording.fingerprint.columns),
    levels: bufferOf(recording.levels),
    balance: [...recording.balanceDb],
    framesPerPair: recording.framesPerPair,
    peaks: bufferOf(recording.peaks),
  };
  return tx
    .insert(recordings)
    .values({ ownerId, pcmSha256: bufferOf(recording.pcmSha256), ...row })
    .onConflictDoUpdate({ target: [recordings.ownerId, recordings.pcmSha256], set: row })
    .returning({ id: recordings.id })
    .get().id;
}

/** Sets the recording that a version holds; deletes the former one if no version holds it any more. */
export function setRecordingOf(tx: Db, versionId: string, recordingId: number): void {
  tx.insert(versionRecordings)
    .values({ versionId, recordingId })
    .onConflictDoUpdate({ target: versionRecordings.versionId, set: { recordingId } })
    .run();
}

/** Returns at most `limit` recordings of an account. */
export function listRecordings(db: Db, ownerId: LibraryId, limit: number) {
  const { id, pcmSha256 } = recordings;
  return db
    .select({ id, pcmSha256 })
    .from(recordings)
    .where(eq(recordings.ownerId, ownerId))
    .limit(limit)
    .all();
}

/** Returns the account's recording of a sound. */
export function findByPcm(db: Db, ownerId: LibraryId, pcmSha256: Buffer): number | undefined {
  const { id } = recordings;
  const isSame = and(eq(recordings.ownerId, ownerId), eq(recordings.pcmSha256, pcmSha256));
  return db.select({ id }).from(recordings).where(isSame).get()?.id;
}

export function giveRecording(tx: Db, id: number, ownerId: LibraryId): void {
  tx.update(recordings).set({ ownerId }).where(eq(recordings.id, id)).run();
}

/** Lets every version that holds a recording hold another one, and deletes the first. */
export function replaceRecording(tx: Db, id: number, by: number): void {
  tx.update(versionRecordings).set({ recordingId: by }).where(eq(versionRecordings.recordingId, id)).run();
  tx.delete(recordings).where(eq(recordings.id, id)).run();
}

/** Replaces a recording's keys, and deletes its pairs. */
export function replaceKeys(tx: Db, recordingId: number, keys: readonly number[]): void {
  tx.delete(recordingCodes).where(eq(recordingCodes.recordingId, recordingId)).run();
  deletePairs(tx).run({ recordingId });
  deleteMixes(tx).run({ recordingId });
  const insert = insertKey(tx);
  for (const key of keys) insert.run({ key, recordingId });
}

/** Returns the account's other recordings that share at least two keys, those that share the most first. */
export function listCandidates(
  tx: Db,
  { ownerId, recordingId, keys }: { ownerId: LibraryId; recordingId: number; keys: readonly number[] },
  limit: number,
): number[] {
  const shared = new Map<number, number>();
  const select = selectByKey(tx);
  for (const key of keys)
    for (const { id } of select.all({ key }))
      if (id !== recordingId) shared.set(id, (shared.get(id) ?? 0) + 1);
  const likely = [...shared].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const owned: number[] = [];
  for (const [id] of likely) {
    // Keys of another account may begin with the same bits.
    if (selectOwner(tx).get({ id })?.ownerId === ownerId) owned.push(id);
    if (owned.length === limit) break;
  }
  return owned;
}

/** Returns a track of an account that has a recording, one that plays it where there is one. */
export function trackWith(db: Db, ownerId: LibraryId, recordingId: number): string | undefined {
  const found = db.$client
    .query<{ id: string }, [number, string]>(
      `SELECT t.id FROM version_recordings r JOIN versions v ON v.id = r.version_id JOIN tracks t ON t.id = v.track_id
       WHERE r.recording_id = ? AND t.owner_id = ? AND t.deleted_at IS NULL
       ORDER BY t.active_version_id = v.id DESC, t.seq LIMIT 1`,
    )
    .get(recordingId, ownerId);
  return found?.id;
}

/** How much longer or shorter, in codes, a mix of the same song may be: three seconds. */
const AS_LONG_CODES = 25;

/** Returns the account's last recordings that are about as long as one. */
export function listAsLong(
  tx: Db,
  { ownerId, recordingId, codes }: { ownerId: LibraryId; recordingId: number; codes: number },
  limit: number,
): number[] {
  const [shortest, longest] = [4 * (codes - AS_LONG_CODES), 4 * (codes + AS_LONG_CODES)];
  return selectAsLong(tx)
    .all({ ownerId, recordingId, shortest, longest, limit })
    .map(({ id }) => id);
}

/** Returns the account's recordings that were analysed next before and after one, at most `limit` of each. */
export function listNeighbours(
  tx: Db,
  { ownerId, recordingId }: { ownerId: LibraryId; recordingId: number },
  limit: number,
): number[] {
  const asked = { ownerId, recordingId, limit };
  return [...selectBefore(tx).all(asked), ...selectAfter(tx).all(asked)].map(({ id }) => id);
}

/** Returns the fingerprint of a recording. */
export function findFingerprint(tx: Db, recordingId: number): Fingerprint | undefined {
  const row = tx
    .select({ codes: recordings.codes, columns: recordings.columns })
    .from(recordings)
    .where(eq(recordings.id, recordingId))
    .get();
  return row && fingerprintOf(row);
}

/** Stores that two recordings are the same mix, or mixes of one song. */
export function putPair(
  tx: Db,
  one: number,
  other: number,
  { similarity, isSameMix }: { similarity: number; isSameMix: boolean },
): void {
  const pair = { earlier: Math.min(one, other), later: Math.max(one, other), similarity };
  const insert = isSameMix ? insertPair : insertMix;
  insert(tx).run(pair);
}

/** Returns the stored sound of a version; undefined if it was never analysed, or only by an older Dubplate. */
export function findSound(db: Db, versionId: string) {
  const row = db
    .select()
    .from(recordings)
    .innerJoin(versionRecordings, eq(versionRecordings.recordingId, recordings.id))
    .where(eq(versionRecordings.versionId, versionId))
    .get()?.recordings;
  return row && { ...row, fingerprint: fingerprintOf(row) };
}

const pcmOf = prepared((db) =>
  db.$client.prepare<{ pcm: string }, [string]>(
    `SELECT hex(r.pcm_sha256) AS pcm FROM version_recordings v JOIN recordings r ON r.id = v.recording_id
     WHERE v.version_id = ?`,
  ),
);

/** Returns the hash of a version's samples; undefined if it was never analysed. */
export function findPcm(db: Db, versionId: string): string | undefined {
  return pcmOf(db).get(versionId)?.pcm;
}

/** Returns the recording that each track plays, by track id: of several copies, the one analysed first. */
export function recordingsOf(db: Db, trackIds: readonly string[]): Map<string, number> {
  const rows = selectRecordings(db).all({ list: JSON.stringify(trackIds) });
  return new Map(rows.map(({ id, recordingId }) => [id, recordingId]));
}

/** A track whose active version holds a recording, with the version's hash and recording. */
export type RecordedTrack = { id: string; cid: string; recordingId: number };

/** Returns the account's tracks that share their recording with another track, as a copy or in a pair. */
export function listSharedTracks(db: Db, ownerId: LibraryId): RecordedTrack[] {
  return selectSharedTracks(db).all({ ownerId });
}

/** Returns the account's pairs of recordings. */
export function listPairs(db: Db, ownerId: LibraryId): { one: number; other: number; similarity: number }[] {
  return selectPairs(db).all({ ownerId });
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

function fingerprintOf({ codes, columns }: { codes: Uint8Array; columns: Uint8Array }): Fingerprint {
  return { codes: new Uint32Array(Uint8Array.from(codes).buffer), columns: Uint8Array.from(columns) };
}

const insertKey = prepared((db: Db) =>
  db.$client.prepare<unknown, { key: number; recordingId: number }>(
    "INSERT INTO recording_codes (key, recording_id) VALUES ($key, $recordingId)",
  ),
);
type Pair = { earlier: number; later: number; similarity: number };
const deletePairs = prepared((db: Db) =>
  db.$client.prepare<unknown, { recordingId: number }>(
    "DELETE FROM recording_pairs WHERE earlier_id = $recordingId OR later_id = $recordingId",
  ),
);
const deleteMixes = prepared((db: Db) =>
  db.$client.prepare<unknown, { recordingId: number }>(
    "DELETE FROM recording_mixes WHERE earlier_id = $recordingId OR later_id = $recordingId",
  ),
);
const insertPair = prepared((db: Db) =>
  db.$client.prepare<unknown, Pair>(
    `INSERT INTO recording_pairs (earlier_id, later_id, similarity) VALUES ($earlier, $later, $similarity)
     ON CONFLICT DO UPDATE SET similarity = excluded.similarity`,
  ),
);
const insertMix = prepared((db: Db) =>
  db.$client.prepare<unknown, Pair>(
    `INSERT INTO recording_mixes (earlier_id, later_id, similarity) VALUES ($earlier, $later, $similarity)
     ON CONFLICT DO UPDATE SET similarity = excluded.similarity`,
  ),
);
const selectByKey = prepared((db: Db) =>
  db.$client.prepare<{ id: number }, { key: number }>(
    `SELECT recording_id AS id FROM recording_codes WHERE key = $key LIMIT ${MAX_PER_KEY}`,
  ),
);
type AsLong = { ownerId: LibraryId; recordingId: number; shortest: number; longest: number; limit: number };
const selectAsLong = prepared((db: Db) =>
  db.$client.prepare<{ id: number }, AsLong>(
    `SELECT id FROM recordings INDEXED BY recordings_by_length
     WHERE owner_id = $ownerId AND length(codes) BETWEEN $shortest AND $longest AND id <> $recordingId
     ORDER BY id DESC LIMIT $limit`,
  ),
);
type Beside = { ownerId: LibraryId; recordingId: number; limit: number };
const selectBefore = prepared((db: Db) =>
  db.$client.prepare<{ id: number }, Beside>(
    "SELECT id FROM recordings WHERE id < $recordingId AND owner_id = $ownerId ORDER BY id DESC LIMIT $limit",
  ),
);
const selectAfter = prepared((db: Db) =>
  db.$client.prepare<{ id: number }, Beside>(
    "SELECT id FROM recordings WHERE id > $recordingId AND owner_id = $ownerId ORDER BY id LIMIT $limit",
  ),
);
const selectOwner = prepared((db: Db) =>
  db.$client.prepare<{ ownerId: LibraryId }, { id: number }>(
    "SELECT owner_id AS ownerId FROM recordings WHERE id = $id",
  ),
);
const selectRecordings = prepared((db: Db) =>
  db.$client.prepare<{ id: string; recordingId: number }, { list: string }>(
    `SELECT t.id, coalesce(
       (SELECT min(earlier_id) FROM recording_pairs WHERE later_id = v.recording_id), v.recording_id) AS recordingId
     FROM json_each($list) list CROSS JOIN tracks t ON t.id = list.value
     JOIN version_recordings v ON v.version_id = t.active_version_id`,
  ),
);
const selectSharedTracks = prepared((db: Db) =>
  db.$client.prepare<RecordedTrack, { ownerId: LibraryId }>(
    `WITH recorded AS MATERIALIZED (
       SELECT t.id, t.cid, t.created_at AS at, v.recording_id AS recordingId
       FROM tracks t JOIN version_recordings v ON v.version_id = t.active_version_id
       WHERE t.owner_id = $ownerId AND t.deleted_at IS NULL AND t.in_inbox = 0),
     shared AS MATERIALIZED (
       SELECT recordingId AS id FROM recorded GROUP BY recordingId HAVING count(*) > 1
       UNION SELECT earlier_id FROM recording_pairs WHERE earlier_id IN (SELECT recordingId FROM recorded)
       UNION SELECT later_id FROM recording_pairs WHERE later_id IN (SELECT recordingId FROM recorded))
     SELECT id, cid, recordingId FROM recorded WHERE recordingId IN (SELECT id FROM shared) ORDER BY at, id`,
  ),
);
const selectPairs = prepared((db: Db) =>
  db.$client.prepare<{ one: number; other: number; similarity: number }, { ownerId: LibraryId }>(
    `SELECT p.earlier_id AS one, p.later_id AS other, p.similarity FROM recording_pairs p
     JOIN recordings r ON r.id = p.earlier_id WHERE r.owner_id = $ownerId ORDER BY p.earlier_id, p.later_id`,
  ),
);
