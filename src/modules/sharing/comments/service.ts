import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { mayDo, type OwnerActor, type SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { requireText } from "../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { recordActivity } from "../../library/analytics/service.ts";
import {
  findVersion,
  getOwnedTrack,
  type OwnedTrack,
  type VersionRow,
} from "../../library/catalog/service.ts";
import { notify } from "../../people/notifications/service.ts";
import { findPerson, membersAmong } from "../../people/people/service.ts";
import { ownerOf } from "../../people/team/service.ts";
import * as queries from "./queries.ts";
import {
  type Comment,
  type CommentsQuery,
  type CreateComment,
  MAX_COMMENT,
  MAX_VISITOR_NAME,
} from "./shapes.ts";

/**
 * Returns a page of the comments on an account's track, newest first.
 *
 * @throws DomainError `track_not_found`, `validation_failed` for a cursor of another track.
 */
export function listComments(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  trackId: string,
  query: CommentsQuery,
): Page<Comment> {
  const { db } = deps;
  getOwnedTrack(db, accountId, trackId);
  const select = (after: Place, limit: number) => queries.listComments(db, trackId, after, limit);
  const { items, paging } = cutPage(query, `comments ${trackId}`, select, (row) => row.createdAt);
  return { items: toComments(deps, accountId, items), paging };
}

/**
 * Adds a comment to an account's track and counts it. It is about the active version unless it names another one.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `validation_failed` for a blank text or a position past the
 *   version's end.
 */
export function addComment(
  deps: Pick<Deps, "db" | "now">,
  actor: OwnerActor | SessionActor,
  trackId: string,
  { text, positionSec = null, versionId }: CreateComment,
): Comment {
  const { accountId } = actor;
  const trimmed = requireText("text", text);
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, accountId, trackId);
    const author = authorOf(tx, actor);
    const version = heardVersion(tx, track, versionId);
    checkPosition(positionSec, lengthOf(tx, track, version));
    const at = deps.now();
    const row = queries.insertComment(tx, {
      id: newId("cmt"),
      trackId,
      authorId: author.id,
      authorName: author.name,
      text: trimmed,
      positionSec,
      createdAt: at,
      versionId: version.id,
      heardLabel: labelOf(version),
    });
    const by = { type: "user" as const, name: author.name };
    recordActivity(
      tx,
      { ownerId: accountId, entity: "track", entityId: trackId, metric: "comments", actor: by },
      at,
    );
    return toComment(row, membersAmong(within(deps, tx), accountId, [author.id]));
  });
}

/** Returns the person in whose name an actor speaks: what no member's key says is said by the owner. */
function authorOf(
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

/** A comment, as a page shows it. */
export type ShownComment = Comment & {
  /** True when the track has a version that this comment is not about. */
  hasOthers: boolean;
};

/**
 * Adds a comment made through a link, counts it, and notifies the library unless a member wrote it. The caller must have
 * checked that the link allows comments and opens the track.
 *
 * @throws DomainError `validation_failed` for a blank or long name or text, or a position past the track's end;
 *   `track_not_found`, `version_not_found`.
 */
export function addLinkComment(deps: Pick<Deps, "db" | "now">, comment: LinkComment): ShownComment {
  const { share, trackId, authorId, positionSec } = comment;
  const authorName = readText("name", comment.authorName, MAX_VISITOR_NAME);
  const text = readText("text", comment.text, MAX_COMMENT);
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, share.ownerId, trackId);
    const version = heardVersion(tx, track, comment.versionId);
    checkPosition(positionSec, lengthOf(tx, track, version));
    const at = deps.now();
    const row = queries.insertComment(tx, {
      id: newId("cmt"),
      trackId,
      authorId,
      authorName,
      shareId: share.id,
      text,
      positionSec,
      createdAt: at,
      versionId: version.id,
      heardLabel: labelOf(version),
    });
    const actor =
      authorId === null
        ? { type: "visitor" as const, name: authorName }
        : { type: "user" as const, name: findPerson(tx, authorId)?.name ?? null };
    const playlistId = share.entity === "playlist" ? share.entityId : undefined;
    const what = { ownerId: share.ownerId, entity: "track" as const, entityId: trackId, playlistId };
    recordActivity(tx, { ...what, metric: "comments", actor, shareId: share.id }, at);
    if (authorId === null) notifyOwner(tx, share.ownerId, { id: trackId, name: track.name }, at);
    return toShown(row, membersAmong(within(deps, tx), share.ownerId, [authorId]));
  });
}

