import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { mayDo, type OwnerActor, requireNeed, type SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField, invalidRequest } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { findOwnedTrack, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import { reachesTrack } from "../../people/rooms/service.ts";
import { placeNote, versionOf } from "./places.ts";
import * as queries from "./queries.ts";
import type { Comment, UpdateComment } from "./shapes.ts";
import { single, toComments } from "./shown.ts";
import { tellAnswered } from "./tell.ts";
import { tellLinks } from "./tell-links.ts";
import { authorOf, requireNote } from "./write.ts";

type Actor = OwnerActor | SessionActor;

/**
 * Marks a note answered, opens it again, or puts it where it belongs in another version. Whoever wrote it may, and whoever may change
 * tracks. Of two who mark it answered, the first stands.
 *
 * @throws DomainError `comment_not_found`; `note_closed` for a reply or a deleted note; `insufficient_scope`; `version_not_found`;
 *   `validation_failed` when nothing is asked for, and as in {@link placeNote}.
 */
export function updateComment(
  deps: Pick<Deps, "db" | "now">,
  actor: Actor,
  id: string,
  { answered, versionId, place }: UpdateComment,
): Comment {
  if (answered === undefined && place === undefined)
    throw invalidRequest([{ path: "", code: "empty", detail: "must have `answered` or `place`" }]);
  if (versionId !== undefined && answered !== true)
    throw invalidField("versionId", "no_answer", "is the version that answers: it needs `answered: true`");
  return transact(deps.db, (tx) => {
    const { note, track } = getNote(tx, actor, id);
    const at = deps.now();
    if (answered === true) {
      answerNote(tx, { track, note, version: versionOf(tx, track, versionId), by: authorOf(tx, actor) }, at);
    }
    if (answered === false) queries.reopenNote(tx, note.id);
    const placedIn = place && placeNote(tx, track, note, place);
    const row = queries.findComment(tx, note.id, placedIn?.versionId);
    return single(toComments(within(deps, tx), actor.accountId, row ? [row] : [], placedIn));
  });
}

/** A note, the version that answers it, and who says so: a person, or else the recipient of a link. */
type Answered = {
  track: OwnedTrack;
  note: queries.CommentRow;
  version: VersionRow;
  by: { id: PersonId | null; name: string };
  /** The link through which they say so. */
  shareId?: string;
};

/** Marks a note answered, announces it and tells its author, unless it is answered already. Call it inside a transaction. */
export function answerNote(tx: Db, answered: Answered, at: number): void {
  const { track, note, version, by, shareId } = answered;
  const answer = { resolvedAt: at, resolvedBy: by.id, resolvedName: by.name, resolvedIn: version.id };
  if (!queries.answerNote(tx, note.id, answer)) return;
  const data = { trackId: track.id, versionId: version.id, commentId: note.id };
  emit(tx, track.ownerId, "comment.answered", data, at);
  const doing = { track, version, by: by.id, ...(shareId !== undefined && { shareId }) };
  tellAnswered(tx, [note.authorId], doing, at);
  // What a recipient says themselves is no news to them.
  if (shareId === undefined) tellLinks(tx, [note.shareId], at);
}

/** Returns a note that an actor may mark answered. */
function getNote(tx: Db, actor: Actor, id: string): { note: queries.CommentRow; track: OwnedTrack } {
  const note = queries.findComment(tx, id);
  const track = note && findOwnedTrack(tx, actor.accountId, note.trackId);
  if (!track || !reachesTrack({ db: tx }, actor, track.id))
    throw new DomainError("comment_not_found", "There is no such comment");
  requireNote(note);
  if (!mayDo(actor, "update:tracks") && authorOf(tx, actor).id !== note.authorId)
    requireNeed(actor, "update:tracks");
  return { note, track };
}
