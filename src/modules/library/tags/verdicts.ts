import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, tagFeedback } from "../../../../db/schema.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { newId } from "../../../kernel/ids.ts";
import { outdateCategory } from "./models.ts";
import type { TagCategory } from "./shapes.ts";

type FeedbackRow = typeof tagFeedback.$inferSelect;

/** What an owner says about a tag on a track. `withdrawn` cancels an earlier verdict. */
export type Verdict = Pick<FeedbackRow, "tagId" | "name" | "verdict" | "source">;
/** A category of an account's track. */
export type TagPlace = { ownerId: LibraryId; trackId: string; category: TagCategory };

/** The job that retrains an account's models. Payload: `{ ownerId }`. Unique key: the account's id. */
export const LEARN_JOB = "learn-tags";

/**
 * Returns the verdict in force on each tag of a category. The statement names its index: for the order alone the planner
 * would read everything that the account ever said.
 */
export function selectVerdicts(tx: Db, { ownerId, trackId, category }: TagPlace): Map<string, Verdict> {
  const rows = tx.$client
    .query<Verdict, [string, string, string]>(
      `SELECT tag_id AS tagId, name, verdict, source FROM tag_feedback INDEXED BY tag_feedback_by_track
       WHERE track_id = ? AND category = ? AND owner_id = ? ORDER BY seq`,
    )
    .all(trackId, category, ownerId);
  return new Map(rows.map((row) => [row.tagId, row]));
}

const insertVerdict = prepared((db) =>
  db.$client.prepare<void, [string, string, string, string, string, string, string, string, number]>(
    `INSERT INTO tag_feedback (id, owner_id, track_id, category, tag_id, name, verdict, source, at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
  ),
);

/**
 * Records verdicts and queues the account's models for training with them; with `learnsLater` the caller does that.
 */
export function insertVerdicts(
  tx: Db,
  place: TagPlace & { learnsLater?: boolean },
  verdicts: readonly Verdict[],
  at: number,
): void {
  if (verdicts.length === 0) return;
  const { ownerId, trackId, category } = place;
  for (const { tagId, name, verdict, source } of verdicts)
    insertVerdict(tx).run(newId("fb"), ownerId, trackId, category, tagId, name, verdict, source, at);
  // A verdict on one tag of a category tells about the others too: they were passed over.
  const tags = verdicts.map(({ tagId: id, name }) => ({ id, name }));
  outdateCategory(tx, place, tags);
  if (!place.learnsLater) requestLearning(tx, place.ownerId, at);
}

/** Returns how many tags of its tracks an account has said something about. */
export function countVerdicts(db: Db, ownerId: LibraryId): number {
  const row = db.$client
    .query<{ count: number }, [string]>(
      `SELECT count(*) AS count FROM (
         SELECT 1 FROM tag_feedback WHERE owner_id = ? GROUP BY track_id, category, tag_id
       )`,
    )
    .get(ownerId);
  return row?.count ?? 0;
}

/** Queues training of an account's models on every verdict up to `at`. */
export function requestLearning(tx: Db, ownerId: LibraryId, at: number): void {
  enqueue(tx, { name: LEARN_JOB, payload: { ownerId }, uniqueKey: ownerId }, at);
}
