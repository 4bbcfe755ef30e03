import { asc, eq, getTableColumns, inArray } from "drizzle-orm";
import { commentPlaces, comments, reviews, tracks } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  comments: commentsOf,
  reviews: reviewsOf,
};

const tracksOf = ({ db, accountId }: ExportSource) =>
  db.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, accountId));

/**
 * Comments on the account's tracks, replies among them, each with where it is in other versions. What its people wrote in other
 * libraries is theirs.
 */
function* commentsOf(source: ExportSource): Iterable<Plain> {
  const rows = source.db
    .select()
    .from(comments)
    .where(inArray(comments.trackId, tracksOf(source)))
    .orderBy(asc(comments.id))
    .all();
  const places = Map.groupBy(placesOf(source), ({ commentId }) => commentId);
  for (const row of rows)
    yield {
      ...plain(row, ["visit"]),
      places: (places.get(row.id) ?? []).map((each) => plain(each, ["commentId"])),
    };
}

const placesOf = (source: ExportSource) =>
  source.db
    .select(getTableColumns(commentPlaces))
    .from(commentPlaces)
    .innerJoin(comments, eq(comments.id, commentPlaces.commentId))
    .where(inArray(comments.trackId, tracksOf(source)))
    .orderBy(asc(commentPlaces.commentId), asc(commentPlaces.versionId))
    .all();

/** What people and recipients said of versions. */
function reviewsOf(source: ExportSource): Plain[] {
  return source.db
    .select()
    .from(reviews)
    .where(inArray(reviews.trackId, tracksOf(source)))
    .orderBy(asc(reviews.at), asc(reviews.id))
    .all()
    .map((row) => plain(row));
}
