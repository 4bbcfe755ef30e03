import { type Db, prepared } from "../../../../db/client.ts";

/** What the deletion of a version takes from the notes of its track, in the form of JSON. */
export type KeptNotes = {
  /** Ids of comments that were made on it. */
  heard: readonly string[];
  /** Ids of notes that it answers. */
  answered: readonly string[];
  places: readonly PlaceRow[];
  reviews: readonly ReviewRow[];
};

type PlaceRow = { commentId: string; atSec: number | null; endSec: number | null; how: string };
type ReviewRow = {
  id: string;
  personId: string | null;
  shareId: string | null;
  name: string;
  state: string;
  text: string | null;
  at: number;
};

/** Returns what notes and reviews say of a version, to say it again later; undefined when nothing does. */
export function keepNotes(db: Db, versionId: string): KeptNotes | undefined {
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const kept = {
    heard: idsOf(heard(db).all({ versionId })),
    answered: idsOf(answered(db).all({ versionId })),
    places: places(db).all({ versionId }),
    reviews: reviews(db).all({ versionId }),
  };
  return Object.values(kept).some((rows) => rows.length > 0) ? kept : undefined;
}

/** Says again of a version that is back what {@link keepNotes} returned, where it still holds. Call it inside a transaction. */
export function restoreNotes(tx: Db, versionId: string, kept: KeptNotes): void {
  hearAgain(tx).run({ versionId, ids: JSON.stringify(kept.heard) });
  answerAgain(tx).run({ versionId, ids: JSON.stringify(kept.answered) });
  placeAgain(tx).run({ versionId, rows: JSON.stringify(kept.places) });
  reviewAgain(tx).run({ versionId, rows: JSON.stringify(kept.reviews) });
}

type Of = { versionId: string };
const heard = prepared((db) =>
  db.$client.prepare<{ id: string }, Of>("SELECT id FROM comments WHERE version_id = $versionId"),
);
const answered = prepared((db) =>
  db.$client.prepare<{ id: string }, Of>("SELECT id FROM comments WHERE resolved_in = $versionId"),
);
const places = prepared((db) =>
  db.$client.prepare<PlaceRow, Of>(
    `SELECT comment_id AS commentId, at_sec AS atSec, end_sec AS endSec, how FROM comment_places
     WHERE version_id = $versionId`,
  ),
);
const reviews = prepared((db) =>
  db.$client.prepare<ReviewRow, Of>(
    `SELECT id, person_id AS personId, share_id AS shareId, name, state, text, at FROM reviews
     WHERE version_id = $versionId`,
  ),
);

const OF_TRACK = "track_id = (SELECT track_id FROM versions WHERE id = $versionId)";
const IS_NAMED = "id IN (SELECT value FROM json_each($ids))";
const hearAgain = prepared((db) =>
  db.$client.prepare<unknown, Of & { ids: string }>(
    `UPDATE comments SET version_id = $versionId WHERE ${IS_NAMED} AND version_id IS NULL AND ${OF_TRACK}`,
  ),
);
const answerAgain = prepared((db) =>
  db.$client.prepare<unknown, Of & { ids: string }>(
    `UPDATE comments SET resolved_in = $versionId
     WHERE ${IS_NAMED} AND resolved_at IS NOT NULL AND resolved_in IS NULL AND ${OF_TRACK}`,
  ),
);
const placeAgain = prepared((db) =>
  db.$client.prepare<unknown, Of & { rows: string }>(
    `INSERT OR IGNORE INTO comment_places (comment_id, version_id, at_sec, end_sec, how)
     SELECT c.id, $versionId, value ->> 'atSec', value ->> 'endSec', value ->> 'how'
     FROM json_each($rows) JOIN comments c ON c.id = value ->> 'commentId' WHERE c.${OF_TRACK}`,
  ),
);
const reviewAgain = prepared((db) =>
  db.$client.prepare<unknown, Of & { rows: string }>(
    `INSERT OR IGNORE INTO reviews (id, track_id, version_id, person_id, share_id, name, state, text, at)
     SELECT value ->> 'id', v.track_id, v.id, value ->> 'personId',
       (SELECT s.id FROM shares s WHERE s.id = value ->> 'shareId'), value ->> 'name', value ->> 'state', value ->> 'text', value ->> 'at'
     FROM json_each($rows) JOIN versions v ON v.id = $versionId`,
  ),
);
