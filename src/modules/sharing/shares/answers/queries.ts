import { type Db, prepared } from "../../../../../db/client.ts";
import type { shareAnswers } from "../../../../../db/schema.ts";

export type AnswerRow = typeof shareAnswers.$inferSelect;

/** What a link shows of an answer. */
export type LastAnswer = Pick<AnswerRow, "shareId" | "trackId" | "answer" | "text" | "at" | "doneAt">;

const lastAnswers = prepared((db) =>
  // With max() the other columns are those of its row.
  db.$client.prepare<LastAnswer, [string]>(
    `SELECT a.share_id AS shareId, a.track_id AS trackId, a.answer, a.text, max(a.at) AS at, a.done_at AS doneAt
     FROM json_each(?1) i CROSS JOIN share_answers a ON a.share_id = i.value
       JOIN tracks t ON t.id = a.track_id AND t.deleted_at IS NULL
     GROUP BY a.share_id`,
  ),
);

/** Returns what was answered last through links, by their ids. Answers to tracks in the bin are left out. */
export function selectLastAnswers(db: Db, shareIds: readonly string[]): Map<string, LastAnswer> {
  return new Map(
    lastAnswers(db)
      .all(JSON.stringify(shareIds))
      .map((row) => [row.shareId, row]),
  );
}
