import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { newId } from "../../../kernel/ids.ts";
import { requireText } from "../../../kernel/text.ts";
import { recordActivity } from "../../library/analytics/service.ts";
import { getOwnedTrack, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import { requestCarrying } from "../../library/recordings/service.ts";
import { findPerson } from "../../people/people/service.ts";
import { ownerOf } from "../../people/team/service.ts";
import { checkSpan, labelOf, lengthOf, type Span, versionOf } from "./places.ts";
import * as queries from "./queries.ts";
import { type Comment, type CreateComment, MAX_NOTES, MAX_REPLIES } from "./shapes.ts";
import { single, toComments } from "./shown.ts";
import { tellReply } from "./tell.ts";

/**
 * Adds a comment to an account's track and counts it: a note, or a reply to one. It is about the active version unless it names
 * another one.
 *
 * @throws DomainError `track_not_found`, `version_not_found`; `comment_not_found` when the track has no such note; `note_closed`
 *   for a reply to what takes none; `too_many_notes`; `validation_failed` for a blank text, or a position or range that is not
 *   within the version.
 */
export function addComment(
  deps: Pick<Deps, "db" | "now">,
  actor: OwnerActor | SessionActor,
  trackId: string,
  body: CreateComment,
): Comment {
  const { accountId } = actor;
  const text = requireText("text", body.text);
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, accountId, trackId);
    const author = authorOf(tx, actor);
    const version = versionOf(tx, track, body.versionId);
    const at = deps.now();
    const row = writeComment(tx, track, version, at, {
      ...placed(body),
      authorId: author.id,
      authorName: author.name,
      text,
    });
    const by = { type: "user" as const, name: author.name };
    const what = { ownerId: accountId, entity: "track" as const, entityId: trackId };
    recordActivity(tx, { ...what, metric: "comments", actor: by }, at);
    return single(toComments(within(deps, tx), accountId, [row]));
  });
}

/** Returns the person in whose name an actor speaks: what no member's key says is said by the owner. */
export function authorOf(
  tx: Db,
  { accountId, personId }: OwnerActor | SessionActor,
): { id: PersonId; name: string } {
  const id = personId ?? ownerOf(tx, accountId);
  const person = id && findPerson(tx, id);
  if (!person) throw new Error(`The library ${accountId} has no owner`);
  return person;
}

type Placed = Span & { parentId: string | null };

/** What is left out of a new comment is null. */
export const placed = ({
  positionSec = null,
  endSec = null,
  parentId = null,
}: {
  [Name in keyof Placed]?: Placed[Name] | undefined;
}): Placed => ({ positionSec, endSec, parentId });

/** What is said, by whom, and the link through which. */
type Said = Placed & {
  authorId: PersonId | null;
  authorName: string;
  text: string;
  share?: { id: string };
  visit?: string | null;
};

/**
 * Adds a comment about a version, announces it, and tells the author of the note that it replies to. Call it inside a transaction.
 *
 * @throws DomainError as {@link addComment} does; through a link, `comment_not_found` for a reply to a note of another one.
 */
export function writeComment(
  tx: Db,
  track: OwnedTrack,
  version: VersionRow,
  at: number,
  said: Said,
): queries.CommentRow {
  const note = said.parentId === null ? undefined : getNoteToReplyTo(tx, track.id, said.parentId, said);
  if (!note) {
    checkSpan(said, lengthOf(tx, track, version));
    if (queries.countNotes(tx, track.id, MAX_NOTES) >= MAX_NOTES)
      throw new DomainError(
        "too_many_notes",
        `A track has at most ${MAX_NOTES.toLocaleString("en")} notes: delete some of them first`,
      );
  }
  const { share, ...what } = said;
  const row = queries.insertComment(tx, {
    ...what,
    shareId: share?.id ?? null,
    id: newId("cmt"),
    trackId: track.id,
    createdAt: at,
    versionId: version.id,
    heardLabel: labelOf(version),
  });
  const { id: commentId, trackId, parentId } = row;
  emit(tx, track.ownerId, "comment.added", { trackId, versionId: version.id, commentId, parentId }, at);
  const doing = { track, version, by: said.authorId, ...(share && { shareId: share.id }) };
  if (note) tellReply(tx, note, doing, at);
  if (said.positionSec !== null) requestCarrying(tx, version.id, { isMissing: true }, at);
  return row;
}

/** Returns the note of a track that is replied to; through a link, one of that link. */
function getNoteToReplyTo(
  tx: Db,
  trackId: string,
  parentId: string,
  { positionSec, endSec, share }: Said,
): queries.CommentRow {
  const note = queries.findComment(tx, parentId);
  if (note?.trackId !== trackId || (share && note.shareId !== share.id))
    throw new DomainError("comment_not_found", "There is no such comment");
  if (positionSec !== null)
    throw invalidField("positionSec", "not_together", "must be left out: a reply is where its note is");
  if (endSec !== null)
    throw invalidField("endSec", "not_together", "must be left out: a reply is where its note is");
  requireNote(note);
  if (note.replyCount >= MAX_REPLIES)
    throw new DomainError("note_closed", `A note has at most ${MAX_REPLIES} replies`);
  return note;
}

/** Passes for a note that is not deleted. @throws DomainError `note_closed`. */
export function requireNote({
  parentId,
  deletedAt,
}: Pick<queries.CommentRow, "parentId" | "deletedAt">): void {
  if (parentId !== null)
    throw new DomainError("note_closed", "This is a reply: answer, place and reply to its note");
  if (deletedAt !== null) throw new DomainError("note_closed", "The note was deleted");
}
