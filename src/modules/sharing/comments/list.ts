import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { cutPage, OLDEST_FIRST, type Page, type Place } from "../../../kernel/paging.ts";
import { getOwnedTrack } from "../../library/catalog/service.ts";
import { lengthOf, type PlacedIn, versionOf } from "./places.ts";
import * as queries from "./queries.ts";
import { type Comment, type CommentsQuery, statesIn } from "./shapes.ts";
import { toComments } from "./shown.ts";

type ListDeps = Pick<Deps, "db" | "now">;

/**
 * Returns a page of the comments on an account's track, newest first; of the replies to a note, the oldest first.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `comment_not_found`; `validation_failed` for a cursor of another
 *   listing, or of other filters.
 */
export function listComments(
  deps: ListDeps,
  accountId: LibraryId,
  trackId: string,
  query: CommentsQuery,
): Page<Comment> {
  const { db } = deps;
  const track = getOwnedTrack(db, accountId, trackId);
  const { versionId, parentId } = query;
  const version = versionId === undefined ? undefined : versionOf(db, track, versionId);
  const placedIn: PlacedIn | undefined = version && {
    versionId: version.id,
    lengthSec: lengthOf(db, track, version),
  };
  const { items, paging } =
    parentId === undefined ? notesOf(deps, trackId, query) : repliesTo(deps, trackId, parentId, query);
  return { items: toComments(deps, accountId, items, placedIn), paging };
}

function notesOf({ db }: ListDeps, trackId: string, query: CommentsQuery): Page<queries.CommentRow> {
  const { versionId, notes: isNotes = false, state } = query;
  const states = state === undefined ? undefined : statesIn(state);
  const wanted = {
    trackId,
    isNotes,
    ...(versionId !== undefined && { versionId }),
    ...(states && { states }),
  };
  const filter = states ? ` ${states}` : isNotes ? " notes" : "";
  const select = (after: Place, limit: number) => queries.listComments(db, wanted, after, limit);
  return cutPage(query, `comments ${trackId}${filter}`, select, (row) => row.createdAt);
}

function repliesTo(
  { db }: ListDeps,
  trackId: string,
  parentId: string,
  query: CommentsQuery,
): Page<queries.CommentRow> {
  for (const name of ["state", "notes"] as const)
    if (query[name] !== undefined)
      throw invalidField(name, "not_together", "is of notes: leave it out beside `parentId`");
  if (queries.findComment(db, parentId)?.trackId !== trackId)
    throw new DomainError("comment_not_found", "There is no such comment");
  const select = (after: Place, limit: number) => queries.listReplies(db, parentId, after, limit);
  return cutPage(query, `replies ${parentId}`, select, (row) => row.createdAt, OLDEST_FIRST);
}