/** The comment after which a list, newest first, continues. */
export type CommentPlace = { at: number; id: string };

/** Returns at most `limit` comments made through a link, newest first. */
export function listLinkComments(
  deps: Pick<Deps, "db" | "now">,
  { id, ownerId }: { id: string; ownerId: LibraryId },
  { limit, after }: { limit: number; after?: CommentPlace | undefined },
): ShownComment[] {
  const rows = queries.listShareComments(deps.db, id, limit, after);
  const members = membersAmong(deps, ownerId, authorsOf(rows));
  return rows.map((row) => toShown(row, members));
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

function heardVersion(tx: Db, track: OwnedTrack, versionId = track.activeVersionId): VersionRow {
  const version = findVersion(tx, versionId);
  if (version?.trackId === track.id) return version;
  throw new DomainError("version_not_found", "The track has no such version");
}

/** Returns the length of a version in seconds, or null while it is not known. */
function lengthOf(tx: Db, track: OwnedTrack, { id }: VersionRow): number | null {
  // Until the track's first analysis, its length is what its only file says.
  const said = track.analysisVersionId === null && id === track.activeVersionId ? track.durationSec : null;
  return queries.findLength(tx, id) ?? said;
}

const labelOf = ({ label, versionOrder }: Pick<VersionRow, "label" | "versionOrder">): string =>
  label ?? (versionOrder === 0 ? "Original" : `Version ${versionOrder + 1}`);

function checkPosition(positionSec: number | null, durationSec: number | null): void {
  if (positionSec === null || (positionSec >= 0 && positionSec <= (durationSec ?? Number.POSITIVE_INFINITY)))
    return;
  throw invalidField("positionSec", "maximum", "must be within the track");
}

/**
 * Deletes a comment that the person wrote, or with `delete:comments` any comment on the library's tracks.
 *
 * @throws DomainError `comment_not_found`.
 */
export function deleteComment(
  { db }: Pick<Deps, "db">,
  actor: OwnerActor | SessionActor,
  id: string,
): { ok: true; id: string } {
  const { accountId, personId } = actor;
  const ofAnyone = mayDo(actor, "delete:comments");
  return transact(db, (tx) => {
    const authorId = personId ?? ownerOf(tx, accountId) ?? null;
    if (queries.deleteComment(tx, { id, authorId, accountId: ofAnyone ? accountId : null }))
      return { ok: true as const, id };
    throw new DomainError("comment_not_found", "There is no such comment");
  });
}

type Members = ReturnType<typeof membersAmong>;

const authorsOf = (rows: readonly queries.CommentRow[]) =>
  rows.flatMap(({ authorId, resolvedBy }) => [authorId, resolvedBy]);

function toComments(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  rows: readonly queries.CommentRow[],
): Comment[] {
  const members = membersAmong(deps, accountId, authorsOf(rows));
  return rows.map((row) => toComment(row, members));
}

/** @param members By id. Whoever is not among them any more is called as they were when they wrote. */
function toComment(row: queries.CommentRow, members: Members): Comment {
  const author = members.get(row.authorId ?? "");
  return {
    id: row.id,
    trackId: row.trackId,
    text: row.text,
    positionSec: row.positionSec,
    author: { id: row.authorId, name: author?.name ?? row.authorName },
    createdAt: toIso(row.createdAt),
    versionId: row.versionId,
    versionLabel: heardLabel(row),
    endSec: row.endSec,
    parentId: row.parentId,
    answeredAt: toIsoOrNull(row.resolvedAt),
    answeredBy: answererOf(row, members),
    answeredIn: row.resolvedIn,
    replyCount: row.replyCount,
    shareId: row.shareId,
  };
}

function answererOf(
  { resolvedAt, resolvedBy, resolvedName }: queries.CommentRow,
  members: Members,
): Comment["answeredBy"] {
  if (resolvedAt === null) return null;
  return { id: resolvedBy, name: members.get(resolvedBy ?? "")?.name ?? resolvedName ?? "" };
}

const toShown = (row: queries.CommentRow, members: Members): ShownComment => ({
  ...toComment(row, members),
  hasOthers: row.hasOthers === 1,
});

/** Returns what the version that was heard is called now, or was called then when it is gone. */
function heardLabel({ version, heardLabel: then }: queries.CommentRow): string | null {
  if (version === null) return then;
  return then === null ? `probably ${labelOf(version)}` : labelOf(version);
}
