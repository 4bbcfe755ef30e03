import { transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError, invalidField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../kernel/paging.ts";
import { toIso } from "../../kernel/time.ts";
import { recordActivity, userActor } from "../analytics/service.ts";
import type { Comment, CommentsQuery, CreateComment } from "./model.ts";
import * as queries from "./queries.ts";

/**
 * Returns a page of what was said about an account's track, newest first.
 *
 * @throws DomainError `track_not_found`, `validation_failed` for a cursor of another track.
 */
export function listComments(
  { db }: Pick<Deps, "db">,
  accountId: string,
  trackId: string,
  query: CommentsQuery,
): Page<Comment> {
  if (!queries.findOwnTrack(db, accountId, trackId)) throw trackNotFound();
  const select = (after: Place, limit: number) => queries.listComments(db, trackId, after, limit);
  const { items, paging } = cutPage(query, `comments ${trackId}`, select, (row) => row.createdAt);
  return { items: items.map(toComment), paging };
}

/**
 * Adds a comment to an account's track and counts it.
 *
 * @throws DomainError `track_not_found`, `validation_failed` for a blank text or a position past the track's end.
 */
export function addComment(
  { db, now }: Pick<Deps, "db" | "now">,
  accountId: string,
  trackId: string,
  { text, positionSec = null }: CreateComment,
): Comment {
  const trimmed = text.trim();
  if (trimmed === "") throw invalidField("text", "blank", "must not be blank");
  return transact(db, (tx) => {
    const track = queries.findOwnTrack(tx, accountId, trackId);
    const actor = userActor(tx, accountId);
    if (!track || actor.name === null) throw trackNotFound();
    if (positionSec !== null && track.durationSec !== null && positionSec > track.durationSec)
      throw invalidField("positionSec", "maximum", "must be within the track");
    const at = now();
    const row = queries.insertComment(tx, {
      id: newId("cmt"),
      trackId,
      authorId: accountId,
      authorName: actor.name,
      text: trimmed,
      positionSec,
      createdAt: at,
    });
    recordActivity(
      tx,
      { ownerId: accountId, entity: "track", entityId: trackId, metric: "comments", actor },
      at,
    );
    return toComment(row);
  });
}

/**
 * Deletes a comment that the account wrote, or one on its track, whoever wrote it.
 *
 * @throws DomainError `comment_not_found`.
 */
export function deleteComment(
  { db }: Pick<Deps, "db">,
  accountId: string,
  id: string,
): { ok: true; id: string } {
  return transact(db, (tx) => {
    if (queries.deleteComment(tx, accountId, id)) return { ok: true as const, id };
    throw new DomainError("comment_not_found", "There is no such comment");
  });
}

const trackNotFound = () => new DomainError("track_not_found", "There is no such track");

function toComment(row: queries.CommentRow): Comment {
  return {
    id: row.id,
    trackId: row.trackId,
    text: row.text,
    positionSec: row.positionSec,
    author: { id: row.authorId, name: row.authorName },
    createdAt: toIso(row.createdAt),
  };
}
