import { type Db, prepared } from "../../../../../db/client.ts";
import { MAX_NOTES } from "../shapes.ts";
import type { Placed, Spot } from "./place.ts";

/** A version into which notes are carried, or from which. */
export type CarriedVersion = {
  id: string;
  trackId: string;
  recordingId: number | null;
  lengthSec: number | null;
};

/** A note at a moment, and where it is in a version so far. */
export type CarriedNote = Spot & {
  id: string;
  /** 1: what was heard is gone, and where it is in the version that counts as heard is a guess. */
  isRough: 0 | 1;
  /** Null: the version that was heard was deleted. */
  heardId: string | null;
  atSec: number | null;
  placedEndSec: number | null;
  /** Null: it has no place there. */
  how: Placed["how"] | "placed" | null;
};

const VERSION = `SELECT v.id, v.track_id AS trackId, r.recording_id AS recordingId, a.duration_sec AS lengthSec
  FROM versions v JOIN tracks t ON t.id = v.track_id
  LEFT JOIN version_recordings r ON r.version_id = v.id LEFT JOIN analyses a ON a.version_id = v.id`;
// An active version whose analysis is under way gets its places by that.
const READY = `(v.analysed_at IS NOT NULL
  OR (v.id = t.active_version_id AND t.analysis_status NOT IN ('pending', 'processing')))`;

/** Returns a version, also of a track in the bin. */
export const findCarried = (db: Db, id: string): CarriedVersion | undefined => byId(db).get(id) ?? undefined;

/** True when places in a version are to be found: it was analysed, or is played and is not being analysed. */
export const isReady = (db: Db, id: string): boolean => ready(db).get(id) !== null;

/** Returns the other versions of a version's track in which places are to be found, oldest first. */
export const listReadyOthers = (db: Db, { id, trackId }: CarriedVersion): CarriedVersion[] =>
  readyOthers(db).all({ id, trackId });

/** A note at a moment of what was heard. */
const IS_NOTE = "c.parent_id IS NULL AND c.position_sec IS NOT NULL AND c.deleted_at IS NULL";
/** It was not heard in this version. */
const IS_ELSEWHERE = "c.version_id IS NOT $versionId";
const HAS_PLACE = `EXISTS (SELECT 1 FROM comment_places p WHERE p.comment_id = c.id AND p.version_id = $versionId)`;

type Into = { trackId: string; versionId: string; isMissing: boolean };

/** Returns in which other versions notes were heard; `isMissing`: notes that have no place in this one. Null: in one that is gone. */
export function listHeard(db: Db, { trackId, versionId, isMissing }: Into): (string | null)[] {
  return heard(db)
    .all({ trackId, versionId, isMissing: Number(isMissing) })
    .map(({ id }) => id);
}

/** Returns the notes that were heard in one of some versions, and where they are in this one. */
export function listNotes(db: Db, into: Into, heardIn: readonly (string | null)[]): CarriedNote[] {
  const { trackId, versionId, isMissing } = into;
  return notes(db).all({
    trackId,
    versionId,
    isMissing: Number(isMissing),
    heardIn: JSON.stringify(heardIn.filter((id) => id !== null)),
    isGone: Number(heardIn.includes(null)),
  });
}

/** Sets where a note is in a version, unless somebody has put it there by hand. */
export function putPlace(tx: Db, commentId: string, versionId: string, { atSec, endSec, how }: Placed): void {
  put(tx).run({ commentId, versionId, atSec, endSec, how });
}

/** Returns which versions lack a place of one of the next notes, and the last of these; undefined at the end. */
export function listLacking(
  db: Db,
  after: string,
  notesRead: number,
): { last: string | undefined; versionIds: string[] } {
  const last = page(db).all({ after, limit: notesRead }).at(-1)?.id;
  if (last === undefined) return { last, versionIds: [] };
  return {
    last,
    versionIds: lacking(db)
      .all({ after, last })
      .map(({ id }) => id),
  };
}

const byId = prepared((db) => db.$client.prepare<CarriedVersion, [string]>(`${VERSION} WHERE v.id = ?1`));
const ready = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>(
    `SELECT v.id FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = ?1 AND ${READY}`,
  ),
);
const readyOthers = prepared((db) =>
  db.$client.prepare<CarriedVersion, { id: string; trackId: string }>(
    `${VERSION} WHERE v.track_id = $trackId AND v.id <> $id AND ${READY} ORDER BY v.version_order`,
  ),
);
type Numbered = Omit<Into, "isMissing"> & { isMissing: number };
const heard = prepared((db) =>
  db.$client.prepare<{ id: string | null }, Numbered>(
    `SELECT DISTINCT c.version_id AS id FROM comments c
     WHERE c.track_id = $trackId AND ${IS_NOTE} AND ${IS_ELSEWHERE} AND NOT ($isMissing AND ${HAS_PLACE})`,
  ),
);
const notes = prepared((db) =>
  db.$client.prepare<CarriedNote, Numbered & { heardIn: string; isGone: number }>(
    `SELECT c.id, coalesce(o.at_sec, c.position_sec) AS positionSec, iif(o.how IS NULL, c.end_sec, o.end_sec) AS endSec,
       o.how IS 'about' AS isRough, c.version_id AS heardId, p.at_sec AS atSec, p.end_sec AS placedEndSec, p.how
     FROM comments c LEFT JOIN comment_places p ON p.comment_id = c.id AND p.version_id = $versionId
     LEFT JOIN comment_places o ON o.comment_id = c.id AND o.version_id = c.version_id
     WHERE c.track_id = $trackId AND ${IS_NOTE} AND ${IS_ELSEWHERE} AND NOT ($isMissing AND p.how IS NOT NULL)
       AND (c.version_id IN (SELECT value FROM json_each($heardIn)) OR ($isGone AND c.version_id IS NULL))
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${MAX_NOTES}`,
  ),
);
const put = prepared((db) =>
  db.$client.prepare<unknown, Placed & { commentId: string; versionId: string }>(
    `INSERT INTO comment_places (comment_id, version_id, at_sec, end_sec, how)
     VALUES ($commentId, $versionId, $atSec, $endSec, $how)
     ON CONFLICT DO UPDATE SET at_sec = excluded.at_sec, end_sec = excluded.end_sec, how = excluded.how
     WHERE how <> 'placed'`,
  ),
);
const page = prepared((db) =>
  db.$client.prepare<{ id: string }, { after: string; limit: number }>(
    "SELECT id FROM comments WHERE id > $after ORDER BY id LIMIT $limit",
  ),
);
const lacking = prepared((db) =>
  db.$client.prepare<{ id: string }, { after: string; last: string }>(
    `SELECT DISTINCT v.id FROM comments c JOIN tracks t ON t.id = c.track_id JOIN versions v ON v.track_id = c.track_id
     WHERE c.id > $after AND c.id <= $last AND ${IS_NOTE} AND v.id IS NOT c.version_id AND ${READY}
       AND NOT EXISTS (SELECT 1 FROM comment_places p WHERE p.comment_id = c.id AND p.version_id = v.id)`,
  ),
);
