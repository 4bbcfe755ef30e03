import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { requireText } from "../../../kernel/text.ts";
import { recordActivity } from "../../library/analytics/service.ts";
import { getOwnedTrack, type OwnedTrack } from "../../library/catalog/service.ts";
import { notify } from "../../people/notifications/service.ts";
import { findPerson } from "../../people/people/service.ts";
import { answerNote } from "./answers.ts";
import { cutSpan, heardOrActive, lengthOf } from "./places.ts";
import * as queries from "./queries.ts";
import { MAX_COMMENT, MAX_VISITOR_NAME } from "./shapes.ts";
import { type ShownComment, single, toShown } from "./shown.ts";
import { tellStillOpen } from "./tell.ts";
import { placed, requireNote, writeComment } from "./write.ts";

/** The link through which something is said. */
type Link = { id: string; ownerId: LibraryId; entity: "track" | "playlist"; entityId: string };

/** Who speaks through a link; a member of the link's library has an `authorId`. */
type Speaker = { authorId: PersonId | null; authorName: string; visit?: string | null };

/** A comment made through a link. */
export type LinkComment = Speaker & {
  share: Link;
  trackId: string;
  text: string;
  positionSec?: number | null;
  endSec?: number | null;
  /** The note of the link that this replies to. */
  parentId?: string | null;
  /** The version that was heard; undefined: the active one. */
  versionId: string | undefined;
};

/**
 * Adds a comment made through a link, counts it, and notifies the library unless a member wrote it. When the track no longer has the
 * version that was heard, it is about the active one, roughly. The caller must have checked that the link allows comments and opens
 * the track.
 *
 * @throws DomainError `validation_failed` for a blank or long name or text, or a position or range that is not within the version;
 *   `track_not_found`; `comment_not_found` for a reply to what is no note of this link; `note_closed`, `too_many_notes`.
 */
export function addLinkComment(deps: Pick<Deps, "db" | "now">, comment: LinkComment): ShownComment {
  const { share, trackId } = comment;
  const said = {
    ...placed(comment),
    authorId: comment.authorId,
    authorName: readText("name", comment.authorName, MAX_VISITOR_NAME),
    text: readText("text", comment.text, MAX_COMMENT),
    visit: comment.visit ?? null,
  };
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, share.ownerId, trackId);
    const row = sayThroughLink(tx, { share, track, versionId: comment.versionId, said }, deps.now());
    return single(toShown(within(deps, tx), share.ownerId, [row]));
  });
}

type Said = Parameters<typeof writeComment>[4];

/** Writes a comment, with everything that goes with it. */
function sayThroughLink(
  tx: Db,
  {
    share,
    track,
    versionId,
    said,
  }: { share: Link; track: OwnedTrack; versionId: string | undefined; said: Said },
  at: number,
): queries.CommentRow {
  const { authorId, authorName } = said;
  const version = heardOrActive(tx, track, versionId);
  const isGone = versionId !== undefined && version.id !== versionId;
  const span = isGone ? cutSpan(said, lengthOf(tx, track, version)) : said;
  const row = writeComment(tx, track, version, at, { ...said, ...placed({ ...said, ...span }), share });
  if (isGone && row.positionSec !== null)
    queries.putPlace(tx, {
      ...{ commentId: row.id, versionId: version.id },
      ...{ atSec: row.positionSec, endSec: row.endSec, how: "about" },
    });
  const actor =
    authorId === null
      ? { type: "visitor" as const, name: authorName }
      : { type: "user" as const, name: findPerson(tx, authorId)?.name ?? null };
  const playlistId = share.entity === "playlist" ? share.entityId : undefined;
  const what = { ownerId: share.ownerId, entity: "track" as const, entityId: track.id, playlistId };
  recordActivity(tx, { ...what, metric: "comments", actor, shareId: share.id }, at);
  if (authorId === null && row.parentId === null) notifyOwner(tx, share.ownerId, track, at);
  return row;
}

/** Leaves out the visitor's name, which may be an e-mail address. */
function notifyOwner(tx: Db, accountId: LibraryId, track: OwnedTrack, at: number): void {
  const title = `A visitor commented on ${track.name}`;
  notify(tx, { accountId, kind: "track.comment", title, entityKey: "track", entityId: track.id }, at);
}

function readText(field: string, text: string, maxCharacters: number): string {
  const trimmed = requireText(field, text);
  if (trimmed.length <= maxCharacters) return trimmed;
  throw invalidField(field, "max_length", `must be at most ${maxCharacters} characters`);
}

/** What becomes of a note that was made through a link. */
export type LinkAnswer = Speaker & {
  share: Link;
  noteId: string;
  /** `true`: this is right; `false`: it is still not right. */
  answered: boolean;
  /** The version that was on the page; undefined, or one that the track no longer has: the active one. */
  versionId: string | undefined;
  /** What is said with it, as a reply. */
  text?: string;
};

/**
 * Marks a note answered through the link through which it was made, or opens it again, and adds what is said with it. A note that
 * is answered already stays as it was answered first. The caller must have checked that the link may, and opens the track.
 *
 * @throws DomainError `comment_not_found` for what is no note of this link; `note_closed` for a reply, a deleted note, or the 201st
 *   reply; `validation_failed`.
 */
export function answerLinkNote(
  deps: Pick<Deps, "db" | "now">,
  { share, noteId, answered, versionId, text = "", ...speaker }: LinkAnswer,
): ShownComment {
  const { authorId, visit = null } = speaker;
  const authorName = readText("name", speaker.authorName, MAX_VISITOR_NAME);
  const words = text.trim() === "" ? undefined : readText("text", text, MAX_COMMENT);
  return transact(deps.db, (tx) => {
    const note = getLinkNote(tx, share, noteId);
    const track = getOwnedTrack(tx, share.ownerId, note.trackId);
    const at = deps.now();
    const version = heardOrActive(tx, track, versionId);
    const shareId = share.id;
    if (answered)
      answerNote(tx, { track, note, version, shareId, by: { id: authorId, name: authorName } }, at);
    else if (queries.reopenNote(tx, note.id))
      tellStillOpen(tx, { track, version, by: authorId, shareId }, at);
    if (words !== undefined) {
      const said = { ...placed({ parentId: note.id }), authorId, authorName, text: words, visit };
      sayThroughLink(tx, { share, track, versionId, said }, at);
    }
    const row = queries.findComment(tx, note.id);
    return single(toShown(within(deps, tx), share.ownerId, row ? [row] : []));
  });
}

/** Returns a note of a link. */
function getLinkNote(tx: Db, share: Link, id: string): queries.CommentRow {
  const note = queries.findComment(tx, id);
  if (note?.shareId !== share.id) throw new DomainError("comment_not_found", "There is no such comment");
  requireNote(note);
  return note;
}
