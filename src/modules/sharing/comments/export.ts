import { asc, eq, inArray, or } from "drizzle-orm";
import { comments, tracks } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  comments: commentsOf,
};

/** Comments on the account's tracks, and those that the account wrote elsewhere. */
function commentsOf({ db, accountId }: ExportSource): Plain[] {
  const ownTracks = db.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, accountId));
  return db
    .select()
    .from(comments)
    .where(or(inArray(comments.trackId, ownTracks), eq(comments.authorId, accountId)))
    .orderBy(asc(comments.id))
    .all()
    .map((row) => plain(row));
}
