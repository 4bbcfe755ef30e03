import { asc, eq, inArray } from "drizzle-orm";
import { comments, tracks } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  comments: commentsOf,
};

/** Comments on the account's tracks. What its people wrote in other libraries is theirs. */
function commentsOf({ db, accountId }: ExportSource): Plain[] {
  const ownTracks = db.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, accountId));
  return db
    .select()
    .from(comments)
    .where(inArray(comments.trackId, ownTracks))
    .orderBy(asc(comments.id))
    .all()
    .map((row) => plain(row));
}
