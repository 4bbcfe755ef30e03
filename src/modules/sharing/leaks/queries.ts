import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Stored } from "./task.ts";

/** A version that a leak may be of. */
export type LeakVersion = {
  id: string;
  trackId: string;
  title: string | null;
  name: string;
  sha256: string;
  durationSec: number | null;
  /** Null: it was never analysed. */
  recordingId: number | null;
};

const idsOf = prepared((db) =>
  db.$client.prepare<{ id: number }, [string]>("SELECT id FROM recordings WHERE owner_id = ?"),
);
const codesOf = prepared((db) =>
  db.$client.prepare<{ id: number; codes: Uint8Array }, [string]>(
    "SELECT r.id, r.codes FROM json_each(?) list CROSS JOIN recordings r ON r.id = list.value",
  ),
);

/** Returns the ids of all recordings of an account. */
export const listRecordingIds = (db: Db, ownerId: LibraryId): number[] =>
  idsOf(db)
    .all(ownerId)
    .map(({ id }) => id);

/** Returns the codes of recordings. */
export const listStored = (db: Db, ids: readonly number[]): Stored[] =>
  codesOf(db)
    .all(JSON.stringify(ids))
    .map(({ id, codes }) => ({ recordingId: id, codes: new Uint32Array(Uint8Array.from(codes).buffer) }));

const VERSION = `SELECT v.id, v.track_id AS trackId, t.title, t.name, v.sha256, a.duration_sec AS durationSec,
    r.recording_id AS recordingId
  FROM versions v JOIN tracks t ON t.id = v.track_id LEFT JOIN analyses a ON a.version_id = v.id
  LEFT JOIN version_recordings r ON r.version_id = v.id
  WHERE t.owner_id = ?1 AND t.deleted_at IS NULL`;

const ofRecordings = prepared((db) =>
  db.$client.prepare<LeakVersion, [string, string]>(
    `${VERSION} AND v.track_id IN (SELECT w.track_id FROM version_recordings o JOIN versions w ON w.id = o.version_id
       WHERE o.recording_id IN (SELECT value FROM json_each(?2)))
     ORDER BY t.seq, v.version_order DESC`,
  ),
);
const ofTrack = prepared((db) =>
  db.$client.prepare<LeakVersion, [string, string]>(`${VERSION} AND t.id = ?2 ORDER BY v.version_order DESC`),
);
const markedOfTracks = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string]>(
    `SELECT DISTINCT version_id AS id FROM marked_copies
     WHERE account_id = ?1 AND track_id IN (SELECT value FROM json_each(?2)) ORDER BY version_id DESC`,
  ),
);

/** Returns the versions of tracks that have marked copies, also those that are gone, the newest first. */
export const markedVersionsOf = (db: Db, ownerId: LibraryId, trackIds: readonly string[]): string[] =>
  markedOfTracks(db)
    .all(ownerId, JSON.stringify(trackIds))
    .map(({ id }) => id);

/** Returns all versions of an account's tracks of which one has a recording. What is in the bin has none. */
export const versionsOfRecordings = (db: Db, ownerId: LibraryId, ids: readonly number[]): LeakVersion[] =>
  ofRecordings(db).all(ownerId, JSON.stringify(ids));

/** Returns the versions of an account's track, the newest first. */
export const versionsOfTrack = (db: Db, ownerId: LibraryId, trackId: string): LeakVersion[] =>
  ofTrack(db).all(ownerId, trackId);
