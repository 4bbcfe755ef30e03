import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { requireText } from "../../../kernel/text.ts";
import { recordActivity } from "../../library/analytics/service.ts";
import { getOwnedTrack, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import { requestCarrying } from "../../library/recordings/service.ts";
import { notify } from "../../people/notifications/service.ts";
import { findPerson } from "../../people/people/service.ts";
import { ownerOf } from "../../people/team/service.ts";
import { checkSpan, labelOf, lengthOf, type Span, versionOf } from "./places.ts";
import * as queries from "./queries.ts";
import {
  type Comment,
  type CreateComment,
  MAX_COMMENT,
  MAX_NOTES,
  MAX_REPLIES,
  MAX_VISITOR_NAME,
} from "./shapes.ts";
import { type ShownComment, single, toComments, toShown } from "./shown.ts";

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
    const row = insert(tx, track, version, at, {
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

/** A comment made through a link; a member of the link's library has an `authorId`. */
export type LinkComment = {
  share: { id: string; ownerId: LibraryId; entity: "track" | "playlist"; entityId: string };
  trackId: string;
  authorId: PersonId | null;
  authorName: string;
  text: string;
  positionSec: number | null;
  /** The version that was heard; undefined: the active one. */
  versionId: string | undefined;
};

/**
 * Adds a comment made through a link, counts it, and notifies the library unless a member wrote it. The caller must have
 * checked that the link allows comments and opens the track.
 *
 * @throws DomainError `validation_failed` for a blank or long name or text, or a position past the track's end;
 *   `track_not_found`, `version_not_found`, `too_many_notes`.
 */
export function addLinkComment(deps: Pick<Deps, "db" | "now">, comment: LinkComment): ShownComment {
  const { share, trackId, authorId } = comment;
  const authorName = readText("name", comment.authorName, MAX_VISITOR_NAME);
  const text = readText("text", comment.text, MAX_COMMENT);
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, share.ownerId, trackId);
    const version = versionOf(tx, track, comment.versionId);
    const at = deps.now();
    const row = insert(tx, track, version, at, {
      ...placed(comment),
      authorId,
      authorName,
      text,
      shareId: share.id,
    });
    const actor =
      authorId === null
        ? { type: "visitor" as const, name: authorName }
        : { type: "user" as const, name: findPerson(tx, authorId)?.name ?? null };
    const playlistId = share.entity === "playlist" ? share.entityId : undefined;
    const what = { ownerId: share.ownerId, entity: "track" as const, entityId: trackId, playlistId };
    recordActivity(tx, { ...what, metric: "comments", actor, shareId: share.id }, at);
    if (authorId === null) notifyOwner(tx, share.ownerId, { id: trackId, name: track.name }, at);
    return single(toShown(within(deps, tx), share.ownerId, [row]));
  });
}

/** Leaves out the visitor's name, which may be an e-mail address. */
function notifyOwner(tx: Db, accountId: LibraryId, track: { id: string; name: string }, at: number): void {
  const title = `A visitor commented on ${track.name}`;
  notify(tx, { accountId, kind: "track.comment", title, entityKey: "track", entityId: track.id }, at);
}

function readText(field: string, text: string, maxCharacters: number): string {
  const trimmed = requireText(field, text);
  if (trimmed.length <= maxCharacters) return trimmed;
  throw invalidField(field, "max_length", `must be at most ${maxCharacters} characters`);
}

type Placed = Span & { parentId: string | null };

/** What is left out of a new comment is null. */
const placed = ({
  positionSec = null,
  endSec = null,
  parentId = null,
}: {
  [Name in keyof Placed]?: Placed[Name] | undefined;
}): Placed => ({ positionSec, endSec, parentId });

type Said = Placed & {
  authorId: PersonId | null;
  authorName: string;
  text: string;
  shareId?: string;
};

function insert(tx: Db, track: OwnedTrack, version: VersionRow, at: number, said: Said): queries.CommentRow {
  if (said.parentId === null) {
    checkSpan(said, lengthOf(tx, track, version));
    if (queries.countNotes(tx, track.id, MAX_NOTES) >= MAX_NOTES)
      throw new DomainError(
        "too_many_notes",
        `A track has at most ${MAX_NOTES.toLocaleString("en")} notes: delete some of them first`,
      );
  } else checkReply(tx, track.id, said.parentId, said);
  const row = queries.insertComment(tx, {
    ...said,
    id: newId("cmt"),
    trackId: track.id,
    createdAt: at,
    versionId: version.id,
    heardLabel: labelOf(version),
  });
  if (said.positionSec !== null) requestCarrying(tx, version.id, { isMissing: true }, at);
  return row;
}

/** Passes for a reply to a note of the track. */
function checkReply(tx: Db, trackId: string, parentId: string, { positionSec, endSec }: Span): void {
  const note = queries.findComment(tx, parentId);
  if (note?.trackId !== trackId) throw new DomainError("comment_not_found", "There is no such comment");
  if (positionSec !== null)
    throw invalidField("positionSec", "not_together", "must be left out: a reply is where its note is");
  if (endSec !== null)
    throw invalidField("endSec", "not_together", "must be left out: a reply is where its note is");
  if (note.parentId !== null)
    throw new DomainError("note_closed", "A reply takes no replies: reply to its note");
  if (note.deletedAt !== null) throw new DomainError("note_closed", "The note was deleted");
  if (note.replyCount >= MAX_REPLIES)
    throw new DomainError("note_closed", `A note has at most ${MAX_REPLIES} replies`);
}
