import { type Db, prepared } from "../../../../db/client.ts";

/** What was said of a version: how many approve it or ask for changes, and the notes of its round. */
export type VersionReview = {
  approved: number;
  changes: number;
  openNotes: number;
  answeredNotes: number;
};

/** The newest version of the comment's track that was there at a time; of those deleted since, the one before. */
const versionAt = (at: string) => `(SELECT max(o.version_order) FROM versions o
  WHERE o.track_id = c.track_id AND o.created_at <= ${at})`;

// A note of a version that is gone would be lost with it: the version before takes it over, as do those after.
const HEARD = `ifnull(h.version_order, ifnull(${versionAt("c.created_at")} - 0.5, -1))`;
const ANSWERED = `CASE WHEN c.resolved_at IS NULL THEN 1e9
  ELSE ifnull(a.version_order, ifnull(${versionAt("c.resolved_at")}, -1)) END`;

/**
 * Notes on tracks, in SQL: comments `c` with the place of the version that was heard in the track's history, and of the one that
 * answers them. Hidden versions are versions like the others.
 */
export const ROUND_NOTES = `(SELECT c.id, c.track_id AS trackId, c.version_id AS versionId, c.resolved_at IS NOT NULL AS isAnswered,
    c.position_sec AS positionSec, c.created_at AS createdAt,
    ${HEARD} AS heard, ${ANSWERED} AS answered
  FROM comments c LEFT JOIN versions h ON h.id = c.version_id LEFT JOIN versions a ON a.id = c.resolved_in
  WHERE c.parent_id IS NULL AND c.deleted_at IS NULL)`;

/**
 * What makes a note `n` of {@link ROUND_NOTES} one of the round of a version `v`: it was made on it, or on an earlier version and no
 * version before this one answered it. Also a note on a passage that this version does not have, until somebody answers it.
 */
export const isInRound = (n: string, v: string) => `(${n}.versionId = ${v}.id
  OR (${n}.heard < ${v}.version_order AND ${n}.answered >= ${v}.version_order))`;

const reviews = prepared((db) =>
  db.$client.prepare<VersionReview & { id: string }, [string]>(
    `SELECT v.id, ifnull(r.approved, 0) AS approved, ifnull(r.changes, 0) AS changes,
       ifnull(sum(n.notes) FILTER (WHERE NOT n.isAnswered), 0) AS openNotes,
       ifnull(sum(n.notes) FILTER (WHERE n.isAnswered), 0) AS answeredNotes
     FROM versions v
     LEFT JOIN (SELECT version_id, sum(state = 'approved') AS approved, sum(state = 'changes') AS changes
       FROM reviews WHERE track_id = ?1 GROUP BY version_id) r ON r.version_id = v.id
     LEFT JOIN (SELECT versionId, isAnswered, heard, answered, count(*) AS notes FROM ${ROUND_NOTES}
       WHERE trackId = ?1 GROUP BY versionId, isAnswered, heard, answered) n ON ${isInRound("n", "v")}
     WHERE v.track_id = ?1 GROUP BY v.id`,
  ),
);

/** Returns what was said of each version of a track, by its id, in numbers. */
export function reviewsOf(db: Db, trackId: string): ReadonlyMap<string, VersionReview> {
  const rows = reviews(db).all(trackId);
  return new Map(rows.map(({ id, ...review }) => [id, review]));
}
