import { tagFeedback } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  tags: tagsOf,
  tagVerdicts: rowsOf(tagFeedback, tagFeedback.ownerId),
};

/** Every tag in use, and how many tracks have it. */
function tagsOf({ db, accountId }: ExportSource): Plain[] {
  return db.$client
    .query<Plain, [string]>(
      `SELECT category, name, count(*) AS tracks FROM track_tags WHERE owner_id = ?
       GROUP BY category, tag_id ORDER BY category, name`,
    )
    .all(accountId);
}
