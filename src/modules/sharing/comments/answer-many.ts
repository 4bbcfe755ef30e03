import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import {
  mayDo,
  type OnBehalf,
  type OwnerActor,
  requireNeed,
  type SessionActor,
} from "../../../kernel/actor.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { getOwnedTrack } from "../../library/catalog/service.ts";
import { reachesTrack } from "../../people/rooms/service.ts";
import { versionOf } from "./places.ts";
import * as queries from "./queries.ts";
import { tellAnswered } from "./tell.ts";
import { tellLinks } from "./tell-links.ts";
import { authorOf, requireNote } from "./write.ts";

type Actor = OwnerActor | SessionActor;

/** Notes that were marked answered in one step, by whom and when. */
export type AnsweredNotes = { ids: string[]; at: number; by: PersonId };

/**
 * Marks notes on a track answered: those that are named, or all open ones that the actor may mark. Those that are answered already
 * stay as they are. Call it inside a transaction.
 *
 * @throws DomainError `track_not_found`, `version_not_found`; `comment_not_found` when one of them is not on the track; `note_closed`
 *   for a reply or a deleted note; `insufficient_scope` for a note of somebody else.
 */
export function answerNotes(
  tx: Db,
  actor: Actor,
  trackId: string,
  { ids, versionId }: { ids?: readonly string[]; versionId?: string },
  at: number,
): AnsweredNotes {
  const track = getOwnedTrack(tx, actor.accountId, trackId);
  const version = versionOf(tx, track, versionId);
  const by = authorOf(tx, actor);
  const mayAll = mayDo(actor, "update:tracks");
  if (ids) checkNotes(tx, actor, { trackId, ids, authorId: by.id });
  const answered = queries.answerNotes(tx, {
    trackId,
    ids,
    authorId: mayAll ? undefined : by.id,
    answer: { resolvedAt: at, resolvedBy: by.id, resolvedName: by.name, resolvedIn: version.id },
  });
  for (const { id: commentId } of answered)
    emit(tx, track.ownerId, "comment.answered", { trackId, versionId: version.id, commentId }, at);
  tellAnswered(
    tx,
    answered.map(({ authorId }) => authorId),
    { track, version, by: by.id },
    at,
  );
  tellLinks(
    tx,
    answered.map(({ shareId }) => shareId),
    at,
  );
  return { ids: answered.map(({ id }) => id), at, by: by.id };
}

type Named = { trackId: string; ids: readonly string[]; authorId: PersonId };

function checkNotes(tx: Db, actor: Actor, { trackId, ids, authorId }: Named): void {
  const found = queries.listAmong(tx, trackId, ids);
  if (found.length < new Set(ids).size)
    throw new DomainError("comment_not_found", "One of the comments is not on this track");
  for (const note of found) {
    requireNote(note);
    if (note.authorId !== authorId) requireNeed(actor, "update:tracks");
  }
}

/**
 * Opens notes again that {@link answerNotes} marked answered, except those that somebody has reopened, answered anew or deleted since.
 * Returns how many. Call it inside a transaction.
 *
 * @throws DomainError `changed_since` when that is true of all of them; `insufficient_scope` when the actor may not any more;
 *   `undo_not_found` when the actor does not reach the track any more.
 */
export function reopenNotes(
  tx: Db,
  actor: OnBehalf & Pick<Actor, "accountId">,
  trackId: string,
  { ids, at, by }: AnsweredNotes,
): number {
  if (!reachesTrack({ db: tx }, actor, trackId))
    throw new DomainError("undo_not_found", "There is nothing left to undo");
  getOwnedTrack(tx, actor.accountId, trackId);
  if (queries.listAmong(tx, trackId, ids).some(({ authorId }) => authorId !== by))
    requireNeed(actor, "update:tracks");
  const opened = queries.reopenNotes(tx, { trackId, ids, at, by });
  if (opened > 0) return opened;
  throw new DomainError("changed_since", "These notes were changed again since, so this is not undone");
}
